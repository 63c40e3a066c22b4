/** Number of times that an app got a message: repeated calls for the same reason are listed together. */
import { describe, expect, test } from 'vitest';
import type { Attempt, Delivery, Transition } from '../../core/contract/message.ts';
import { callsAgain, callsOf, judgedText, callsText, callsThen } from '../../renderer/format/calls.ts';
import { attemptWith, transitionBy, wholeDelivery } from './samples.ts';

/** A delivery whose attempts were answered with these, one second apart. */
function answered(...statuses: readonly number[]): Delivery {
  const at = (index: number, ms: number): string =>
    new Date(Date.UTC(2026, 2, 1) + index * 1000 + ms).toISOString();
  const attempts: Attempt[] = statuses.map((status, index) =>
    attemptWith({
      attemptId: `att_${index}`,
      number: index + 1,
      startedAt: at(index, 0),
      response: { status, headers: {}, body: '' },
    }),
  );
  const transitions: Transition[] = statuses.flatMap((status, index) => [
    transitionBy(index === 0 ? 'policy.attempt' : 'policy.retry', 'attempting', {
      from: index === 0 ? 'queued' : 'retrying',
      at: at(index, 0),
      sequence: index * 2,
      cause: 'policy',
    }),
    status === 200
      ? transitionBy('single.2xx.success', 'processed', { at: at(index, 20), sequence: index * 2 + 1 })
      : transitionBy('single.other', 'retrying', { at: at(index, 20), sequence: index * 2 + 1 }),
  ]);
  return wholeDelivery({ attempts, transitions });
}

const told = (delivery: Delivery): readonly string[] =>
  callsAgain(delivery, callsOf(delivery).slice(1)).map(
    ({ from, to, after, because }) =>
      `${from}-${to} after ${after?.number} ${after?.response?.status} ${because?.rule}`,
  );

test('two equal answers in a row are listed one by one, and three together', () => {
  expect(told(answered(503, 503, 200))).toEqual([
    '2-2 after 1 503 single.other',
    '3-3 after 2 503 single.other',
  ]);
  expect(told(answered(503, 503, 503, 200))).toEqual(['2-4 after 1 503 single.other']);
});

test('a different answer begins a row of its own', () => {
  expect(told(answered(503, 503, 503, 500, 500, 503, 200))).toEqual([
    '2-4 after 1 503 single.other',
    '5-5 after 4 500 single.other',
    '6-6 after 5 500 single.other',
    '7-7 after 6 503 single.other',
  ]);
});

test('acts of a person are never listed together with answers', () => {
  const delivery = answered(503, 503, 503, 503, 200);
  const [first, ...rest] = delivery.transitions;
  if (first === undefined) throw new Error('a delivery without transitions');
  const byHand = rest.map((each, index) =>
    index === 2
      ? transitionBy('user.retry', 'queued', { from: 'retrying', cause: 'user', at: each.at })
      : each,
  );
  const calls = callsOf({ transitions: [first, ...byHand] });
  expect(callsAgain({ ...delivery, transitions: [first, ...byHand] }, calls.slice(1))).not.toHaveLength(1);
});

test('after a retry by hand the answer before it is listed too', () => {
  const delivery = answered(503, 200);
  const [first, failed, ...rest] = delivery.transitions;
  if (first === undefined || failed === undefined) throw new Error('a delivery without transitions');
  const retried = transitionBy('user.retry', 'queued', { from: 'parked', cause: 'user', sequence: 1.5 });
  const transitions = [first, failed, retried, ...rest];
  const again = callsAgain({ ...delivery, transitions }, callsOf({ transitions }).slice(1));
  expect(again.map(({ because, before }) => [because?.rule, before?.response?.status])).toEqual([
    ['user.retry', 503],
  ]);
});

test('a call that a restart cut has the number of the attempt that follows it, and may not have reached the app', () => {
  const delivery = answered(503, 200);
  const [began, ...rest] = delivery.transitions;
  if (began === undefined) throw new Error('a delivery without transitions');
  const cut = transitionBy('restart.requeued', 'queued', { cause: 'restart', sequence: 0.5 });
  const transitions = [{ ...began, sequence: 0.2 }, cut, { ...began, from: 'queued' as const }, ...rest];
  expect(callsOf({ transitions }).map(({ n, because }) => [n, because?.rule])).toEqual([
    [1, undefined],
    [1, 'restart.requeued'],
    [2, 'single.other'],
  ]);
  expect(callsText({ ...delivery, transitions })).toBe(
    'The app got it 2 times. A call was cut off before its answer, so the app may have got it once more:',
  );
});

test('a call that was cut off while its answer was held has reached the app', () => {
  const delivery = answered(200);
  const [began, ...rest] = delivery.transitions;
  if (began === undefined) throw new Error('a delivery without transitions');
  const note = 'Sidelight was stopped while a hold kept the answer back.';
  const cut = transitionBy('restart.requeued', 'queued', { cause: 'restart', sequence: 0.5, note });
  const transitions = [{ ...began, sequence: 0.2 }, cut, { ...began, from: 'queued' as const }, ...rest];
  expect(callsText({ ...delivery, transitions })).toBe('The app got it 2 times:');
});

test('a call that a person cancelled is listed as their act, and not as unanswered', () => {
  const delivery = answered(503, 200);
  const [began, failed, ...rest] = delivery.transitions;
  if (began === undefined || failed === undefined) throw new Error('a delivery without transitions');
  const cut = { ...failed, rule: 'user.cancel' as const, cause: 'user' as const };
  const transitions = [began, cut, ...rest];
  const [again] = callsAgain({ ...delivery, transitions }, callsOf({ transitions }).slice(1));
  expect([again?.because?.rule, again?.after, again?.before]).toEqual(['user.cancel', undefined, undefined]);
});

test('the deciding answer is shown with its word, also if a person gave it', () => {
  const answer = (status: number) => ({ status, headers: {}, body: '' });
  expect(judgedText(attemptWith({ response: answer(200), word: 'RETRY' }))).toBe('200 RETRY');
  const instead = { response: answer(503) };
  expect(judgedText(attemptWith({ response: answer(200), instead }))).toBe('503');
  const { response: _none, ...unanswered } = attemptWith();
  expect(judgedText(unanswered)).toBeUndefined();
});

describe('how often the app got it, in words', () => {
  const refused = { code: 'refused', message: 'connect ECONNREFUSED 127.0.0.1:9' } as const;
  const after = (...statuses: readonly number[]): Delivery => {
    const delivery = answered(...statuses);
    const attempts = delivery.attempts.map((attempt) => {
      if (attempt.response?.status !== 0) return attempt;
      const { response: _none, ...rest } = attempt;
      return { ...rest, error: refused };
    });
    return { ...delivery, attempts };
  };

  test('counts each answered call', () => {
    expect(callsText(after(200))).toBe('The app got it once.');
    // Other programs may be in the group of the broker; their deliveries are unknown here.
    const redis = { broker: { id: '1-0', group: 'app', consumer: 'sidelight-1' } };
    expect(callsText(after(200), redis)).toBe('The app got it from this Sidelight once.');
    expect(callsText(after(503, 200), redis)).toBe('The app got it from this Sidelight 2 times:');
    expect(callsText(after(503, 200))).toBe('The app got it 2 times:');
  });

  test('does not claim that the app got a call that ended without an answer', () => {
    const silent = { code: 'reset', message: 'read ECONNRESET' } as const;
    const without = (...numbers: readonly number[]): Delivery => {
      const delivery = after(...numbers);
      const attempts = delivery.attempts.map((attempt) => {
        if (attempt.response?.status !== 1) return attempt;
        const { response: _none, ...rest } = attempt;
        return { ...rest, error: silent };
      });
      return { ...delivery, attempts };
    };
    expect(callsText(without(1))).toBe('One call, which got no answer. The app may have got it.');
    expect(callsText(without(1, 1))).toBe('2 calls, none of which got an answer. The app may have got them:');
    expect(callsText(without(1, 0, 0))).toBe('3 calls, 1 of which may have reached the app:');
    expect(callsText(without(1, 0, 200))).toBe(
      '3 calls: 1 reached the app, and 1 without an answer may have reached it:',
    );
    // The mock app had the call of a rule that gives no answer.
    const ruled = { ruleId: 'rul_1' };
    const [attempt] = without(1).attempts;
    if (attempt === undefined) throw new Error('a delivery without an attempt');
    expect(callsText({ ...without(1), attempts: [{ ...attempt, answeredBy: ruled }] })).toBe(
      'The app got it once.',
    );
  });

  test('does not count a call whose address had no listener', () => {
    expect(callsText(after(0))).toBe('One call, which did not reach the app.');
    expect(callsText(after(0, 0, 0))).toBe('3 calls, none of which reached the app:');
    expect(callsText(after(0, 503, 200))).toBe('3 calls, 2 of which reached the app:');
  });

  test('does not count a call that was answered in front of a tapped app', () => {
    const delivery = after(200);
    const attempts = delivery.attempts.map((each) => ({
      ...each,
      tap: 'shop',
      answeredBy: { ruleId: 'by-hand' },
    }));
    expect(callsText({ ...delivery, attempts })).toBe('One call, which did not reach the app.');
  });

  test('does not announce a call of a delivery that ended without one', () => {
    expect(callsText(wholeDelivery({ attempts: [], transitions: [], state: 'queued' }))).toBe(
      'The app has not got it yet.',
    );
    expect(callsText(wholeDelivery({ attempts: [], transitions: [], state: 'expired' }))).toBe(
      'The app never got it.',
    );
  });

  test('does not claim the end of a call that was running when it was recorded', () => {
    const running = wholeDelivery({
      state: 'attempting',
      attempts: [],
      transitions: [transitionBy('policy.attempt', 'attempting', { from: 'queued' })],
    });
    expect(callsThen(running)).toBe(
      'Attempt 1 was running when it was recorded. The recording does not say how it ended.',
    );
    expect(callsThen({ ...running, state: 'queued', transitions: [] })).toBe(
      'The app had not got it when it was recorded.',
    );
    expect(callsThen(after(200))).toBe('The app got it once.');
  });
});
