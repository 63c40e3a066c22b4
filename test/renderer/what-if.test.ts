/** "What if…" asks about every row of the table that applies, and each row of the table is led to. */
import { describe, expect, test } from 'vitest';
import { explainVerdict } from '../../core/domain/explain-verdict.ts';
import type { RuleId } from '../../core/contract/delivery.ts';
import type { Delivery } from '../../core/contract/message.ts';
import type { SubscriptionRow } from '../../core/contract/subscription.ts';
import { leadsTo, protocolOf, questionsFor, sentenceOf } from '../../renderer/components/detail/what-if.ts';
import { attemptWith, transitionBy, wholeDelivery } from './samples.ts';

test('a single delivery has the eight rows of the interface', () => {
  const led = questionsFor(undefined).map(({ status, body }) =>
    explainVerdict({ kind: 'single', status, body }),
  );
  expect(led.map(({ rule, state }) => `${rule} ${state}`)).toEqual([
    'single.2xx.success processed',
    'single.2xx.retry retrying',
    'single.2xx.drop dropped',
    'single.2xx.other retrying',
    'single.2xx.empty processed',
    'single.2xx.invalid processed',
    'single.404 dropped',
    'single.other retrying',
  ]);
});

test('an entry of a batch has its own rows and those of the whole answer', () => {
  const batch = { entryId: 'e-1', batchSize: 3 };
  const told = questionsFor(batch).map((question) => ({
    question,
    verdict: explainVerdict({
      kind: 'bulk',
      status: question.status,
      body: question.body,
      entryId: batch.entryId,
    }),
  }));
  expect(told.map(({ verdict: { rule, state } }) => `${rule} ${state}`)).toEqual([
    'bulk.2xx.success processed',
    'bulk.2xx.retry retrying',
    'bulk.2xx.drop dropped',
    'bulk.2xx.other retrying',
    'bulk.2xx.missing retrying',
    'bulk.2xx.missing retrying',
    'bulk.404 dropped',
    'bulk.other retrying',
  ]);
  expect(told.map((each) => sentenceOf(each, batch, leadsTo(each, undefined)))[3]).toBe(
    'For entry e-1 the app answered "MAYBE", which is not SUCCESS, RETRY or DROP: to be retried. An error was logged.',
  );
});

describe('an answer that asks for a retry', () => {
  const QUESTION = { id: '503', title: '503', status: 503, body: '', protocol: 'http' } as const;
  const told = { question: QUESTION, verdict: explainVerdict({ kind: 'single', status: 503, body: '' }) };
  const [first, second] = [attemptWith({ number: 1 }), attemptWith({ attemptId: 'att_2', number: 2 })];
  const delivery = wholeDelivery({ attempts: [first, second], maxAttempts: 2 });
  const [own] = [
    {
      appId: 'app',
      ...delivery.subscription,
      deadLetterTopic: 'orders-dead',
      rules: [],
      rawPayload: false,
      metadata: {},
      state: 'active',
      counts: { total: 0, byState: {} },
    },
  ] as unknown as SubscriptionRow[];
  const subscriptions = own === undefined ? [] : [own];

  test('leads to the next attempt while one is left', () => {
    expect(leadsTo(told, { delivery, attempt: first, subscriptions })).toEqual({ state: 'retrying' });
  });

  test('a retry answer to the last allowed attempt leads to the dead-letter topic, or parks without one', () => {
    const lead = leadsTo(told, { delivery, attempt: second, subscriptions });
    expect(lead).toEqual({ state: 'dead-lettered', usedUp: { rule: 'policy.dead-letter', attempt: 2 } });
    expect(leadsTo(told, { delivery, attempt: second, subscriptions: [] }).state).toBe('parked');
    expect(sentenceOf(told, undefined, lead)).toBe(
      'The app answered 503; attempt 2 was the last one allowed. A warning was logged.',
    );
  });

  test('the dead-letter topic is that of the delivery, which a recording has and the subscriptions of another session lack', () => {
    const to = (settings: Delivery['subscription']['settings'], rows: readonly SubscriptionRow[]): string => {
      const subscription = { ...delivery.subscription, ...(settings === undefined ? {} : { settings }) };
      return leadsTo(told, { delivery: { ...delivery, subscription }, attempt: second, subscriptions: rows })
        .state;
    };
    expect(to({ deadLetterTopic: 'orders-dead' }, [])).toBe('dead-lettered');
    expect(to({}, subscriptions)).toBe('parked');
    expect(to(undefined, subscriptions)).toBe('dead-lettered');
  });

  test('is judged as the next attempt after those that were made', () => {
    const asked = { delivery: { ...delivery, attempts: [first] }, attempt: undefined, subscriptions: [] };
    expect(leadsTo(told, asked).state).toBe('parked');
    expect(leadsTo(told, { ...asked, delivery: { ...delivery, maxAttempts: 0 } }).state).toBe('retrying');
  });

  test('the next attempt is judged by the policy that applies now', () => {
    const policy = { maxAttempts: 2, firstDelayMs: 100, factor: 1, maxDelayMs: 100, from: 'here' } as const;
    const asked = { attempt: undefined, subscriptions: [] };
    const allowed = (last: number | undefined): Delivery =>
      wholeDelivery({
        attempts: [first],
        maxAttempts: 10,
        policy: last === undefined ? policy : { ...policy, lastAttempt: last },
      });
    expect(leadsTo(told, { ...asked, delivery: allowed(2) }).state).toBe('parked');
    expect(leadsTo(told, { ...asked, delivery: allowed(3) }).state).toBe('retrying');
    expect(leadsTo(told, { ...asked, delivery: allowed(undefined) }).state).toBe('retrying');
  });

  test('for a status that the policy does not retry leads where the machine would lead', () => {
    const policy = {
      maxAttempts: 10,
      lastAttempt: 10,
      statuses: [{ from: 500, to: 502 }],
      firstDelayMs: 100,
      factor: 1,
      maxDelayMs: 100,
      from: 'resiliency',
    } as const;
    const asked = {
      delivery: wholeDelivery({ attempts: [first], maxAttempts: 10, policy }),
      attempt: undefined,
      subscriptions: [],
    };
    const lead = leadsTo(told, asked);
    expect(lead.state).toBe('parked');
    expect(sentenceOf(told, undefined, lead)).toBe(
      'The app answered 503, which the retry policy does not try again. A warning was logged.',
    );
    const other = { ...QUESTION, status: 500 };
    expect(leadsTo({ ...told, question: other }, asked).state).toBe('retrying');
  });

  type State = Parameters<typeof transitionBy>[1];

  /** Transitions by rule, state before and state after. */
  function history(...rules: readonly [RuleId, State, State][]): Delivery['transitions'] {
    return rules.map(([rule, from, to], sequence) => transitionBy(rule, to, { from, sequence }));
  }

  test('to the last attempt of an earlier round ends that round, though a person has opened another one', () => {
    const third = attemptWith({ attemptId: 'att_3', number: 3 });
    const transitions = history(
      ['policy.attempt', 'queued', 'attempting'],
      ['single.other', 'attempting', 'retrying'],
      ['policy.retry', 'retrying', 'attempting'],
      ['single.404', 'attempting', 'dropped'],
      ['user.retry', 'dropped', 'queued'],
      ['policy.retry', 'queued', 'attempting'],
      ['single.2xx.success', 'attempting', 'processed'],
    );
    const reopened = { ...delivery, attempts: [first, second, third], transitions, maxAttempts: 4 };
    const state = (attempt: typeof first): string =>
      leadsTo(told, { delivery: reopened, attempt, subscriptions: [] }).state;
    expect([first, second, third].map(state)).toEqual(['retrying', 'parked', 'retrying']);
  });

  test('to an attempt that another one followed leads there, though the policy allows fewer by now', () => {
    const transitions = history(
      ['policy.attempt', 'queued', 'attempting'],
      ['single.other', 'attempting', 'retrying'],
      ['policy.retry', 'retrying', 'attempting'],
    );
    const lowered = { ...delivery, transitions, maxAttempts: 1 };
    expect(leadsTo(told, { delivery: lowered, attempt: first, subscriptions: [] }).state).toBe('retrying');
  });

  test('keeps the outcome of an attempt that ended the delivery, also after a person opened it again', () => {
    const transitions = history(
      ['policy.attempt', 'queued', 'attempting'],
      ['single.other', 'attempting', 'retrying'],
      ['policy.exhausted', 'retrying', 'parked'],
      ['user.retry', 'parked', 'queued'],
    );
    const reopened = { ...delivery, attempts: [first], transitions, maxAttempts: 11 };
    expect(leadsTo(told, { delivery: reopened, attempt: first, subscriptions }).state).toBe('parked');
  });
});

describe('over gRPC', () => {
  test('has every row that an answer to a single delivery can lead to', () => {
    const led = questionsFor(undefined, 'grpc').map(({ status, body, protocol }) =>
      explainVerdict({ kind: 'single', protocol, status, body }),
    );
    expect(led.map(({ rule, state }) => `${rule} ${state}`)).toEqual([
      'grpc.success processed',
      'grpc.retry retrying',
      'grpc.drop dropped',
      'grpc.unknown-status retrying',
      'grpc.success processed',
      'grpc.unimplemented dropped',
      'grpc.error retrying',
    ]);
  });

  test('has the code in the sentence of an entry of a batch', () => {
    const batch = { entryId: 'e-1', batchSize: 3 };
    const told = questionsFor(batch, 'grpc').map((question) => {
      const { status, body, protocol } = question;
      return {
        question,
        verdict: explainVerdict({ kind: 'bulk', protocol, status, body, entryId: batch.entryId }),
      };
    });
    expect(told.map(({ verdict: { rule, state } }) => `${rule} ${state}`)).toEqual([
      'grpc.bulk.success processed',
      'grpc.bulk.retry retrying',
      'grpc.bulk.drop dropped',
      'grpc.bulk.unknown-status retrying',
      'grpc.bulk.missing retrying',
      'grpc.bulk.unimplemented dropped',
      'grpc.bulk.error retrying',
    ]);
    const last = told.at(-1);
    if (last === undefined) throw new Error('no question was asked');
    expect(sentenceOf(last, batch, leadsTo(last, undefined))).toBe(
      'The app answered UNAVAILABLE to the batch of 3 entries: to be retried. A warning was logged.',
    );
  });

  test('has the last allowed attempt in the words of gRPC', () => {
    const question = { id: 'x', title: 'x', status: 14, body: '', protocol: 'grpc' } as const;
    const told = { question, verdict: explainVerdict({ kind: 'single', protocol: 'grpc', status: 14 }) };
    expect(
      sentenceOf(told, undefined, { state: 'parked', usedUp: { rule: 'policy.exhausted', attempt: 3 } }),
    ).toBe('The app answered UNAVAILABLE; attempt 3 was the last one allowed. A warning was logged.');
  });

  test('is used for a stream before its first attempt', () => {
    const { subscription } = wholeDelivery({});
    expect(
      protocolOf(wholeDelivery({ attempts: [], subscription: { ...subscription, source: 'streaming' } })),
    ).toBe('grpc');
    expect(protocolOf(wholeDelivery({ attempts: [] }))).toBe('http');
  });
});
