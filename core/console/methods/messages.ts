/** `messages.*`: the list, one message, publish, replay, marks. */
import type { Params } from '../../contract/console.ts';
import type { MESSAGES } from '../../contract/methods/messages.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import { textOf } from '../../domain/codec.ts';
import type { Codec } from '../../domain/codec.ts';
import { bulkTypeFlags } from '../../domain/bulk-publish.ts';
import { isJson, tryParse } from '../../domain/json.ts';
import { FLAGS } from '../../domain/publish-input.ts';
import { noMessage } from '../../domain/no-message.ts';
import { Refusal } from '../../domain/refusal.ts';
import { detailOf } from '../../runtime/queries/detail.ts';
import type { RuntimeApi } from '../../runtime/runtime.ts';
import type { Journal } from '../../ports/journal.ts';
import type { MethodsOf } from '../caller.ts';
import { withPayloadUpTo } from '../payload-parts.ts';
import { PayloadText } from '../payload-texts.ts';
import { beginPiece, nextPiece } from '../pieces.ts';
import { PublishOrder } from '../publish-order.ts';
import { readDataPath, readFilter } from '../views/filter.ts';
import { pageUpTo } from '../up-to.ts';
import { markRead } from '../saved/mark-read.ts';
import type { MethodDependencies } from './dependencies.ts';

type PublishNow = Parameters<RuntimeApi['publishByHand']['one']>[0];

const DEFAULT_LIMIT = 100;
const UNREAD = 'is:unread';
const MAX_EVENT_PROBLEMS = 20;
/** Flags of a message that say the same as the problem of an attribute. */
const FLAG_OF: ReadonlyMap<string | undefined, string> = new Map([
  ['id', FLAGS.noId],
  ['specversion', FLAGS.otherVersion],
]);

type MessageMethods = MethodsOf<typeof MESSAGES>;
type Reading = 'messages.list' | 'messages.get' | 'messages.payload' | 'messages.values';
type Publishing = 'messages.preview' | 'messages.publish' | 'messages.publishBulk' | 'messages.replay';
type Marking = 'messages.markRead' | 'messages.update';

export function messageMethods(deps: MethodDependencies): MessageMethods {
  return { ...readingMethods(deps), ...publishingMethods(deps), ...markingMethods(deps) };
}

function readingMethods({
  runtime,
  clock,
  codec,
  openRecordings,
  payloads,
}: MethodDependencies): Pick<MessageMethods, Reading> {
  const journalOf = (recordingId: string | undefined): Journal =>
    recordingId === undefined ? runtime.journal : openRecordings.journal(recordingId);
  return {
    'messages.list': (
      { filter, upTo, cursor, limit = DEFAULT_LIMIT, order = 'newest', recordingId },
      { signal },
    ) => {
      const parsed = filter === undefined ? undefined : readFilter(filter);
      const query = {
        order,
        limit,
        nowMs: clock.now(),
        signal,
        ...(parsed === undefined || parsed.isEmpty ? {} : { filter: parsed }),
        ...withoutUndefined({ cursor }),
      };
      return pageUpTo(journalOf(recordingId), query, upTo);
    },
    'messages.get': async ({ messageId, recordingId, payloadUpTo }, { subscriber }) => {
      if (recordingId === undefined) {
        subscriber?.noteOpened(messageId);
        return withPayloadUpTo(await runtime.messages.detail(messageId), payloadUpTo);
      }
      const found = await openRecordings.journal(recordingId).get(messageId);
      if (found !== undefined) return withPayloadUpTo(detailOf(found, { codec }), payloadUpTo);
      throw noMessage(messageId);
    },
    'messages.payload': (params) => payloads.part(params),
    'messages.values': async ({ numbers, paths, preview = false, recordingId }) => {
      const journal = journalOf(recordingId);
      const facets = paths.map(readDataPath);
      if (preview) facets.push({ kind: 'preview' }, { kind: 'edited' });
      const found = await journal.summaries(numbers, facets);
      return {
        items: found.flatMap((summary) => {
          if (summary === undefined) return [];
          const values = summary.values.slice(0, paths.length).map((value) => value ?? null);
          const [line, edited] = summary.values.slice(paths.length);
          return [
            {
              number: summary.number,
              values,
              ...withoutUndefined({ preview: line }),
              ...(edited === undefined ? {} : { edited: true as const }),
            },
          ];
        }),
      };
    },
  };
}

function publishingMethods({
  runtime,
  codec,
  eventCheck,
}: MethodDependencies): Pick<MessageMethods, Publishing> {
  const order = new PublishOrder();
  return {
    'messages.preview': async (params) => {
      beginPiece();
      const request = publishRequest(params, codec);
      await nextPiece();
      const { kind, wire, contentType, flags } = runtime.publishByHand.preview(request);
      const { pubsubname, topic } = params;
      const isText = typeof wire === 'string' || codec.isUtf8(wire);
      const event = isText ? textOf(wire, codec) : codec.toBase64(wire);
      await nextPiece();
      const subscriptions = await runtime.topology.explain({ pubsubname, topic, event });
      await nextPiece();
      const problems = kind === 'raw' ? [] : await eventCheck.problems(tryParse(textOf(wire, codec))?.value);
      return {
        ...(isText ? { text: event } : { base64: event }),
        contentType,
        flags: flags.filter((flag) => !problems.some(({ field }) => flag === FLAG_OF.get(field))),
        problems: problems.slice(0, MAX_EVENT_PROBLEMS),
        subscriptions,
      };
    },
    // To write a large payload takes a tenth of a second, and so does to read it again, so other work goes on in between.
    'messages.publish': (params, { signal: client }) =>
      order.one({ ...params, client }, async () => {
        beginPiece();
        const request = publishRequest(params, codec);
        await nextPiece();
        return runtime.publishByHand.one(request);
      }),
    'messages.publishBulk': ({ entries, metadata = {}, contentType, ...rest }, { signal: client }) =>
      order.bulk({ ...rest, client }, async () => {
        const flags = contentType === undefined ? [] : bulkTypeFlags(contentType);
        const body = await bulkBody(entries);
        await nextPiece();
        return runtime.publishByHand.bulk({
          ...rest,
          body,
          metadata,
          ...(flags.length === 0 ? {} : { flags }),
        });
      }),
    'messages.replay': ({ messageId, changes, to }) => runtime.replay.replay(messageId, changes, to),
  };
}

function markingMethods({ runtime, clock }: MethodDependencies): Pick<MessageMethods, Marking> {
  return {
    'messages.markRead': async ({ filter = '' }, { signal }) => {
      const unread = readFilter(filter.trim() === '' ? UNREAD : `${UNREAD} (${filter})`);
      return { changed: await markRead(runtime, clock, unread, signal) };
    },
    'messages.update': ({ messageId, ...change }) => {
      if (Object.keys(change).length > 0) return runtime.marks.update(messageId, change);
      const expected = 'one of pinned, note, tags, read';
      throw new Refusal(
        'INVALID_PARAMS',
        { reason: `Nothing to change: expected ${expected}` },
        { expected },
      );
    },
  };
}

/** Parameters as the runtime takes them. Throws Refusal INVALID_PARAMS. */
export function publishRequest(params: Params<'messages.publish'>, codec: Codec): PublishNow {
  const { data: _data, dataBase64: _dataBase64, metadata = {}, ...rest } = params;
  return { ...rest, ...payloadOf(params, codec), metadata };
}

/** Body of a publish: a string unchanged, any other value as JSON; `dataBase64` is bytes. */
function payloadOf(
  params: Params<'messages.publish'>,
  codec: Codec,
): { body: Uint8Array | string; contentType?: string } {
  const { data, dataBase64, contentType } = params;
  const given = contentType === undefined ? {} : { contentType };
  if (dataBase64 !== undefined) {
    if (data !== undefined)
      throw badPayload('dataBase64', 'either data or dataBase64', 'data and dataBase64 are both given');
    const bytes = codec.fromBase64(dataBase64);
    if (bytes === undefined)
      throw badPayload('dataBase64', 'base64', 'dataBase64 must be base64 with padding');
    return { body: bytes, ...given };
  }
  if (data === undefined)
    throw badPayload('data', 'data or dataBase64', 'data is missing: give data or dataBase64');
  if (typeof data === 'string') return { body: data, ...given };
  return { body: jsonOf(data), contentType: contentType ?? 'application/json' };
}

type BulkEntry = Params<'messages.publishBulk'>['entries'][number];

/** The body of the route, made while other work runs. Throws Refusal INVALID_PARAMS. */
async function bulkBody(entries: readonly BulkEntry[]): Promise<string> {
  const texts: string[] = [];
  beginPiece();
  for (const [index, entry] of entries.entries()) {
    const room = nextPiece();
    if (room !== undefined) await room;
    texts.push(entryText(entry, index));
  }
  return `[${texts.join(',')}]`;
}

/** One entry of the body. Its event as text is only checked, so that it keeps every digit. */
function entryText(entry: BulkEntry, index: number): string {
  const { eventText } = entry;
  const field = `entries[${index}].eventText`;
  if (eventText === undefined) {
    if (entry.event instanceof PayloadText) return entryWith(entry, entry.event.text);
    if (entry.event !== undefined) return JSON.stringify(entry);
    const reason = `entries[${index}].event is missing: give event or eventText`;
    throw badPayload(`entries[${index}].event`, 'event or eventText', reason);
  }
  if (entry.event !== undefined)
    throw badPayload(field, 'either event or eventText', `entries[${index}] has event and eventText`);
  if (!isJson(eventText)) throw badPayload(field, 'JSON', `${field} is not JSON`);
  return entryWith(entry, eventText);
}

function entryWith(entry: BulkEntry, event: string): string {
  const { entryId, event: _event, eventText: _eventText, ...rest } = entry;
  return `{"entryId":${JSON.stringify(entryId)},"event":${event},${JSON.stringify(rest).slice(1)}`;
}

function jsonOf(value: unknown): string {
  return value instanceof PayloadText ? value.text : JSON.stringify(value);
}

function badPayload(field: string, expected: string, reason: string): Refusal {
  return new Refusal('INVALID_PARAMS', { reason }, { field, expected });
}
