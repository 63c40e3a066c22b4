/**
 * Makes cases of a test from recorded messages: what to publish, each answer of the app, and the expected
 * end.
 */
import { judgedAnswer } from '../../contract/answerer.ts';
import { isHeaderValue } from '../../contract/header-field.ts';
import { STEPS } from '../../contract/scenario.ts';
import type { StepKind } from '../../contract/scenario.ts';
import type { TSchema } from '../../contract/schema.ts';
import { httpOfGrpc } from '../../contract/status-pairs.ts';
import { isStatusWord } from '../../contract/status-words.ts';
import type { StatusWord } from '../../contract/status-words.ts';
import { isUnfinishedState } from '../../contract/delivery.ts';
import type { DeliveryState } from '../../contract/delivery.ts';
import type { Attempt, MessageRow } from '../../contract/message.ts';
import { answersIn } from '../../contract/rule-answers.ts';
import type { Answer, ResponseRule } from '../../contract/mock-app.ts';
import type { PublishParams } from '../../contract/publish.ts';
import { readBulkAnswer, readGrpcBulkAnswer } from '../answer.ts';
import { textOf } from '../codec.ts';
import type { Codec } from '../codec.ts';
import { isSegment } from '../component.ts';
import { CLOUDEVENT_CONTENT_TYPE, kindOf } from '../content-type.ts';
import { describe, payloadOf } from '../inbound.ts';
import { appIdProblem, pubsubNameProblem } from '../names.ts';
import { SIDECAR_SETTINGS } from '../settings.ts';
import { complaintOf } from '../shape-complaint.ts';
import type { RecordedMessage } from './recorded.ts';

export interface TestCase {
  readonly title: string;
  readonly publish: PublishParams;
  /** Rules of each mock app during the delivery of this message. */
  readonly answers: ReadonlyMap<string, readonly ResponseRule[]>;
  readonly expected: readonly ExpectedDelivery[];
}

export interface ExpectedDelivery {
  readonly appId: string;
  readonly route: string;
  readonly state: DeliveryState;
  readonly attempts: number;
}

export type CaseResult =
  | { readonly ok: true; readonly testCase: TestCase }
  | { readonly ok: false; readonly reason: string };

/**
 * Makes the case of a message.
 * @param states final states to expect instead of the recorded ones, by delivery id
 */
export function testCaseOf(
  recorded: RecordedMessage,
  states: Readonly<Record<string, DeliveryState>>,
  codec: Codec,
): CaseResult {
  const reason = whyNot(recorded);
  if (reason !== undefined) return { ok: false, reason };
  const { row } = recorded.message;
  const answers = new Map<string, ResponseRule[]>();
  for (const { delivery, attempts } of recorded.deliveries) {
    if (attempts.length === 0) continue;
    const rules = answers.get(delivery.appId) ?? [];
    answers.set(delivery.appId, rules);
    rules.push({
      name: `${row.topic} ${delivery.route.path}`.trimEnd(),
      enabled: true,
      // A gRPC app gets its route only if a rule chose one.
      match: { topic: row.topic, ...(delivery.route.path === '' ? {} : { route: delivery.route.path }) },
      per: 'message',
      answer: { kind: 'sequence', steps: attempts.map(answerOf), then: 'repeat-last' },
    });
  }
  const expected = recorded.deliveries.map(({ delivery, attempts }) => ({
    appId: delivery.appId,
    route: delivery.route.path,
    state: states[delivery.deliveryId] ?? delivery.state,
    attempts: attempts.length,
  }));
  const testCase: TestCase = {
    title: titleOf(recorded, expected),
    publish: publishOf(recorded, codec),
    answers,
    expected,
  };
  const unwritable = whyUnwritable(testCase);
  return unwritable === undefined ? { ok: true, testCase } : { ok: false, reason: unwritable };
}

/** Title of a case for the reader of the file: the message, and how it ends. */
export function titleOf(
  { message: { row } }: RecordedMessage,
  expected: readonly ExpectedDelivery[],
): string {
  const ends = expected.length === 0 ? 'nobody subscribed' : expected.map(({ state }) => state).join(', ');
  return `${row.topic} ${row.eventId ?? row.messageId}: ${ends}`;
}

/**
 * Why a scenario file cannot hold the case: a recording can hold anything, but a file has bounds. undefined:
 * it can.
 */
function whyUnwritable({ publish, answers, expected }: TestCase): string | undefined {
  const deliveries = expected.map(({ appId, ...more }) => ({ app: appId, ...more }));
  const steps = [
    complaintAbout('publish', { publish }),
    complaintAbout('expect', { expect: '', deliveries }),
    ...[...answers].map(([appId, rules]) => complaintAbout('mock', { mock: { appId, rules } })),
  ];
  const complaint = steps.find((each) => each !== undefined);
  if (complaint !== undefined) return complaint.reason;
  const { pubsubname, topic } = publish;
  if (!isSegment(pubsubname)) return `no component file can have the name ${JSON.stringify(pubsubname)}`;
  const key = 'delivery.retryByTopic';
  const setting = SIDECAR_SETTINGS[key].check.read({ [`${pubsubname}/${topic}`]: {} });
  if (!setting.ok) return `topic cannot stand in ${key}: ${setting.complaint.expected}`;
  const odd = [...answers.values()].flat().flatMap(responsesOf).find(isUnanswerable);
  return (
    odd && `no mock app can answer ${odd.status} with ${JSON.stringify(odd.headers ?? {}).slice(0, 200)}`
  );
}

/** Complaint about a step that a scenario file cannot have; undefined: it can have the step. */
export function complaintAbout(kind: StepKind, step: object): ReturnType<typeof complaintOf> {
  const shape: TSchema = STEPS[kind];
  return complaintOf(shape, step);
}

type Respond = Extract<Answer, { readonly kind: 'respond' }>;

function responsesOf({ answer }: ResponseRule): readonly Respond[] {
  return answersIn(answer).flatMap((each) => (each.kind === 'respond' ? [each] : []));
}

/** Whether the mock app would refuse an answer in a rule. */
function isUnanswerable({ status, headers = {} }: Respond): boolean {
  return status < 200 || Object.values(headers).some((value) => !isHeaderValue(value));
}

/** End of a reason: the other sidecar may have given the message up, or may send it again at any time. */
const SIDECAR_SILENT = ', and its sidecar has not sent it again';

/** Why a test cannot reproduce the message; undefined: it can. */
function whyNot({ message, deliveries }: RecordedMessage): string | undefined {
  const { row } = message;
  if (row.source === 'binding') return 'it came in through a binding, not by a publish';
  const badName = namesProblem({ message, deliveries });
  if (badName !== undefined) return badName;
  if (row.stage !== undefined) return `it is ${row.stage}, before any delivery`;
  for (const { delivery, transitions, attempts } of deliveries) {
    if (isUnfinishedState(delivery.state))
      return `a delivery of it is ${delivery.state}${row.tap === undefined ? '' : SIDECAR_SILENT}`;
    if (transitions.some(({ cause }) => cause === 'user')) return 'a person changed, released or retried it';
    if (transitions.some(({ cause }) => cause === 'ttl')) return 'its time to live ended';
    if (transitions.some(({ rule }) => rule.startsWith('hold.'))) return 'a hold caught it';
    if (transitions.some(({ rule }) => rule === 'tap.lost'))
      return 'its sidecar ended a call of it without the answer';
    if (delivery.attemptCount !== attempts.length) return 'not all of its attempts are kept';
    if (delivery.changedWire !== undefined) return 'it was changed on its way';
  }
  return undefined;
}

/** Problem with names that become arguments of a program and names of components; undefined: none. */
export function namesProblem({
  message,
  deliveries,
}: {
  readonly message: { readonly row: Pick<MessageRow, 'pubsubname' | 'appId'> };
  readonly deliveries: readonly { readonly delivery: { readonly appId: string } }[];
}): string | undefined {
  const pubsub = pubsubNameProblem(message.row.pubsubname);
  if (pubsub !== undefined) return `pubsubname ${pubsub}`;
  for (const appId of [message.row.appId, ...deliveries.map(({ delivery }) => delivery.appId)]) {
    const problem = appIdProblem(appId);
    if (problem !== undefined) return `appId ${problem}`;
  }
  return undefined;
}

/** A recorded message as a publish: its original input, as far as the record shows it. */
export function publishOf({ message }: RecordedMessage, codec: Codec): PublishParams {
  const { row, wire, metadata, givenContentType } = message;
  const { pubsubname, topic, appId, contentType } = row;
  const to = {
    pubsubname,
    topic,
    appId,
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  };
  const { envelope, data } = describe(wire, row.raw, codec);
  if (row.raw) {
    const payload =
      typeof wire === 'string' || codec.isUtf8(wire)
        ? { data: textOf(wire, codec) }
        : { dataBase64: codec.toBase64(wire) };
    return { ...to, ...payload, ...(givenContentType === '' ? {} : { contentType: givenContentType }) };
  }
  const payload = payloadOf(wire, row.raw, codec);
  const isGiven = kindOf(givenContentType) === 'cloudevent';
  // An event without data cannot be published as data.
  if (envelope !== undefined && (isGiven || payload.kind === 'none')) {
    const asEvent = isGiven ? givenContentType : CLOUDEVENT_CONTENT_TYPE;
    return { ...to, data: asWritten(textOf(wire, codec), envelope), contentType: asEvent };
  }
  if (payload.kind === 'bytes') return { ...to, dataBase64: payload.base64, contentType };
  // A string is sent unchanged, so a payload that is a JSON string has to be written as JSON.
  if (typeof data === 'string' && kindOf(contentType) !== 'json') return { ...to, data, contentType };
  const given = payload.kind === 'none' ? data : asWritten(payload.text, data);
  return { ...to, data: given, contentType };
}

/** The value, or its text if the value would be written with other digits. A text is sent unchanged. */
function asWritten(text: string, value: unknown): unknown {
  return typeof value !== 'string' && JSON.stringify(value) === text ? value : text;
}

/** The answer of the mock app that leads to the recorded outcome. */
function answerOf(attempt: Attempt): Answer {
  const { protocol, bulk } = attempt;
  const { response } = judgedAnswer(attempt);
  if (response === undefined) return { kind: 'reset' };
  const { body } = response;
  const status = protocol === 'grpc' ? httpOfGrpc(response.status) : response.status;
  if (bulk !== undefined) {
    const word = wordFor({ protocol, response }, bulk.entryId);
    if (word !== undefined) return { kind: 'respond-bulk', status, statuses: { '*': word } };
  }
  const contentType = response.headers['content-type'];
  return {
    kind: 'respond',
    status,
    ...(contentType === undefined ? {} : { headers: { 'content-type': contentType } }),
    ...(body === '' ? {} : { body }),
  };
}

/**
 * The word for one entry, as the verdict reads it; null: the answer gives it none. Undefined: the answer has no
 * statuses, or another word.
 */
function wordFor(
  { protocol, response: { status, body } }: BatchAnswer,
  entryId: string,
): StatusWord | null | undefined {
  const statuses =
    protocol === 'grpc' ? readGrpcBulkAnswer(status, body).statuses : httpStatuses(status, body);
  if (statuses === undefined || statuses.size === 0) return undefined;
  const word = statuses.get(entryId) ?? null;
  return word === null || isStatusWord(word) ? word : undefined;
}

function httpStatuses(status: number, body: string): ReadonlyMap<string, string | undefined> | undefined {
  const answer = readBulkAnswer(status, body);
  return answer.kind === 'response' && answer.payload.kind === 'statuses'
    ? answer.payload.statuses
    : undefined;
}

interface BatchAnswer {
  readonly protocol: Attempt['protocol'];
  readonly response: NonNullable<Attempt['response']>;
}
