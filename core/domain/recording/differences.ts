/**
 * Finds the differences between a message in two recordings. Ids, times and traces always differ and are left
 * out.
 */
import { shortened } from '../../contract/cut-place.ts';
import { judgedAnswer } from '../../contract/answerer.ts';
import type { Attempt } from '../../contract/message.ts';
import type { Difference, DifferenceOf } from '../../contract/recording.ts';
import { PREVIEW_CHARS } from '../../contract/words.ts';
import { endOfValue, nameIn, skipSpace } from '../../contract/json-scan.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import { answerText } from '../answer-text.ts';
import type { Codec } from '../codec.ts';
import { payloadOf, describe } from '../inbound.ts';
import type { Payload } from '../inbound.ts';
import { EVENT_DEPTH, firstValue } from '../json.ts';
import { previewOf } from '../preview.ts';
import { comparableType } from './given-type.ts';
import type { RecordedDelivery, RecordedMessage } from './recorded.ts';

/**
 * Longest JSON that is parsed for the comparison. A longer one is compared as it is written, because parsing
 * it would block the process.
 */
const MAX_READ_LENGTH = 256 * 1024;

/**
 * The payload as a text that is equal for equal payloads: the order of members and white space between values
 * do not count, digits do.
 */
export function comparableData({ message }: RecordedMessage, codec: Codec): string {
  return comparable(payloadOf(message.wire, message.row.raw, codec));
}

function comparable(payload: Payload): string {
  switch (payload.kind) {
    case 'none':
      return 'none';
    case 'bytes':
      return `bytes ${payload.base64}`;
    case 'text':
      return `text ${payload.text}`;
    case 'json':
      return `json ${alike(payload.text)}`;
  }
}

/**
 * A JSON text with members in alphabetical order and without white space; each value stays as it is written.
 */
function alike(text: string): string {
  if (text.length > MAX_READ_LENGTH || firstValue(text, EVENT_DEPTH)?.trailing !== false) return text;
  return orderedAt(text, skipSpace(text, 0)).text;
}

/** A value as it is compared, and the index after it in its text. */
interface Read {
  readonly text: string;
  readonly end: number;
}

/**
 * The value that begins at `start`. Each character is read once: reading each level again would take time with the square of
 * the depth. For the same reason texts are added up, because joining them copies all levels below.
 */
function orderedAt(text: string, start: number): Read {
  if (text[start] === '{') return orderedObject(text, start);
  if (text[start] === '[') return orderedArray(text, start);
  const end = endOfValue(text, start);
  const scalar = text.slice(start, end);
  return { text: scalar.startsWith('"') ? JSON.stringify(JSON.parse(scalar)) : scalar, end };
}

function orderedArray(text: string, start: number): Read {
  let elements = '';
  let at = skipSpace(text, start + 1);
  while (text[at] !== ']') {
    const { text: element, end } = orderedAt(text, at);
    elements += elements === '' ? element : `,${element}`;
    at = afterComma(text, end);
  }
  return { text: `[${elements}]`, end: at + 1 };
}

function orderedObject(text: string, start: number): Read {
  const members = new Map<string, string>();
  let at = skipSpace(text, start + 1);
  while (text[at] !== '}') {
    const nameEnd = endOfValue(text, at);
    const valueAt = skipSpace(text, skipSpace(text, nameEnd) + 1);
    const { text: value, end } = orderedAt(text, valueAt);
    members.set(nameIn(text.slice(at, nameEnd)), value);
    at = afterComma(text, end);
  }
  let all = '';
  for (const name of [...members.keys()].toSorted())
    all += `${all === '' ? '' : ','}${JSON.stringify(name)}:${members.get(name)}`;
  return { text: `{${all}}`, end: at + 1 };
}

/** Index of the next part behind one that ends at `end`, or of the bracket that closes. */
function afterComma(text: string, end: number): number {
  const at = skipSpace(text, end);
  return text[at] === ',' ? skipSpace(text, at + 1) : at;
}

export interface Comparing {
  readonly codec: Codec;
  /** The id in `after` of apps that have another one in `before`. */
  readonly apps: ReadonlyMap<string, string>;
}

/** All differences of two messages; [] = they are equal. */
export function differencesOf(
  before: RecordedMessage,
  after: RecordedMessage,
  { codec, apps }: Comparing,
): readonly Difference[] {
  const [one, other] = [before.message, after.message];
  return [
    ...(comparableData(before, codec) === comparableData(after, codec)
      ? []
      : [
          {
            what: 'data' as const,
            before: previewOf(one.wire, one.row.raw, codec),
            after: previewOf(other.wire, other.row.raw, codec),
          },
        ]),
    ...differs('contentType', one.row.contentType, other.row.contentType),
    ...(comparableType(one.row.eventType) === comparableType(other.row.eventType)
      ? []
      : differs('type', one.row.eventType, other.row.eventType)),
    ...differs('subject', one.row.subject, other.row.subject),
    ...differs('attributes', attributesOf(before, codec), attributesOf(after, codec)),
    ...differs('metadata', pairs(one.metadata), pairs(other.metadata)),
    ...differs('stage', one.row.stage, other.row.stage),
    ...ofDeliveries(before.deliveries, after.deliveries, apps),
  ];
}

function differs(
  what: DifferenceOf,
  before: string | undefined,
  after: string | undefined,
  appId?: string,
): readonly Difference[] {
  if (before === after) return [];
  return [
    {
      what,
      ...withoutUndefined({ appId }),
      ...(before === undefined ? {} : { before: shortened(before, PREVIEW_CHARS) }),
      ...(after === undefined ? {} : { after: shortened(after, PREVIEW_CHARS) }),
    },
  ];
}

/** Attributes that identify the event, its time and its route, or are compared separately. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'id',
  'time',
  'expiration',
  'traceid',
  'traceparent',
  'tracestate',
  'source',
  'topic',
  'pubsubname',
  'type',
  'subject',
  'datacontenttype',
  'data',
  'data_base64',
]);

function attributesOf({ message }: RecordedMessage, codec: Codec): string | undefined {
  const { envelope } = describe(message.wire, message.row.raw, codec);
  return (
    envelope && pairs(Object.fromEntries(Object.entries(envelope).filter(([name]) => !LEFT_OUT.has(name))))
  );
}

/** Members as text: "a: 1, b: x"; undefined: there are none. */
function pairs(of: Readonly<Record<string, unknown>>): string | undefined {
  const names = Object.keys(of).toSorted();
  if (names.length === 0) return undefined;
  return names
    .map((name) => {
      const value = of[name];
      return `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`;
    })
    .join(', ');
}

type Pair = readonly [RecordedDelivery | undefined, RecordedDelivery | undefined];

/**
 * Differences of deliveries. Deliveries to the same app and subscription are compared; of the others, those
 * of the same subscription.
 */
function ofDeliveries(
  before: readonly RecordedDelivery[],
  after: readonly RecordedDelivery[],
  apps: Comparing['apps'],
): readonly Difference[] {
  const own = pairBy(before, after, ({ delivery }, side) => {
    const appId = side === 'before' ? idAfter(delivery.appId, apps) : delivery.appId;
    return [appId, ...subscriptionOf(delivery)].join('\n');
  });
  const left = pairBy(own.before, own.after, ({ delivery }) => subscriptionOf(delivery).join('\n'));
  const alone: readonly Pair[] = [
    ...left.before.map((each): Pair => [each, undefined]),
    ...left.after.map((each): Pair => [undefined, each]),
  ];
  return [...own.pairs, ...left.pairs, ...alone].flatMap((pair) => ofPair(pair, apps));
}

function idAfter(appId: string, apps: Comparing['apps']): string {
  return apps.get(appId) ?? appId;
}

function subscriptionOf({ subscription }: RecordedDelivery['delivery']): readonly string[] {
  return [subscription.pubsubname, subscription.topic];
}

function pairBy(
  before: readonly RecordedDelivery[],
  after: readonly RecordedDelivery[],
  keyOf: (each: RecordedDelivery, side: 'before' | 'after') => string,
): {
  readonly pairs: readonly Pair[];
  readonly before: RecordedDelivery[];
  readonly after: RecordedDelivery[];
} {
  const rest = [...after];
  const pairs: Pair[] = [];
  const alone = before.filter((each) => {
    const at = rest.findIndex((other) => keyOf(other, 'after') === keyOf(each, 'before'));
    if (at === -1) return true;
    const [found] = rest.splice(at, 1);
    pairs.push([each, found]);
    return false;
  });
  return { pairs, before: alone, after: rest };
}

function ofPair([before, after]: Pair, apps: Comparing['apps']): readonly Difference[] {
  const appId = before?.delivery.appId ?? after?.delivery.appId ?? '';
  if (before === undefined || after === undefined)
    return differs('delivery', before?.delivery.state, after?.delivery.state, appId);
  const [one, other] = [before.delivery, after.delivery];
  return [
    ...(idAfter(one.appId, apps) === other.appId ? [] : differs('app', one.appId, other.appId, appId)),
    ...differs('state', one.state, other.state, appId),
    ...differs('route', one.route.path, other.route.path, appId),
    ...differs('answers', answersOf(before.attempts), answersOf(after.attempts), appId),
  ];
}

/** Answers of the attempts as text: "503 ×2, 200 SUCCESS"; undefined: no attempt. */
function answersOf(attempts: readonly Attempt[]): string | undefined {
  const rows: { text: string; times: number }[] = [];
  for (const attempt of attempts) {
    const { word } = attempt;
    const { response, error } = judgedAnswer(attempt);
    const said = { ...response, ...(word && { word }), ...(error && { error: error.code }) };
    const text = answerText(said) ?? '';
    const last = rows.at(-1);
    if (last?.text === text) last.times += 1;
    else rows.push({ text, times: 1 });
  }
  if (rows.length === 0) return undefined;
  return rows.map(({ text, times }) => (times === 1 ? text : `${text} ×${times}`)).join(', ');
}
