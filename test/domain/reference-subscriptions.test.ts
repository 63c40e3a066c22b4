// Hints about subscriptions, component settings and events: each applies where it should and nowhere else.
import { describe, expect, test } from 'vitest';
import { REFERENCE_HINT_IDS } from '../../core/contract/words.ts';
import type { ReferenceHintId } from '../../core/contract/reference-hint.ts';
import { REFERENCE_HINTS, hintText } from '../../core/domain/reference-hints.ts';
import { eventHints, lossHints, subscriptionHints } from '../../core/domain/reference-subscriptions.ts';
import type { SubscriptionFacts } from '../../core/domain/reference-subscriptions.ts';

const PLAIN: SubscriptionFacts['subscription'] = {
  appId: 'app',
  pubsubname: 'pubsub',
  topic: 'orders',
  source: 'programmatic',
  rules: [],
  defaultPath: '/orders',
  metadata: {},
  rawPayload: false,
};
const BULK = { maxMessagesCount: 100, maxAwaitDurationMs: 1000 };
const TWO_PATHS = { rules: [{ match: 'event.type == "a"', path: '/a' }], defaultPath: '/b' };

function facts(
  subscription: Partial<SubscriptionFacts['subscription']> = {},
  more: Partial<Omit<SubscriptionFacts, 'subscription'>> = {},
): SubscriptionFacts {
  const type = 'pubsub.in-memory';
  return {
    subscription: { ...PLAIN, ...subscription },
    component: { name: 'pubsub', type, settings: {} },
    attempts: 10,
    hasPolicy: false,
    takesDeadLettersOf: [],
    ...more,
  };
}

function redis(settings: Readonly<Record<string, string>> = {}): Pick<SubscriptionFacts, 'component'> {
  return { component: { name: 'shop', type: 'pubsub.redis', settings } };
}

const DEAD = { deadLetterTopic: 'dead' };
const OTHER = { name: 'other', type: 'pubsub.jetstream', settings: {} };

/** Cases with the expected hint ids and where each was found. */
const CASES: readonly (readonly [what: string, given: SubscriptionFacts, hints: readonly string[]])[] = [
  ['nothing in particular', facts(), []],
  ['no component', facts({}, { component: undefined }), []],
  [
    'quoted rawPayload',
    facts({ metadata: { rawPayload: '"true"' }, rawPayload: true }),
    ['raw-payload-quoted rawPayload: "true"'],
  ],
  ['plain rawPayload', facts({ metadata: { rawPayload: 'true' }, rawPayload: true }), []],
  [
    'rawPayload that is not read here either',
    facts({ metadata: { rawPayload: '"yes"' }, rawPayload: null }),
    [],
  ],
  ['dead letter', facts(DEAD), ['dead-letter-at-once dead-letter topic dead, 10 attempts here']],
  [
    'dead letter, attempts without a limit',
    facts(DEAD, { attempts: 0 }),
    ['dead-letter-at-once dead-letter topic dead, attempts without end here'],
  ],
  ['dead letter, one attempt', facts(DEAD, { attempts: 1 }), []],
  ['dead letter, a policy', facts(DEAD, { hasPolicy: true }), []],
  [
    'batches with two paths and a dead letter',
    facts({ ...DEAD, ...TWO_PATHS, bulk: BULK }, { attempts: 1, component: OTHER }),
    ['batch-drop-split dead-letter topic dead, paths /a, /b'],
  ],
  [
    'batches with a dead letter and a policy',
    facts({ ...DEAD, bulk: BULK }, { hasPolicy: true, component: OTHER }),
    ['batch-drop-split dead-letter topic dead, retries of a Resiliency policy'],
  ],
  [
    'batches with two paths, a dead letter and a policy',
    facts({ ...DEAD, ...TWO_PATHS, bulk: BULK }, { hasPolicy: true, component: OTHER }),
    ['batch-drop-split dead-letter topic dead, paths /a, /b, retries of a Resiliency policy'],
  ],
  [
    'batches with two paths and a dead letter in memory, where each has one entry',
    facts({ ...DEAD, ...TWO_PATHS, bulk: BULK }, { hasPolicy: true }),
    [],
  ],
  [
    'batches with one path and a policy without retries',
    facts({ ...DEAD, bulk: BULK }, { hasPolicy: true, attempts: 1, component: OTHER }),
    [],
  ],
  ['batches with one path', facts({ ...DEAD, bulk: BULK }, { attempts: 1, component: OTHER }), []],
  ['batches with a policy, no dead letter', facts({ bulk: BULK }, { hasPolicy: true, component: OTHER }), []],
  ['batches with two paths, no dead letter', facts({ ...TWO_PATHS, bulk: BULK }, { component: OTHER }), []],
  ['two paths, no batches', facts({ ...DEAD, ...TWO_PATHS }, { hasPolicy: true, component: OTHER }), []],
  [
    'the dead letters of another',
    facts({}, { takesDeadLettersOf: ['orders', 'payments'] }),
    ['expired-dead-letter dead-letter topic of orders, payments'],
  ],
  ['the dead letters of another, raw', facts({ rawPayload: true }, { takesDeadLettersOf: ['orders'] }), []],
  ['Redis', facts({}, redis()), ['redis-redelivery there after 60s to 75s']],
  ['Redis with a dead letter', facts(DEAD, { ...redis(), attempts: 1 }), []],
  [
    'Redis with times in ms',
    facts({}, redis({ processingTimeout: '5000', redeliverInterval: '2000' })),
    ['redis-redelivery there after 5s to 7s'],
  ],
  [
    'Redis with times with units',
    facts({}, redis({ ProcessingTimeout: '5s', redeliverInterval: '30s' })),
    ['redis-redelivery there after 5s to 20s', 'redis-redeliver-interval redeliverInterval: 30s'],
  ],
  [
    'Redis with the interval that stays anyway',
    facts({}, redis({ redeliverInterval: '15s' })),
    ['redis-redelivery there after 60s to 75s'],
  ],
  [
    'Redis that never looks again',
    facts({}, redis({ processingTimeout: '0' })),
    ['redis-redelivery there never again: processingTimeout or redeliverInterval is 0'],
  ],
  [
    'Redis with large batches',
    facts({ ...DEAD, bulk: BULK }, { ...redis(), attempts: 1 }),
    ['redis-batch-size maxMessagesCount 100, concurrency 10'],
  ],
  [
    'Redis with room for the batch',
    facts({ ...DEAD, bulk: BULK }, { ...redis({ concurrency: '100' }), attempts: 1 }),
    [],
  ],
  [
    'Redis that hands over nothing',
    facts({ ...DEAD, bulk: BULK }, { ...redis({ concurrency: '0' }), attempts: 1 }),
    ['redis-batch-size maxMessagesCount 100, concurrency 0'],
  ],
  [
    'Redis settings on another type',
    facts(
      { bulk: BULK },
      { component: { name: 'x', type: 'pubsub.jetstream', settings: { redeliverInterval: '30s' } } },
    ),
    [],
  ],
];

describe('subscriptions', () => {
  test.each(CASES)('hints of a subscription: %s', (_, given, hints) => {
    expect(subscriptionHints(given).map(({ id, found }) => `${id} ${found}`)).toEqual(hints);
  });

  test('a hint about a setting names the component', () => {
    const hints = subscriptionHints(facts(DEAD, { ...redis({ redeliverInterval: '30s' }), attempts: 1 }));
    expect(hints).toMatchObject([{ id: 'redis-redeliver-interval', component: 'shop' }]);
  });
});

test('hints about messages that the newer release drops', () => {
  const ids = (given: Parameters<typeof facts>[0], more: Parameters<typeof facts>[1] = {}): unknown =>
    lossHints(facts(given, more)).map(({ id }) => id);
  expect(ids({})).toEqual(['lost-after-one-attempt']);
  expect(ids({}, { attempts: 1 })).toEqual([]);
  expect(ids({}, { hasPolicy: true })).toEqual([]);
  expect(ids(DEAD)).toEqual([]);
  const rules = [{ match: 'event.type == "a"', path: '/a' }];
  const bulk = { maxMessagesCount: 2, maxAwaitDurationMs: 50 };
  const { defaultPath: _withoutDefault, ...subscription } = facts({ ...DEAD, bulk, rules }).subscription;
  expect(lossHints({ ...facts(), subscription }).map(({ id }) => id)).toEqual(['batch-also-to-root']);
});

describe('events', () => {
  test.each([
    ['a number', { traceid: 5 }, ['traceid: 5']],
    ['an object', { traceid: {} }, ['traceid: {}']],
    ['text', { traceid: 'abc' }, []],
    ['null', { traceid: null }, []],
    ['none', { type: 'a' }, []],
    ['a number beside a text as traceparent', { traceid: 5, traceparent: 'x' }, []],
    ['a number beside no traceparent', { traceid: 5, traceparent: null }, ['traceid: 5']],
    ['text beside a number as traceparent', { traceid: 'abc', traceparent: 5 }, ['traceparent: 5']],
    ['none beside a number as traceparent', { traceparent: 5 }, []],
    ['no object', 'traceid: 5', []],
  ])('hints of an event with %s as traceid', (_, event, found) => {
    expect(eventHints(event).map((hint) => hint.found)).toEqual(found);
    expect(eventHints(event).every(({ id }) => id === 'trace-not-text')).toBe(true);
  });
});

test('what a hint found is shortened, however long it is', () => {
  const long = 'x'.repeat(100_000);
  const all = [
    ...eventHints({ traceid: [long] }),
    ...subscriptionHints(facts({ metadata: { rawPayload: `"${long}"` }, rawPayload: true })),
    ...subscriptionHints(facts({ deadLetterTopic: long })),
    ...subscriptionHints(
      facts({}, { takesDeadLettersOf: Array.from({ length: 10 }, (_, n) => `${n}${long}`) }),
    ),
  ];
  expect(all).toHaveLength(4);
  for (const { found } of all) expect(found.length).toBeLessThan(600);
});

test('every hint that is about a subscription or an event has a case above', () => {
  const told = new Set(CASES.flatMap(([, , hints]) => hints.map((hint) => hint.split(' ')[0] ?? '')));
  const elsewhere: readonly ReferenceHintId[] = [
    'trace-not-text',
    'lost-after-one-attempt',
    'batch-also-to-root',
    ...REFERENCE_HINT_IDS.filter((id) => id.startsWith('rule-')),
  ];
  expect([...told, ...elsewhere].toSorted()).toEqual(REFERENCE_HINT_IDS.toSorted());
});

test('a line for the log says what, where, and what happens there and here', () => {
  const [hint] = subscriptionHints(facts(DEAD));
  const { reference, here } = REFERENCE_HINTS['dead-letter-at-once'];
  expect(hint && hintText(hint, '1.13')).toBe(
    `differs on the reference 1.13: Dead letter after the first failure (dead-letter topic dead, 10 attempts here). Here: ${here} On the reference: ${reference} See docs/reference-differences.md#dead-letter-at-once.`,
  );
});
