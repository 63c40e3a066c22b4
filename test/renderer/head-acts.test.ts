/** Which acts stand in the head of a message: each can really be done in its state, and no state has two loud ones. */
import { expect, test } from 'vitest';
import { DELIVERY_ACTS } from '../../core/contract/acts.ts';
import type { LastAnswer } from '../../core/contract/message.ts';
import { DELIVERY_STATES, type DeliveryState } from '../../core/contract/delivery.ts';
import { STAGES } from '../../core/contract/words.ts';
import { whyNot } from '../../renderer/format/act-targets.ts';
import { answerTone, answerWords } from '../../renderer/format/answer-tone.ts';
import { policyText } from '../../renderer/components/detail/AttemptsTab.tsx';
import { mayGetIt } from '../../renderer/components/detail/HeadActs.tsx';
import { headActs, type HeadAct } from '../../renderer/format/head-acts.ts';
import { deliveryIn, rowNamed } from './samples.ts';

const actsOf = (...of: Parameters<typeof headActs>): readonly HeadAct[] => {
  const { first, second } = headActs(...of);
  return first === undefined ? [second] : [first, second];
};

test.each(DELIVERY_STATES)('each act of a delivery in the state %s is offered once', (state) => {
  const row = rowNamed('m1', { deliveries: [deliveryIn(state)] });
  const acts = actsOf(state, undefined, false);
  expect(new Set(acts).size).toBe(acts.length);
  for (const act of DELIVERY_ACTS.filter((each) => acts.includes(each)))
    expect(whyNot(act, { row })).toBeUndefined();
});

test.each(DELIVERY_STATES)(
  'for %s observed by a tap, no act is prominent that only its sidecar can do',
  (state) => {
    const row = rowNamed('m1', { tap: 'shop', deliveries: [deliveryIn(state)] });
    const { first, second } = headActs(state, undefined, false, true);
    for (const act of DELIVERY_ACTS.filter((each) => [first, second].includes(each)))
      expect(whyNot(act, { row })).toBeUndefined();
    expect(first).toBe(state === 'held' ? 'release' : 'editReplay');
  },
);

test.each(DELIVERY_STATES)(
  'with an old route, a delivery that is %s is rerouted rather than retried',
  (state) => {
    const { first, second } = headActs(state, undefined, false, false, true);
    const usual = headActs(state, undefined, false);
    const isOver = state === 'dropped' || state === 'parked';
    expect([first, second]).toEqual(isOver ? ['reroute', 'retry'] : [usual.first, usual.second]);
  },
);

test('the act that the state asks for is prominent; without one, none is', () => {
  const first = (...of: Parameters<typeof headActs>): HeadAct | undefined => headActs(...of).first;
  expect(first('parked', undefined, false)).toBe('retry');
  expect(first('held', undefined, false)).toBe('release');
  expect(first('processed', undefined, false)).toBe('editReplay');
  expect(first('attempting', undefined, false)).toBeUndefined();
  expect(first('attempting', undefined, true)).toBe('release');
  expect(first(undefined, undefined, false)).toBe('subscribe');
  for (const stage of STAGES) expect(headActs(undefined, stage, false).second).not.toBe('subscribe');
});

test.each<[LastAnswer | undefined, string | undefined, string]>([
  [undefined, undefined, ''],
  [{ status: 200, word: 'SUCCESS' }, 'good', '200 SUCCESS'],
  [{ status: 204 }, 'good', '204'],
  [{ status: 200, word: 'RETRY' }, 'retry', '200 RETRY'],
  [{ status: 200, word: 'WAT' }, 'retry', '200 WAT'],
  [{ status: 200, word: 'DROP' }, 'drop', '200 DROP'],
  [{ status: 404 }, 'fault', '404 Not Found'],
  [{ status: 503 }, 'fault', '503 Service Unavailable'],
  [{ error: 'refused' }, 'fault', 'no answer'],
  [{ protocol: 'grpc', status: 0, statusText: 'OK', word: 'RETRY' }, 'retry', 'OK RETRY'],
  [{ protocol: 'grpc', status: 14, statusText: 'UNAVAILABLE' }, 'fault', 'UNAVAILABLE'],
])('an answer is coloured and worded: %o', (answer, tone, words) => {
  expect([answerTone(answer), answerWords(answer)]).toEqual([tone, words]);
});

test.each<[DeliveryState, string]>([
  ['processed', 'good'],
  ['retrying', 'retry'],
  ['parked', 'retry'],
  ['dead-lettered', 'retry'],
])('an answer that leaves out its entry of a batch has the colour of what it led to: %s', (state, tone) => {
  expect(answerTone({ status: 200 }, state)).toBe(tone);
  expect(answerTone({ status: 200, word: 'SUCCESS' }, state)).toBe('good');
});

test('a retry policy is shown with its waits and its origin', () => {
  const growing = {
    maxAttempts: 10,
    firstDelayMs: 100,
    factor: 1.5,
    maxDelayMs: 5000,
    from: 'default',
  } as const;
  expect(policyText(growing)).toBe(
    'Retry policy now: 10 attempts, first wait 100 ms, each wait 1.5 times the one before, at most 5 s. From the defaults.',
  );
  expect(policyText({ ...growing, maxAttempts: 0, factor: 1, from: 'resiliency' })).toBe(
    'Retry policy now: no limit of attempts, 100 ms between them. From a resiliency file.',
  );
  expect(policyText({ ...growing, maxAttempts: 1, from: 'topic' })).toBe(
    'Retry policy now: 1 attempt. From the setting "Retry policy per topic".',
  );
  const ranges = [
    { from: 429, to: 429 },
    { from: 500, to: 599 },
  ];
  expect(policyText({ ...growing, factor: 1, from: 'resiliency', statuses: ranges })).toBe(
    'Retry policy now: 10 attempts, 100 ms between them; only HTTP statuses 429, 500-599 are retried. From a resiliency file.',
  );
});

test('the mock app is offered only where deliveries of its app go to it, and no broker is to give the message to others', () => {
  const row = rowNamed('m');
  const apps = [
    { appId: 'app', mock: false },
    { appId: 'mail', mock: true },
  ];
  expect(mayGetIt('mail', row, apps)).toBe(true);
  expect(mayGetIt('app', row, apps)).toBe(false);
  expect(mayGetIt('mail', rowNamed('m', { expectedBy: ['mail'] }), apps)).toBe(false);
  expect(mayGetIt('mail', rowNamed('m', { source: 'binding' }), apps)).toBe(false);
});
