/** Each sentence of "why" is said of some message: one that nobody could read would only pretend that the case is known. */
import { describe, expect, test } from 'vitest';
import type {
  Attempt,
  Delivery,
  DeliveryTurn,
  MessageDetail,
  Transition,
} from '../../core/contract/message.ts';
import { TURN_REASONS } from '../../core/contract/message.ts';
import { Calls, sameEventText, timesPublished } from '../../renderer/components/detail/Calls.tsx';
import { WhyLine } from '../../renderer/components/detail/WhyLine.tsx';
import { WAITING } from '../../renderer/copy/waiting.ts';
import { CALLS, TURN, WHY } from '../../renderer/copy/why.ts';
import { turnText } from '../../renderer/format/turn.ts';
import { itemsOf, linesOf } from '../../renderer/views/messages/WaitingForYou.tsx';
import { drawn, known, wordsOf } from './drawn.tsx';
import { attemptWith, transitionBy, wholeDelivery, wholeMessage } from './samples.ts';

/** The sentences of a table, with those of the tables in it. */
function sentencesIn(table: object): readonly string[] {
  return Object.values(table).flatMap((each: unknown) => {
    if (typeof each === 'object' && each !== null) return sentencesIn(each);
    return typeof each === 'string' && /[.:]$/.test(each) ? [each] : [];
  });
}

/** Whether one of the texts is filled from this one. */
function isSaidIn(said: readonly string[], sentence: string): boolean {
  const filled = sentence
    .replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`)
    .replaceAll(/\{\w+:([^{}]*?)\\\|([^{}]*?)\}/g, '(?:$1|$2)')
    .replaceAll('{here}', '.*')
    .replaceAll(/\{\w+\}/g, '.+');
  const within = new RegExp(filled);
  return said.some((text) => within.test(text));
}

const SUBSCRIPTION = {
  appId: 'app',
  pubsubname: 'pubsub',
  topic: 'orders',
  source: 'programmatic',
  state: 'active',
};
const HOLD = { holdId: 'hold_1', name: 'the orders', filter: '' };

interface Known {
  readonly items?: readonly object[];
  readonly discovery?: readonly object[];
  readonly components?: readonly object[];
  readonly files?: readonly object[];
  readonly apps?: readonly object[];
  readonly isRecording?: boolean;
}

/** What the head says of a message, with the titles of its words. */
function told(
  change: Partial<MessageDetail>,
  { items = [], discovery = [], components = [], files = [], apps = [], isRecording = false }: Known = {},
  delivery?: Delivery,
): string {
  const message = { ...wholeMessage(), topic: 'orders', pubsubname: 'pubsub', deliveries: [], ...change };
  const html = drawn(<WhyLine message={message} delivery={delivery} />, {
    holds: { list: known({ items: [HOLD] }) },
    topology: {
      subscriptions: known({ items, nextCursor: null, discovery, problems: [] }),
      components: known({ items: components, files }),
      apps: known({ items: apps }),
    },
    ...(isRecording && { readOnly: 'a recording' }),
  });
  return `${wordsOf(html)} ${html}`.replaceAll('&quot;', '"');
}

const WAITS = { appId: 'app', state: 'waiting', url: 'http://127.0.0.1:9/subscribe', count: 0 };
const FAILED = { ...WAITS, state: 'failed', error: 'it answered 500' };
const UNUSED = {
  document: 1,
  line: 4,
  used: false,
  reason: 'No app is in its scopes.',
  of: SUBSCRIPTION,
  kind: 'Subscription',
};
const MISSING = { path: wholeDelivery().route.path, answer: '404', times: 1 };
const OLD_ROUTE = {
  code: 'old-route',
  deliveries: { appId: 'app', pubsubname: 'pubsub', topic: 'orders', path: MISSING.path },
  pathsNow: 'at /elsewhere',
};
const accepted = transitionBy('policy.accepted', 'queued', { from: null, sequence: 0 });
const QUEUED = wholeDelivery({ state: 'queued', attempts: [], transitions: [accepted] });

const OF_MESSAGES = [
  told({}, { items: [SUBSCRIPTION], components: [{ name: 'pubsub', type: 'pubsub.in-memory' }] }),
  told({}, { items: [SUBSCRIPTION], components: [{ name: 'pubsub', type: 'pubsub.redis' }] }),
  told({}),
  told(
    {},
    {
      items: [
        { ...SUBSCRIPTION, topic: 'Orders' },
        { ...SUBSCRIPTION, pubsubname: 'other' },
      ],
    },
  ),
  told({}, { discovery: [WAITS] }),
  told({}, { discovery: [FAILED] }),
  told({}, { files: [{ file: 'subs.yaml', documents: [UNUSED], problems: [] }] }),
  told({}, { items: [{ ...SUBSCRIPTION, state: 'forbidden', reason: 'Not allowed.' }] }),
  told({}, { isRecording: true }),
  told({ deadLetterOf: { messageId: 'm', deliveryId: 'd', topic: 'paid' } }),
  told({ expectedBy: ['shop'] }),
  told({ expectedBy: ['shop'] }, { isRecording: true }),
  told({ tap: 'shop' }),
  told({ stage: 'refused' }),
  told({ stage: 'held', heldBy: 'hold_1' }),
  told({ stage: 'held' }),
  told({ stage: 'dropped' }),
  told({ stage: 'expired' }),
  told({ stage: 'held', heldBy: 'hold_1' }, { isRecording: true }),
  told({ stage: 'dropped' }, { isRecording: true }),
  told({ stage: 'waiting', waitingFor: ['app'] }, { isRecording: true }),
  told({ stage: 'waiting' }, { isRecording: true }),
  told({}, { isRecording: true }, retriedNow()),
  told({}, { isRecording: true }, answerHeldBy('hold_1')),
  told({ stage: 'waiting', waitingFor: ['app'] }, { discovery: [WAITS] }),
  told({ stage: 'waiting', waitingFor: ['app'], expiresAt: '2026-03-01T10:00:00.000Z' }),
  told({ stage: 'waiting', publishAgain: { reason: 'No server', nextTryAt: '2026-03-01T10:00:00.000Z' } }),
  told({}, {}, QUEUED),
  told({}, { isRecording: true }, QUEUED),
  told({}, { apps: [{ appId: 'app', problems: [] }] }, retriedNow()),
  told({}, {}, answerHeldBy('hold_1')),
  told({}, {}, answerHeldBy('hold_2')),
  told({}, { apps: [{ appId: 'app', problems: [OLD_ROUTE] }] }, QUEUED),
  told({}, { items: [{ ...SUBSCRIPTION, rules: [], missingRoutes: [MISSING] }] }, droppedThere()),
  told({}, {}, { ...retriedNow(), heldAt: 'response', heldBy: HOLD.holdId }),
  told({}, {}, { ...retriedNow(), heldAt: 'response', heldBy: 'hold_2' }),
];

/** A delivery whose answer this hold keeps back. */
function answerHeldBy(heldBy: string): Delivery {
  return wholeDelivery({ state: 'attempting', heldAt: 'response', heldBy, transitions: [accepted] });
}

/** A delivery that was dropped at the route which its app does not serve. */
function droppedThere(): Delivery {
  return wholeDelivery({
    state: 'dropped',
    transitions: [accepted, transitionBy('single.404', 'dropped', { from: 'attempting', sequence: 1 })],
  });
}

/** A delivery whose second attempt is under way. */
function retriedNow(): Delivery {
  return wholeDelivery({
    state: 'attempting',
    transitions: [
      accepted,
      transitionBy('policy.attempt', 'attempting', { from: 'queued', sequence: 1 }),
      transitionBy('single.other', 'retrying', { sequence: 2 }),
      transitionBy('policy.retry', 'attempting', { from: 'retrying', sequence: 3 }),
    ],
  });
}

/** How one call ended: with this status, with 200 to a batch that leaves the entry out, without an answer, refused, or cut by a restart. */
type End = number | 'left out' | 'no answer' | 'refused' | 'restart' | 'retried by hand';

/** A delivery with these calls, one second apart. */
function called(...ends: readonly End[]): Delivery {
  const at = (ms: number): string => new Date(Date.UTC(2026, 2, 1) + ms).toISOString();
  const attempts: Attempt[] = [];
  const transitions: Transition[] = [{ ...accepted, at: at(0) }];
  const put = (...[rule, to, from]: [Transition['rule'], Transition['to'], Transition['from']]): void => {
    const sequence = transitions.length;
    const cause = rule.startsWith('user.') ? 'user' : 'app';
    transitions.push(transitionBy(rule, to, { from, sequence, cause, at: at(sequence * 1000) }));
  };
  for (const end of ends) {
    if (end === 'retried by hand') {
      put('user.retry', 'queued', 'retrying');
      continue;
    }
    const before = transitions.at(-1)?.to ?? 'queued';
    put(attempts.length === 0 ? 'policy.attempt' : 'policy.retry', 'attempting', before);
    if (end === 'restart') {
      put('restart.requeued', 'queued', 'attempting');
      continue;
    }
    const number = attempts.length + 1;
    const { response: _none, ...bare } = attemptWith({
      attemptId: `att_${number}`,
      number,
      startedAt: at((transitions.length - 1) * 1000),
    });
    const status = end === 'left out' ? 200 : end;
    if (typeof status === 'number') attempts.push({ ...bare, response: { status, headers: {}, body: '' } });
    else
      attempts.push({
        ...bare,
        error: { code: end === 'refused' ? 'refused' : 'reset', message: String(end) },
      });
    const rule = end === 'left out' ? 'bulk.2xx.missing' : 'single.other';
    put(typeof status === 'number' ? rule : 'policy.no-answer', 'retrying', 'attempting');
  }
  return wholeDelivery({ attempts, transitions });
}

function callsIn(delivery: Delivery, change: Partial<MessageDetail> = {}, more: object = {}): string {
  const { eventId: _none, ...bare } = wholeMessage();
  const message = { ...bare, deliveries: [delivery], ...change };
  return wordsOf(
    drawn(<Calls message={message} delivery={delivery} />, {
      holds: { list: known({ items: [] }) },
      ...more,
    }),
  );
}

/** A delivery whose second call is running. */
function runningAgain(): Delivery {
  const { attempts, transitions } = called(503);
  const began = transitionBy('policy.retry', 'attempting', {
    from: 'retrying',
    sequence: transitions.length,
  });
  return wholeDelivery({ state: 'attempting', attempts, transitions: [...transitions, began] });
}

const OF_CALLS = [
  callsIn(wholeDelivery({ attempts: [], state: 'queued' })),
  callsIn(wholeDelivery({ attempts: [], state: 'dropped' })),
  callsIn(wholeDelivery({ attempts: [], transitions: [], state: 'queued' }), {}, { readOnly: 'a recording' }),
  callsIn(runningAgain(), {}, { readOnly: 'a recording' }),
  callsIn(called(200)),
  callsIn(called(200), { broker: {} }),
  callsIn(called(503, 500)),
  callsIn(called(503, 503, 503, 503, 200)),
  callsIn(called('no answer', 200)),
  callsIn(called('no answer', 'no answer', 'no answer', 'no answer')),
  callsIn(called('no answer')),
  callsIn(called('no answer', 'refused')),
  callsIn(called('refused')),
  callsIn(called('refused', 'refused')),
  callsIn(called('refused', 503)),
  callsIn(called('restart')),
  callsIn(called('restart', 200)),
  callsIn(called(503, 'retried by hand', 200)),
  callsIn(called('no answer', 'retried by hand', 200)),
  callsIn(called('left out', 200)),
  callsIn(called('left out', 'left out', 'left out', 'left out')),
  callsIn(called('left out', 'retried by hand', 200)),
  callsIn(called(...Array.from({ length: 25 }, (_, index) => (index % 2 === 0 ? 503 : 500)))),
  callsIn(called(200), { deliveries: [called(200), called(200)] }),
  sameEventText('event-1', { published: 2, replayed: 0, replayedAt: undefined, isAll: true }),
  sameEventText('event-1', { published: 2, replayed: 0, replayedAt: undefined, isAll: false }),
  sameEventText('event-1', {
    published: 1,
    replayed: 2,
    replayedAt: '2026-03-01T10:00:00.000Z',
    isAll: true,
  }),
];

const turnOf = (turn: DeliveryTurn): string =>
  turnText({
    appId: 'app',
    subscription: { pubsubname: 'pubsub', topic: 'orders', source: 'programmatic' },
    turn,
  }) ?? '';
const OF_TURNS = [
  ...TURN_REASONS.map((reason) =>
    turnOf({ reason, ahead: 0, now: 2, most: 2, latestAt: '2026-03-01T10:00:00.000Z' }),
  ),
  turnOf({ reason: 'turn', ahead: 3 }),
  turnOf({ reason: 'app-calls', ahead: 0, now: 2, most: 2, own: true }),
];

const counts = { queued: 0, held: 0, attempting: 0, retrying: 0, processed: 0, dropped: 0 };
const OF_WAITING = [
  ...itemsOf({
    runtime: {
      rates: { in: 0, out: 0 },
      counts: { ...counts, expired: 1, 'dead-lettered': 1, parked: 1 },
      kept: 0,
      limit: 100,
      health: [],
      holds: 1,
      waiting: 1,
      forApp: 1,
    },
    problems: 1,
    routes: 1,
  }).map(({ text }) => text),
  ...(['parkedBy', 'deadLetteredBy', 'endedBy'] as const).flatMap((kind) =>
    linesOf(kind).map(({ text }) => text),
  ),
];

/** Texts of the list that are no lines of it. */
const AROUND_THE_LIST: readonly string[] = [
  WAITING.nothing,
  WAITING.counts,
  WAITING.countsSame,
  WAITING.countsBoth,
  WAITING.heldBy,
];

describe('each sentence is said of some message', () => {
  test.each(sentencesIn(WHY))('without a delivery, or before its first call: %s', (sentence) => {
    expect(isSaidIn(OF_MESSAGES, sentence)).toBe(true);
  });
  test.each(sentencesIn(CALLS))('how often the app got it: %s', (sentence) => {
    expect(isSaidIn(OF_CALLS, sentence)).toBe(true);
  });
  test.each(sentencesIn(TURN))('what a delivery waits for: %s', (sentence) => {
    expect(isSaidIn(OF_TURNS, sentence)).toBe(true);
  });
  test.each(sentencesIn(WAITING).filter((each) => !AROUND_THE_LIST.includes(each)))(
    'what waits for a person: %s',
    (sentence) => {
      expect(OF_WAITING).toContain(sentence);
    },
  );
});

test('the copy on a dead-letter topic, and an id that only begins alike, are no further publish of the event', () => {
  const copy = { messageId: 'msg_1', deliveryId: 'dlv_1', topic: 'orders' };
  const at = '2026-03-01T10:00:00.000Z';
  const found = [
    { eventId: 'event-1', at },
    { eventId: 'event-1', deadLetterOf: copy, at },
    { eventId: 'event-10', at },
    { eventId: 'event-1', at },
  ];
  expect(timesPublished(found, 'event-1')).toEqual({ published: 2, replayed: 0, replayedAt: undefined });
});

test('a replay is no further publish of the event', () => {
  const replayedAt = '2026-03-01T10:00:05.000Z';
  const found = [
    { eventId: 'event-1', at: '2026-03-01T10:00:00.000Z' },
    { eventId: 'event-1', replayOf: 'msg_1', at: replayedAt },
  ];
  const times = timesPublished(found, 'event-1');
  expect(times).toEqual({ published: 1, replayed: 1, replayedAt });
  expect(sameEventText('event-1', { ...times, isAll: true })).toMatch(
    /^The event id event-1 was published once and replayed once at .+; each is a message of its own\.$/,
  );
});

test('canary: a sentence that nothing says is found', () => {
  expect(isSaidIn(OF_CALLS, 'The app got it {n} {n:time|times} by post.')).toBe(false);
});
