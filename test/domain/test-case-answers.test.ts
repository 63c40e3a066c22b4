/** A test that is made of recorded messages gives each entry of a batch the word that the verdict read. */
import { expect, test } from 'vitest';
import { bufferCodec } from '../../core/adapters/buffer-codec.ts';
import type { RecordedMessage } from '../../core/domain/recording/recorded.ts';
import { testCaseOf } from '../../core/domain/recording/test-cases.ts';
import { messageRow } from '../adapters/journal-records.ts';

/** A message that went to an app in a batch, as its entry `e1`. */
function recorded(
  body: string,
  given: { readonly status?: number; readonly protocol?: 'grpc' } = {},
): RecordedMessage {
  const { status = 200, ...protocol } = given;
  const wire = JSON.stringify({ data: 1, datacontenttype: 'application/json', id: 'e1', specversion: '1.0' });
  const message = { row: messageRow(1), wire, metadata: {}, givenContentType: 'application/json' };
  const attempt = { ...protocol, bulk: { entryId: 'e1' }, response: { status, headers: {}, body } };
  const delivery = {
    appId: 'app',
    deliveryId: 'd1',
    state: 'processed',
    attemptCount: 1,
    route: { path: '/orders' },
  };
  return {
    message,
    deliveries: [{ delivery, attempts: [attempt], transitions: [] }],
  } as unknown as RecordedMessage;
}

/** The only answer of the mock app in the test of this message. */
function answerIn(message: RecordedMessage): unknown {
  const made = testCaseOf(message, {}, bufferCodec);
  if (!made.ok) throw new Error(made.reason);
  const answer = made.testCase.answers.get('app')?.[0]?.answer;
  return answer?.kind === 'sequence' ? answer.steps[0] : answer;
}

const word = (status: string | null): object => ({
  kind: 'respond-bulk',
  status: 200,
  statuses: { '*': status },
});

test.each([
  ['in the usual spelling', '{"statuses":[{"entryId":"e1","status":"RETRY"}]}', 'RETRY'],
  ['in another letter case', '{"Statuses":[{"ENTRYID":"e1","Status":"DROP"}]}', 'DROP'],
  [
    'twice, so that its last status counts',
    '{"statuses":[{"entryId":"e1","status":"DROP"},{"entryId":"e1","status":"SUCCESS"}]}',
    'SUCCESS',
  ],
  ['without a status', '{"statuses":[{"entryId":"e1"}]}', null],
  ['not at all', '{"statuses":[{"entryId":"e2","status":"SUCCESS"}]}', null],
])('an answer over HTTP names the entry %s', (_how, body, status) => {
  expect(answerIn(recorded(body))).toEqual(word(status));
});

test.each([
  ['with a status', '{"statuses":[{"entry_id":"e1","status":"RETRY"}]}', 'RETRY'],
  ['without a status, which is SUCCESS', '{"statuses":[{"entry_id":"e1"}]}', 'SUCCESS'],
  ['with the number of a status', '{"statuses":[{"entry_id":"e1","status":2}]}', 'DROP'],
])('an answer over gRPC names the entry %s', (_how, body, status) => {
  expect(answerIn(recorded(body, { status: 0, protocol: 'grpc' }))).toEqual(word(status));
});

test.each([
  ['another word', '{"statuses":[{"entryId":"e1","status":"WAT"}]}', 200],
  ['no statuses', '{"error":"down"}', 503],
  ['no JSON', 'down', 503],
])('an answer with %s is given as it was', (_what, body, status) => {
  expect(answerIn(recorded(body, { status }))).toEqual({ kind: 'respond', status, body });
});
