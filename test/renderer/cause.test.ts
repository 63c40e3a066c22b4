/** The sentence of every rule, filled from what happened. */
import { describe, expect, test } from 'vitest';
import { RULE_IDS, type DeliveryState, type RuleId } from '../../core/contract/delivery.ts';
import type {
  Attempt,
  AttemptErrorCode,
  Delivery,
  MessageDetail,
  Transition,
} from '../../core/contract/message.ts';
import {
  CAUSE_SENTENCES,
  CAUSE_VARIANTS,
  CHANGED_ANSWER,
  KEPT_ANSWER,
  LAST_ANSWER,
  LAST_ATTEMPT_SENTENCES,
  ONLY_ANSWER,
  STEADY_LAST_SENTENCES,
  STEADY_SENTENCES,
  WITHOUT_STATUS,
} from '../../core/contract/cause-sentences.ts';
import { fill } from '../../core/contract/fill.ts';
import { readAnswer } from '../../core/domain/answer.ts';
import { MACHINE } from '../../core/domain/machine.ts';
import { BINDING, BULK, GRPC, GRPC_BULK, judgeSingle, SINGLE } from '../../core/domain/verdict.ts';
import { OUTCOME_TABLES } from '../../renderer/copy/rules.ts';
import { attemptOf, causeSentence, outcomeOf, steadySentence } from '../../renderer/format/cause.ts';
import { attemptWith, transitionBy, wholeDelivery, wholeMessage } from './samples.ts';

interface Story {
  readonly rule: RuleId;
  readonly to: DeliveryState;
  /** Members of the attempt; `response` undefined: there is none. */
  readonly attempt?: Partial<Omit<Attempt, 'response'>> & {
    readonly response?: Attempt['response'] | undefined;
  };
  readonly delivery?: Partial<Delivery>;
  readonly message?: Partial<MessageDetail>;
  readonly transition?: Partial<Transition>;
  /** True: no attempt was left after this one. */
  readonly isLast?: true;
  /** Rule by which the delivery came into this state before it was dropped. */
  readonly before?: RuleId;
  readonly says: string;
  /** The sentence that is the same in equal runs, where it is another one. */
  readonly steady?: string;
}

const status = (code: number, body = '', word?: string): Partial<Attempt> => ({
  response: { status: code, headers: {}, body },
  ...(word === undefined ? {} : { word }),
});
const none = (code: AttemptErrorCode, message: string): NonNullable<Story['attempt']> => ({
  response: undefined,
  error: { code, message },
  durationMs: 60_000,
});
/** An answer that a hold kept back from the end of the call until it was released. */
const keptStory = ({ note, says }: { readonly note: string; readonly says: string }): Story => {
  const released = { sequence: 2, at: '2026-03-01T14:32:09.423Z', note };
  const began = transitionBy('policy.attempt', 'attempting', { from: 'queued', sequence: 1 });
  const transitions = [began, transitionBy('single.2xx.success', 'processed', released)];
  return {
    rule: 'single.2xx.success',
    to: 'processed',
    attempt: status(200),
    delivery: { transitions },
    transition: released,
    says,
  };
};
const inBatch = (body: string, code = 200): Partial<Attempt> => ({
  bulk: { entryId: 'e7', batchSize: 3 },
  response: { status: code, headers: {}, body },
});

const inGrpc = (code: number, statusText: string, word?: string): Partial<Attempt> => ({
  protocol: 'grpc',
  response: { status: code, statusText, headers: {}, body: '' },
  ...(word === undefined ? {} : { word }),
});
const inGrpcBatch = (code: number, statusText: string, word?: string): Partial<Attempt> => ({
  ...inGrpc(code, statusText, word),
  bulk: { entryId: 'e7', batchSize: 3 },
});

const STORIES: readonly Story[] = [
  {
    rule: 'single.2xx.empty',
    to: 'processed',
    attempt: status(204),
    says: 'The app answered 204 without a status: treated as SUCCESS.',
  },
  { rule: 'single.2xx.success', to: 'processed', says: 'The app answered SUCCESS.' },
  { rule: 'single.2xx.retry', to: 'retrying', says: 'The app asked for a retry.' },
  {
    rule: 'single.2xx.drop',
    to: 'dropped',
    attempt: status(200, '{"status":"DROP"}', 'DROP'),
    says: 'The app answered 200 DROP: it asked to drop the message. A warning was logged.',
  },
  {
    rule: 'single.2xx.other',
    to: 'retrying',
    attempt: status(200, '{"Status":"WAT"}', 'WAT'),
    says: '"WAT" is not SUCCESS, RETRY or DROP: treated as an error, to be retried.',
  },
  {
    rule: 'single.2xx.other',
    to: 'retrying',
    attempt: status(200, '{"STATUS":"drop"}', 'drop'),
    says: '"drop" is not SUCCESS, RETRY or DROP: treated as an error, to be retried.',
  },
  {
    // An older history: the attempt does not say which word was read, and the answer is not read again.
    rule: 'single.2xx.other',
    to: 'retrying',
    attempt: status(200, '{"status":"MAYBE"}'),
    says: 'The app answered 200 with a status other than SUCCESS, RETRY and DROP: treated as an error, to be retried.',
  },
  {
    rule: 'single.2xx.invalid',
    to: 'processed',
    attempt: status(200, '{"status":5}'),
    says: "The answer's body could not be read and was ignored: processed.",
  },
  {
    rule: 'single.2xx.invalid',
    to: 'processed',
    attempt: {
      response: { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: '<html>' },
    },
    says: "The answer's body is not JSON (content type text/html) and was ignored: processed.",
  },
  {
    rule: 'single.2xx.invalid',
    to: 'processed',
    attempt: {
      response: { status: 200, headers: {}, body: '<html>'.repeat(20), bodyTruncated: true },
    },
    says: "The answer's body is not JSON and was ignored: processed.",
  },
  {
    // A list whose end was not kept may be JSON.
    rule: 'single.2xx.invalid',
    to: 'processed',
    attempt: { response: { status: 200, headers: {}, body: '[1,', bodyTruncated: true } },
    says: "The answer's body could not be read and was ignored: processed.",
  },
  {
    rule: 'single.2xx.invalid',
    to: 'processed',
    attempt: { response: { status: 200, headers: {}, body: 'thanks', bodyError: 'The body ended.' } },
    says: "The answer's body could not be read and was ignored: processed.",
  },
  { rule: 'single.404', to: 'dropped', says: 'The app answered 404: dropped. An error was logged.' },
  {
    rule: 'single.other',
    to: 'retrying',
    attempt: status(503),
    says: 'The app answered 503: to be retried. A warning was logged.',
  },
  {
    // The app answered 503, and a person put another answer in its place.
    rule: 'single.2xx.drop',
    to: 'dropped',
    attempt: {
      ...status(503, '', 'DROP'),
      instead: { response: { status: 200, headers: {}, body: '{"status":"DROP"}' } },
    },
    says: 'A person answered 200 DROP: it asked to drop the message. A warning was logged.',
  },
  {
    rule: 'bulk.2xx.retry',
    to: 'retrying',
    attempt: inBatch('{"statuses":[{"entryId":"e7","status":"RETRY"}]}'),
    says: 'For entry e7 the app answered RETRY.',
  },
  {
    rule: 'bulk.2xx.missing',
    to: 'retrying',
    attempt: inBatch('{"statuses":[]}'),
    says: 'The answer has no status for entry e7: treated as RETRY. The answer to a batch is an object with "statuses", a list with entryId and status of each entry. A warning was logged.',
  },
  {
    rule: 'bulk.2xx.other',
    to: 'retrying',
    attempt: { ...inBatch('{"Statuses":[{"EntryId":"e7","Status":"LATER"}]}'), word: 'LATER' },
    says: 'For entry e7 the app answered "LATER", which is not SUCCESS, RETRY or DROP: to be retried. An error was logged.',
  },
  {
    rule: 'bulk.2xx.other',
    to: 'retrying',
    attempt: inBatch('{"statuses":[{"entryId":"e7","status":"LATER"}]}'),
    says: 'For entry e7 the app answered a status other than SUCCESS, RETRY and DROP: to be retried. An error was logged.',
  },
  {
    rule: 'bulk.404',
    to: 'dropped',
    attempt: inBatch('', 404),
    says: 'The app answered 404 to the batch of 3 entries: dropped. An error was logged.',
  },
  {
    rule: 'bulk.other',
    to: 'retrying',
    attempt: inBatch('', 500),
    says: 'The app answered 500 to the batch of 3 entries: to be retried. A warning was logged.',
  },
  {
    rule: 'policy.no-answer',
    to: 'retrying',
    attempt: none('refused', 'connection refused'),
    says: 'No answer: connection refused. To be retried.',
    steady: 'No answer (refused). To be retried.',
  },
  {
    // The error is a sentence of its own.
    rule: 'policy.no-answer',
    to: 'retrying',
    attempt: none('refused', 'The answer is not HTTP.'),
    says: 'No answer: The answer is not HTTP. To be retried.',
  },
  {
    // The call could not be made, so its attempt has no error.
    rule: 'policy.no-answer',
    to: 'retrying',
    attempt: { response: undefined },
    transition: { note: 'Sidelight could not make the attempt: no body' },
    says: 'No answer: Sidelight could not make the attempt: no body. To be retried.',
  },
  {
    rule: 'policy.no-answer',
    to: 'retrying',
    attempt: none('timeout', 'timed out'),
    says: 'No answer within 1 min. To be retried.',
  },
  {
    // The limit that was passed, not the time that passed: it was 1 min and some ms.
    rule: 'policy.no-answer',
    to: 'retrying',
    attempt: none('timeout', 'No answer within 700 ms.'),
    says: 'No answer within 700 ms. To be retried.',
  },
  {
    rule: 'policy.no-answer',
    to: 'retrying',
    isLast: true,
    attempt: none('timeout', 'No answer within 700 ms.'),
    says: 'No answer within 700 ms; attempt 1 was the last one allowed.',
    steady: 'No answer (timeout); attempt 1 was the last one allowed.',
  },
  {
    rule: 'policy.exhausted',
    to: 'parked',
    attempt: { number: 3, ...none('timeout', 'No answer within 700 ms.') },
    says: 'All 3 attempts used; the last call got no answer within 700 ms. Parked: retry, replay or drop it.',
  },
  {
    rule: 'policy.exhausted',
    to: 'parked',
    attempt: { number: 10 },
    says: 'All 10 attempts used; the last answer was 503. Parked: retry, replay or drop it.',
  },
  {
    rule: 'policy.exhausted',
    to: 'parked',
    attempt: { number: 10, ...status(200, '{"status":"RETRY"}', 'RETRY') },
    says: 'All 10 attempts used; the last answer was 200 RETRY. Parked: retry, replay or drop it.',
  },
  {
    // The batch answer left the entry out.
    rule: 'policy.exhausted',
    to: 'parked',
    attempt: { number: 10, ...inBatch('{"statuses":[]}') },
    says: 'All 10 attempts used; the last answer was 200 without a status for its entry. Parked: retry, replay or drop it.',
  },
  {
    rule: 'policy.exhausted',
    to: 'parked',
    attempt: {
      number: 10,
      protocol: 'grpc',
      response: { status: 14, statusText: 'UNAVAILABLE', headers: {}, body: '' },
    },
    says: 'All 10 attempts used; the last answer was UNAVAILABLE. Parked: retry, replay or drop it.',
  },
  {
    rule: 'policy.exhausted',
    to: 'parked',
    attempt: { number: 10, ...none('refused', 'The connection was refused.') },
    steady: 'All 10 attempts used; the last call got no answer: refused. Parked: retry, replay or drop it.',
    says: 'All 10 attempts used; the last call got no answer: The connection was refused. Parked: retry, replay or drop it.',
  },
  {
    rule: 'policy.exhausted',
    to: 'parked',
    attempt: { number: 10, response: undefined, error: { code: 'cancelled', message: 'cancelled' } },
    says: 'All 10 attempts used; you cancelled the last call. Parked: retry, replay or drop it.',
  },
  {
    rule: 'policy.dead-letter',
    to: 'dead-lettered',
    attempt: { number: 10 },
    delivery: { deadLetter: { topic: 'orders-dlq', messageId: 'msg_9' } },
    says: 'All 10 attempts used; the last answer was 503. A copy was published to orders-dlq.',
  },
  {
    rule: 'policy.exhausted',
    to: 'parked',
    attempt: { number: 4 },
    delivery: { transitions: [transitionBy('stream.closed', 'queued', { sequence: 1 })] },
    says: 'All 3 attempts used; the last answer was 503. Parked: retry, replay or drop it.',
  },
  {
    rule: 'policy.exhausted',
    to: 'parked',
    says: 'Only one attempt was allowed; the answer was 503. Parked: retry, replay or drop it.',
  },
  {
    rule: 'policy.exhausted',
    to: 'parked',
    attempt: { number: 3 },
    transition: { note: 'The copy for orders-dlq could not be published: no broker' },
    says: 'No attempt is left after attempt 3; the last answer was 503. The copy for orders-dlq could not be published: no broker. Parked: retry, replay or drop it.',
  },
  { rule: 'policy.accepted', to: 'queued', says: 'Accepted for the app.' },
  {
    rule: 'policy.retry',
    to: 'attempting',
    attempt: { number: 2 },
    transition: { at: '2026-03-01T14:32:08.400Z' },
    says: 'Attempt 2 of 10.',
  },
  {
    rule: 'policy.retry',
    to: 'attempting',
    attempt: { number: 2 },
    delivery: { maxAttempts: 0 },
    says: 'Attempt 2.',
  },
  {
    rule: 'ttl.expired',
    to: 'expired',
    message: { metadata: { ttlInSeconds: '3' } },
    transition: { at: '2026-03-01T14:32:11.412Z' },
    says: 'It expired 3 s after publishing (ttlInSeconds = 3).',
  },
  {
    rule: 'hold.matched',
    to: 'held',
    delivery: { heldBy: 'hold_1' },
    says: 'Held by "orders before delivery".',
  },
  {
    rule: 'hold.released',
    to: 'queued',
    transition: { from: 'held', note: 'hold_1', at: '2026-03-01T14:32:10.000Z', sequence: 5 },
    delivery: {
      transitions: [transitionBy('hold.matched', 'held', { at: '2026-03-01T14:32:08.000Z', sequence: 1 })],
    },
    says: 'Released by "orders before delivery" after 2 s.',
  },
  {
    rule: 'single.other',
    to: 'retrying',
    attempt: { ...status(503), tap: 'shop' },
    says: 'The app answered 503: its sidecar decides whether it tries again. A warning was logged.',
  },
  {
    rule: 'single.2xx.other',
    to: 'retrying',
    attempt: { ...status(200, '{"status":"LATER"}', 'LATER'), tap: 'shop' },
    says: '"LATER" is not SUCCESS, RETRY or DROP: treated as an error; its sidecar decides whether it tries again.',
  },
  {
    rule: 'bulk.other',
    to: 'retrying',
    attempt: { ...inBatch('', 500), tap: 'shop' },
    says: 'The app answered 500 to the batch of 3 entries: its sidecar decides whether it tries again. A warning was logged.',
  },
  {
    rule: 'policy.no-answer',
    to: 'retrying',
    attempt: { ...none('refused', 'connection refused'), tap: 'shop' },
    says: 'No answer: connection refused. Its sidecar decides whether it tries again.',
  },
  {
    rule: 'restart.requeued',
    to: 'queued',
    attempt: { number: 4 },
    says: 'Sidelight ended during attempt 4, so the answer is not known. The message is delivered again (at least once).',
  },
  {
    rule: 'restart.requeued',
    to: 'queued',
    attempt: { number: 4 },
    transition: { note: 'App shop was removed during the call.' },
    says: 'App shop was removed during the call. It was attempt 4, whose answer is not known. The message is delivered again (at least once).',
  },
  {
    rule: 'restart.requeued',
    to: 'queued',
    attempt: { number: 4 },
    transition: { note: 'Sidelight ended while a hold kept the answer back.' },
    says: 'Sidelight ended while a hold kept the answer back. The answer to attempt 4 is lost, so the message is delivered again (at least once).',
  },
  {
    // Another hold has it now.
    rule: 'hold.released',
    to: 'queued',
    transition: { from: 'held', at: '2026-03-01T14:32:10.000Z', sequence: 5 },
    delivery: {
      heldBy: 'hold_1',
      transitions: [
        transitionBy('hold.matched', 'held', {
          at: '2026-03-01T14:32:08.000Z',
          sequence: 1,
          note: 'topic:orders',
        }),
      ],
    },
    says: 'Released by "topic:orders" after 2 s.',
    steady: 'Released by its hold.',
  },
  {
    rule: 'single.404.drop',
    to: 'dropped',
    says: 'The app answered 404: dropped, with a copy on the dead-letter topic where there is one. An error was logged.',
    attempt: status(404),
  },
  {
    rule: 'single.other',
    to: 'retrying',
    attempt: { ...status(400), notRetried: true },
    says: 'The app answered 400, which the retry policy does not try again. A warning was logged.',
  },
  {
    rule: 'policy.exhausted',
    to: 'parked',
    attempt: { ...status(400), notRetried: true },
    says: 'The retry policy does not try 400 again. Parked: retry, replay or drop it.',
  },
  {
    rule: 'policy.exhausted',
    to: 'parked',
    attempt: { ...status(400), notRetried: true },
    transition: { note: 'No broker' },
    says: 'The retry policy does not try 400 again. No broker. Parked: retry, replay or drop it.',
  },
  {
    rule: 'policy.dead-letter',
    to: 'dead-lettered',
    attempt: { ...status(400), notRetried: true },
    delivery: { deadLetter: { topic: 'orders-dlq', messageId: 'msg_9' } },
    says: 'The retry policy does not try 400 again. A copy was published to orders-dlq.',
  },
  {
    rule: 'policy.dead-letter',
    to: 'dead-lettered',
    delivery: { deadLetter: { topic: 'orders-dlq', messageId: 'msg_9' } },
    says: 'Only one attempt was allowed; the answer was 503. A copy was published to orders-dlq.',
  },
  {
    rule: 'policy.exhausted',
    to: 'parked',
    attempt: { ...none('reset', 'the connection was reset') },
    says: 'Only one attempt was allowed; the call got no answer: the connection was reset. Parked: retry, replay or drop it.',
  },
  {
    rule: 'policy.exhausted',
    to: 'parked',
    attempt: { response: undefined, error: { code: 'cancelled', message: 'cancelled' } },
    says: 'Only one attempt was allowed; you cancelled the call. Parked: retry, replay or drop it.',
  },
  {
    rule: 'bulk.2xx.success',
    to: 'processed',
    attempt: inBatch(''),
    says: 'For entry e7 the app answered SUCCESS.',
  },
  { rule: 'bulk.2xx.drop', to: 'dropped', attempt: inBatch(''), says: 'For entry e7 the app answered DROP.' },
  { rule: 'grpc.success', to: 'processed', attempt: inGrpc(0, 'OK'), says: 'The app answered SUCCESS.' },
  {
    rule: 'grpc.retry',
    to: 'retrying',
    attempt: inGrpc(0, 'OK', 'RETRY'),
    says: 'The app asked for a retry. A warning was logged.',
  },
  {
    rule: 'grpc.drop',
    to: 'dropped',
    attempt: inGrpc(0, 'OK', 'DROP'),
    says: 'The app asked to drop it. A warning was logged.',
  },
  {
    rule: 'grpc.unknown-status',
    to: 'retrying',
    attempt: inGrpc(0, 'OK', '7'),
    says: 'The app answered status "7", which is not SUCCESS, RETRY or DROP: to be retried. A warning was logged.',
  },
  {
    rule: 'grpc.unimplemented',
    to: 'dropped',
    attempt: inGrpc(12, 'UNIMPLEMENTED'),
    says: 'The app answered UNIMPLEMENTED: it has no handler for this event. Dropped without a copy on a dead-letter topic. A warning was logged.',
  },
  {
    rule: 'grpc.error',
    to: 'retrying',
    attempt: inGrpc(14, 'UNAVAILABLE'),
    says: 'The app answered UNAVAILABLE: to be retried. A warning was logged.',
  },
  {
    rule: 'grpc.bulk.success',
    to: 'processed',
    attempt: inGrpcBatch(0, 'OK'),
    says: 'For entry e7 the app answered SUCCESS.',
  },
  {
    rule: 'grpc.bulk.retry',
    to: 'retrying',
    attempt: inGrpcBatch(0, 'OK', 'RETRY'),
    says: 'For entry e7 the app answered RETRY. A warning was logged.',
  },
  {
    rule: 'grpc.bulk.drop',
    to: 'dropped',
    attempt: inGrpcBatch(0, 'OK', 'DROP'),
    says: 'For entry e7 the app answered DROP. A warning was logged.',
  },
  {
    rule: 'grpc.bulk.unknown-status',
    to: 'retrying',
    attempt: inGrpcBatch(0, 'OK', '7'),
    says: 'For entry e7 the app answered status "7", which is not SUCCESS, RETRY or DROP: to be retried. A warning was logged.',
  },
  {
    rule: 'grpc.bulk.missing',
    to: 'retrying',
    attempt: inGrpcBatch(0, 'OK'),
    says: 'The answer has no status for entry e7: treated as RETRY. A warning was logged.',
  },
  {
    rule: 'grpc.bulk.unimplemented',
    to: 'dropped',
    attempt: inGrpcBatch(12, 'UNIMPLEMENTED'),
    says: 'The app answered UNIMPLEMENTED to the batch of 3 entries: dropped without a copy on a dead-letter topic. A warning was logged.',
  },
  {
    rule: 'grpc.bulk.error',
    to: 'retrying',
    attempt: inGrpcBatch(14, 'UNAVAILABLE'),
    says: 'The app answered UNAVAILABLE to the batch of 3 entries: to be retried. A warning was logged.',
  },
  {
    rule: 'stream.closed',
    to: 'queued',
    says: 'The stream ended before the app answered. The delivery waits for the next stream, and no attempt was used up.',
  },
  {
    rule: 'stream.joined',
    to: 'dropped',
    says: 'This copy ended with its stream. Another copy waits for the next stream of this topic, so the app gets the message once.',
  },
  { rule: 'binding.2xx', to: 'processed', attempt: status(200), says: 'The app accepted the event.' },
  {
    rule: 'binding.refused',
    to: 'dropped',
    attempt: status(500),
    says: 'The app answered 500: the sender got 500 and may send it again as a new message.',
  },
  { rule: 'policy.attempt', to: 'attempting', says: 'First attempt.' },
  {
    rule: 'policy.no-route',
    to: 'dropped',
    says: 'No rule matched and the subscription has no default route.',
  },
  {
    rule: 'policy.route-error',
    to: 'parked',
    transition: { note: 'Rule 2 "event.data.x > 1" could not be evaluated: no such member.' },
    says: 'Rule 2 could not be evaluated: no such member. The message was not sent.',
  },
  {
    rule: 'policy.route-error',
    to: 'dead-lettered',
    transition: {
      note: 'Rule 2 "event.data.x > 1" could not be evaluated: no such member. A copy was published to dead: message msg_1.',
    },
    says: 'Rule 2 could not be evaluated: no such member. The message was not sent. A copy was published to dead.',
  },
  {
    rule: 'policy.route-error',
    to: 'parked',
    transition: {
      note: 'Rule 2 "event.data.x > 1" could not be evaluated: no such member. The copy for dead could not be published: too many.',
    },
    says: 'Rule 2 could not be evaluated: no such member. The message was not sent. The copy for dead could not be published: too many.',
  },
  {
    rule: 'policy.no-route',
    to: 'dead-lettered',
    transition: { note: 'A copy was published to dead: message msg_1.' },
    says: 'No rule matched and the subscription has no default route. A copy was published to dead.',
  },
  {
    rule: 'policy.no-route',
    to: 'parked',
    transition: { note: 'The copy for dead could not be published: too many.' },
    says: 'No rule matched and the subscription has no default route. The copy for dead could not be published: too many.',
  },
  {
    rule: 'single.2xx.drop',
    to: 'dropped',
    attempt: status(200, '{"status":"DROP"}', 'DROP'),
    transition: { note: 'The copy for dead could not be published: too many.' },
    says: 'The app answered 200 DROP: it asked to drop the message. A warning was logged. The copy for dead could not be published: too many.',
  },
  {
    rule: 'policy.unreadable',
    to: 'parked',
    transition: { note: 'its rawPayload value could not be read' },
    says: 'The message cannot be delivered to this subscription: its rawPayload value could not be read.',
  },
  {
    rule: 'policy.unreadable',
    to: 'dead-lettered',
    transition: {
      note: 'its rawPayload value could not be read. A copy was published to dead: message msg_1.',
    },
    says: 'The message cannot be delivered to this subscription: its rawPayload value could not be read. A copy was published to dead.',
  },
  {
    rule: 'policy.no-subscription',
    to: 'queued',
    says: 'Waiting for the app to subscribe to pubsub/orders again. Nothing is sent until then. The delivery keeps its route and settings.',
  },
  {
    // The component, or the event itself, says how long it lives.
    rule: 'ttl.expired',
    to: 'expired',
    transition: { at: '2026-03-01T14:32:11.412Z' },
    says: 'It expired 3 s after publishing.',
    steady: 'It expired before it was processed.',
  },
  {
    rule: 'hold.matched',
    to: 'held',
    transition: { note: 'all deliveries' },
    says: 'Held by "all deliveries".',
    steady: 'Held.',
  },
  {
    rule: 'tap.again',
    to: 'queued',
    says: 'The sidecar sent it again after the delivery had ended.',
  },
  {
    rule: 'tap.lost',
    to: 'retrying',
    says: 'The call ended before the sidecar had an answer. The sidecar decides when it sends the message again.',
  },
  {
    rule: 'tap.dead-letter',
    to: 'dead-lettered',
    delivery: { deadLetter: { topic: 'orders-dlq', messageId: 'msg_9' } },
    says: 'The sidecar gave up and published a copy to orders-dlq, where the tap saw it.',
  },
  {
    rule: 'tap.silent',
    to: 'retrying',
    says: 'The tap has not seen it again for ten minutes, so it counts as finished here.',
  },
  { rule: 'user.release', to: 'queued', says: 'You released it.' },
  { rule: 'user.hold', to: 'held', says: 'You held it.' },
  { rule: 'user.drop', to: 'dropped', says: 'You dropped it.' },
  { rule: 'user.undo-drop', to: 'parked', says: 'You undid the drop.' },
  {
    rule: 'user.undo-drop',
    to: 'parked',
    before: 'policy.no-route',
    says: 'You undid the drop. Before it: No rule matched and the subscription has no default route.',
  },
  {
    rule: 'user.undo-drop',
    to: 'held',
    before: 'hold.matched',
    delivery: { heldBy: 'hold_1' },
    says: 'You undid the drop. Before it: Held by "orders before delivery".',
    steady: 'You undid the drop. Before it: Held.',
  },
  { rule: 'user.dead-letter', to: 'dead-lettered', says: 'You moved it to the dead-letter topic.' },
  {
    rule: 'single.2xx.retry',
    to: 'retrying',
    isLast: true,
    says: 'The app asked for a retry; attempt 1 was the last one allowed.',
  },
  {
    rule: 'single.2xx.other',
    to: 'retrying',
    isLast: true,
    attempt: status(200, '', 'WAT'),
    says: '"WAT" is not SUCCESS, RETRY or DROP, which counts as an error; attempt 1 was the last one allowed.',
  },
  {
    // An older history, as above.
    rule: 'single.2xx.other',
    to: 'retrying',
    isLast: true,
    attempt: status(200),
    says: 'The app answered 200 with a status other than SUCCESS, RETRY and DROP, which counts as an error; attempt 1 was the last one allowed.',
  },
  {
    rule: 'single.other',
    to: 'retrying',
    isLast: true,
    says: 'The app answered 503; attempt 1 was the last one allowed. A warning was logged.',
  },
  {
    rule: 'bulk.2xx.retry',
    to: 'retrying',
    isLast: true,
    attempt: inBatch(''),
    says: 'For entry e7 the app answered RETRY; attempt 1 was the last one allowed.',
  },
  {
    rule: 'bulk.2xx.missing',
    to: 'retrying',
    isLast: true,
    attempt: inBatch(''),
    says: 'The answer has no status for entry e7; attempt 1 was the last one allowed. The answer to a batch is an object with "statuses", a list with entryId and status of each entry. A warning was logged.',
  },
  {
    rule: 'bulk.2xx.other',
    to: 'retrying',
    isLast: true,
    attempt: { ...inBatch(''), word: 'LATER' },
    says: 'For entry e7 the app answered "LATER", which is not SUCCESS, RETRY or DROP; attempt 1 was the last one allowed. An error was logged.',
  },
  {
    rule: 'bulk.2xx.other',
    to: 'retrying',
    isLast: true,
    attempt: inBatch(''),
    says: 'For entry e7 the app answered a status other than SUCCESS, RETRY and DROP; attempt 1 was the last one allowed. An error was logged.',
  },
  {
    rule: 'bulk.other',
    to: 'retrying',
    isLast: true,
    attempt: inBatch('', 500),
    says: 'The app answered 500 to the batch; attempt 1 was the last one allowed. A warning was logged.',
  },
  {
    rule: 'grpc.retry',
    to: 'retrying',
    isLast: true,
    attempt: inGrpc(0, 'OK', 'RETRY'),
    says: 'The app asked for a retry; attempt 1 was the last one allowed. A warning was logged.',
  },
  {
    rule: 'grpc.unknown-status',
    to: 'retrying',
    isLast: true,
    attempt: inGrpc(0, 'OK', '7'),
    says: 'The app answered status "7", which is not SUCCESS, RETRY or DROP; attempt 1 was the last one allowed. A warning was logged.',
  },
  {
    rule: 'grpc.error',
    to: 'retrying',
    isLast: true,
    attempt: inGrpc(14, 'UNAVAILABLE'),
    says: 'The app answered UNAVAILABLE; attempt 1 was the last one allowed. A warning was logged.',
  },
  {
    rule: 'grpc.bulk.retry',
    to: 'retrying',
    isLast: true,
    attempt: inGrpcBatch(0, 'OK', 'RETRY'),
    says: 'For entry e7 the app answered RETRY; attempt 1 was the last one allowed. A warning was logged.',
  },
  {
    rule: 'grpc.bulk.unknown-status',
    to: 'retrying',
    isLast: true,
    attempt: inGrpcBatch(0, 'OK', '7'),
    says: 'For entry e7 the app answered status "7", which is not SUCCESS, RETRY or DROP; attempt 1 was the last one allowed. A warning was logged.',
  },
  {
    rule: 'grpc.bulk.missing',
    to: 'retrying',
    isLast: true,
    attempt: inGrpcBatch(0, 'OK'),
    says: 'The answer has no status for entry e7; attempt 1 was the last one allowed. A warning was logged.',
  },
  {
    rule: 'grpc.bulk.error',
    to: 'retrying',
    isLast: true,
    attempt: inGrpcBatch(14, 'UNAVAILABLE'),
    says: 'The app answered UNAVAILABLE to the batch; attempt 1 was the last one allowed. A warning was logged.',
  },
  {
    rule: 'policy.no-answer',
    to: 'retrying',
    isLast: true,
    attempt: none('refused', 'connection refused'),
    says: 'No answer: connection refused; attempt 1 was the last one allowed.',
    steady: 'No answer (refused); attempt 1 was the last one allowed.',
  },
  {
    rule: 'policy.no-answer',
    to: 'retrying',
    isLast: true,
    attempt: none('timeout', 'timed out'),
    says: 'No answer within 1 min; attempt 1 was the last one allowed.',
    steady: 'No answer (timeout); attempt 1 was the last one allowed.',
  },
  {
    rule: 'user.cancel',
    to: 'retrying',
    isLast: true,
    says: 'You cancelled the call; attempt 1 was the last one allowed.',
  },
  keptStory({
    note: KEPT_ANSWER,
    says: 'The app answered SUCCESS. A hold had kept the answer back for 911 ms.',
  }),
  keptStory({
    note: CHANGED_ANSWER,
    says: "The app answered SUCCESS. You changed the app's answer, which a hold had kept back for 911 ms.",
  }),
  { rule: 'user.retry', to: 'queued', says: 'You retried it.' },
  { rule: 'user.cancel', to: 'retrying', says: 'You cancelled the call. To be retried.' },
  { rule: 'router.any', to: 'queued', says: 'The embedded router decided this (router.any).' },
];

describe('sentences', () => {
  test.each(STORIES)('$rule: $says', (story) => {
    const { response, ...made } = { ...attemptWith(), ...story.attempt };
    const attempts: Attempt[] = [response === undefined ? made : { ...made, response }];
    const transition = transitionBy(story.rule, story.to, story.transition);
    const parked = transitionBy('policy.exhausted', 'parked', { from: 'retrying', sequence: 4 });
    const delivery = wholeDelivery({
      attempts,
      ...story.delivery,
      ...(story.isLast === true && { transitions: [transition, parked] }),
      ...(story.before !== undefined && {
        transitions: [transitionBy(story.before, story.to), transitionBy('user.drop', 'dropped'), transition],
      }),
    });
    const message = wholeMessage({ ...story.message });
    const name = (id: string): string | undefined => (id === 'hold_1' ? 'orders before delivery' : undefined);
    expect(causeSentence(transition, delivery, message, name)).toBe(story.says);
    const steady = steadySentence(transition, delivery, message);
    expect(steady).toBe(story.steady ?? steady);
  });

  test('a batch of one entry is told as one', () => {
    const said = fill(CAUSE_SENTENCES['bulk.404'], { Who: 'The app', n: 1 });
    expect(said).toBe('The app answered 404 to the batch of 1 entry: dropped. An error was logged.');
  });

  /** Matches a text that is filled from this one. */
  const filledFrom = (template: string): string =>
    template
      .replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`)
      .replaceAll(/\{\w+:(\w+)\\\|(\w+)\}/g, '(?:$1|$2)')
      .replaceAll(/\{(?:last|since)\}/g, '.*')
      .replaceAll(/\{\w+\}/g, '.+');
  const isSaid = (template: string, rule: string | undefined, texts: 'says' | 'steady'): boolean => {
    const whole = new RegExp(`^${filledFrom(template)}$`);
    return STORIES.some((story) => (rule ?? story.rule) === story.rule && whole.test(story[texts] ?? ''));
  };

  test.each([
    ...Object.entries(CAUSE_SENTENCES).map(([rule, text]) => [text, rule, 'says'] as const),
    ...Object.entries(LAST_ATTEMPT_SENTENCES).map(([rule, text]) => [text, rule, 'says'] as const),
    ...Object.values(CAUSE_VARIANTS).map((text) => [text, undefined, 'says'] as const),
    ...Object.entries(STEADY_SENTENCES).map(([rule, text]) => [text, rule, 'steady'] as const),
    ...Object.entries(STEADY_LAST_SENTENCES).map(([rule, text]) => [text, rule, 'steady'] as const),
  ])('"%s" is what some delivery of %s is told by', (template, rule, texts) => {
    expect(isSaid(template, rule, texts)).toBe(true);
  });

  test.each([...Object.values(LAST_ANSWER), ...Object.values(ONLY_ANSWER), ` ${WITHOUT_STATUS}`])(
    '"%s" is a part of what some delivery is told by',
    (part) => {
      const within = new RegExp(filledFrom(part));
      expect(STORIES.some(({ says }) => within.test(says))).toBe(true);
    },
  );

  test('every rule is one that an answer or the machine gives, and each retry has a sentence for the last attempt', () => {
    const rows = [...SINGLE, ...BULK, ...GRPC, ...GRPC_BULK, ...BINDING];
    const given = new Set<string>([
      ...rows.map(({ rule }) => rule),
      judgeSingle(readAnswer(404, ''), { notFoundCopies: true }).rule,
      ...MACHINE.map(({ rule }) => rule),
      // The machine takes them from its input.
      ...(['policy.route-error', 'policy.unreadable'] satisfies RuleId[]),
    ]);
    expect(RULE_IDS.filter((rule) => !given.has(rule))).toEqual([]);
    const retried = rows.filter(({ outcome }) => outcome === 'retry').map(({ rule }) => rule);
    expect(Object.keys(LAST_ATTEMPT_SENTENCES).toSorted()).toEqual([...new Set(retried)].toSorted());
  });

  test.each(RULE_IDS)('%s has a sentence without an unfilled place', (rule) => {
    expect(CAUSE_SENTENCES[rule]).not.toBe('');
    const delivery = wholeDelivery({
      attempts: [attemptWith({ bulk: { entryId: 'e', batchSize: 2 } })],
      deadLetter: { topic: 't', messageId: 'm' },
    });
    const transition = transitionBy(rule, 'retrying', { note: 'a note' });
    const sentence = causeSentence(transition, delivery, wholeMessage(), () => 'a hold');
    expect(sentence).not.toMatch(/[{}]/);
    expect(sentence.endsWith('.')).toBe(true);
  });
});

describe('tables of the interface', () => {
  test('every row of the two outcome tables names its rules, and only those are the interface’s', () => {
    const listed = OUTCOME_TABLES.flatMap(({ rows }) => rows.flatMap(({ rules }) => rules));
    const expected = RULE_IDS.filter((rule) => /^(single|bulk)\./.test(rule) && rule !== 'bulk.2xx.other');
    expect([...listed].toSorted()).toEqual([...expected].toSorted());
  });

  test('the tables have eight and four rows', () => {
    expect(OUTCOME_TABLES.map(({ rows }) => rows.length)).toEqual([8, 4]);
  });
});

describe('attempts and transitions', () => {
  const at = (ms: number): string => new Date(Date.parse('2026-03-01T14:32:00.000Z') + ms).toISOString();
  const accepted = transitionBy('policy.accepted', 'queued', { from: null, at: at(0), sequence: 1 });
  const began = (ms: number, sequence: number): Transition =>
    transitionBy('policy.retry', 'attempting', { from: 'retrying', at: at(ms), sequence });
  const ended = (ms: number, sequence: number): Transition =>
    transitionBy('single.other', 'retrying', { at: at(ms), sequence });
  const attemptAt = (attemptId: string, from: number, to: number): Attempt =>
    attemptWith({ attemptId, startedAt: at(from), endedAt: at(to) });

  test('are paired in order, even where rounding puts the end of the call after its transition', () => {
    const [first, second] = [attemptAt('a1', 0, 3), attemptAt('a2', 2, 3)];
    const transitions = [accepted, began(0, 2), ended(2, 3), began(2, 4), ended(2, 5)];
    const delivery = wholeDelivery({ attempts: [first, second], transitions });
    expect(outcomeOf(delivery, first)?.sequence).toBe(3);
    expect(outcomeOf(delivery, second)?.sequence).toBe(5);
    expect(transitions.map((each) => attemptOf(delivery, each)?.attemptId)).toEqual([
      undefined,
      'a1',
      'a1',
      'a2',
      'a2',
    ]);
  });

  test('an attempt that runs has no outcome yet', () => {
    const attempt = attemptAt('a1', 0, 1);
    const delivery = wholeDelivery({ attempts: [attempt], transitions: [accepted, began(0, 2)] });
    expect(outcomeOf(delivery, attempt)).toBeUndefined();
  });

  test('a call that a restart cut may have left no attempt', () => {
    const attempt = attemptAt('a1', 5000, 5010);
    const cut = transitionBy('restart.requeued', 'queued', { at: at(1000), sequence: 3, cause: 'restart' });
    const transitions = [accepted, began(0, 2), cut, began(5000, 4), ended(5010, 5)];
    const delivery = wholeDelivery({ attempts: [attempt], transitions });
    expect(outcomeOf(delivery, attempt)?.sequence).toBe(5);
  });

  test('a later transition shows the last attempt', () => {
    const attempt = attemptAt('a1', 0, 1);
    const parked = transitionBy('policy.exhausted', 'parked', { from: 'retrying', at: at(9), sequence: 9 });
    const delivery = wholeDelivery({
      attempts: [attempt],
      transitions: [accepted, began(0, 2), ended(1, 3), parked],
    });
    expect(attemptOf(delivery, parked)?.attemptId).toBe('a1');
  });
});
