/**
 * Random lives with an app that hangs, few calls at once, batches, restarts and a sick app: each delivery that waits names the one thing
 * that keeps it. What that is comes from the calls that the app has open and from the acts, not from the queue.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Delivery, DeliveryTurn } from '../../core/contract/message.ts';
import { Stand, subscribe } from '../support/runtime-stand.ts';
import type { SeenCall } from '../support/scripted-app.ts';
import { answerOne } from './random-acts.ts';

const TOPICS = ['a', 'b', 'batches'] as const;
type Topic = (typeof TOPICS)[number];

type Act =
  | { readonly type: 'publish'; readonly topic: Topic; readonly isOther: boolean }
  | { readonly type: 'answer'; readonly call: number; readonly answer: 200 | 503 | 'RETRY' }
  | { readonly type: 'pass'; readonly ms: number }
  | { readonly type: 'calls' | 'app-calls'; readonly most: number }
  | { readonly type: 'health'; readonly isWell: boolean }
  | { readonly type: 'drop' | 'hold' | 'release'; readonly message: number }
  | { readonly type: 'ask' | 'restart' | 'back' };

const acts: fc.Arbitrary<readonly Act[]> = fc.array(
  fc.oneof(
    {
      weight: 9,
      arbitrary: fc.record({
        type: fc.constant('publish' as const),
        topic: fc.constantFrom<Topic[]>('a', 'a', 'b', 'batches', 'batches'),
        isOther: fc.boolean(),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        type: fc.constant('answer' as const),
        call: fc.nat(3),
        answer: fc.constantFrom(200 as const, 503 as const, 'RETRY' as const),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ type: fc.constant('pass' as const), ms: fc.constantFrom(20, 100, 250) }),
    },
    { weight: 2, arbitrary: fc.record({ type: fc.constant('calls' as const), most: fc.constantFrom(1, 2) }) },
    {
      weight: 1,
      arbitrary: fc.record({ type: fc.constant('app-calls' as const), most: fc.constantFrom(0, 1, 2, 3) }),
    },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('health' as const), isWell: fc.boolean() }) },
    {
      weight: 3,
      arbitrary: fc.record({
        type: fc.constantFrom('drop' as const, 'hold' as const, 'release' as const),
        message: fc.nat(12),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ type: fc.constantFrom('ask' as const, 'restart' as const, 'back' as const) }),
    },
  ),
  { minLength: 5, maxLength: 30 },
);

const BATCH = { maxMessagesCount: 3, maxAwaitDurationMs: 100 };
const PROBED_MS = 1000;

/** Conditions set by the acts that keep calls from starting. */
class World {
  readonly stand = new Stand();
  readonly ids: string[] = [];
  calls = 1;
  appCalls = 0;
  isWell = true;
  isKnown = true;
  askedUntil = 0;

  async start(): Promise<void> {
    const { stand } = this;
    subscribe(
      stand,
      { topic: 'a', route: '/a' },
      { topic: 'b', route: '/b' },
      {
        topic: 'batches',
        routes: { rules: [{ match: 'event.type == "other"', path: '/batches/2' }], default: '/batches/1' },
        bulkSubscribe: BATCH,
      },
    );
    stand.app.answerWith = () => 'hang';
    stand.set('delivery.retry', { maxAttempts: 9, firstDelayMs: 150, factor: 1, maxDelayMs: 150, jitter: 0 });
    stand.set('delivery.concurrency', this.calls);
    const health = { enabled: true, path: '/alive', intervalMs: PROBED_MS, timeoutMs: 100, threshold: 1 };
    stand.set('app.health', health);
    await stand.start();
    await stand.pass(PROBED_MS);
  }

  async do(act: Act): Promise<void> {
    const { stand } = this;
    switch (act.type) {
      case 'publish': {
        const metadata: Record<string, string> = act.isOther ? { 'cloudevent.type': 'other' } : {};
        this.ids.push(await stand.publish(act.topic, this.ids.length, { metadata }));
        return;
      }
      case 'answer':
        return answerOne(stand, act.call, act.answer);
      case 'pass':
        return stand.pass(act.ms);
      case 'calls':
        this.calls = act.most;
        return stand.set('delivery.concurrency', act.most);
      case 'app-calls':
        this.appCalls = act.most;
        return stand.set('app.maxConcurrency', act.most);
      case 'health':
        stand.app.health = act.isWell ? 200 : 503;
        this.isWell = act.isWell;
        return stand.pass(2 * PROBED_MS);
      case 'ask':
        if (!this.isKnown || stand.clock.now() < this.askedUntil) return;
        stand.app.slowMs = 60;
        this.askedUntil = stand.clock.now() + 60;
        void stand.runtime.rediscovery.ask();
        return stand.settle();
      case 'restart':
        await stand.stop();
        this.askedUntil = 0;
        this.isKnown = false;
        stand.app.isOpen = false;
        await stand.start();
        // A retry that was due while nothing ran is due with the first moment.
        return stand.pass(1);
      case 'back':
        stand.app.isOpen = true;
        await stand.pass(15_000);
        this.isKnown = true;
        return;
      default:
        return this.byHand(act.type, this.ids[act.message % Math.max(1, this.ids.length)]);
    }
  }

  async byHand(act: 'drop' | 'hold' | 'release', messageId: string | undefined): Promise<void> {
    const { state } = (messageId === undefined ? undefined : await this.delivery(messageId)) ?? {};
    const may = act === 'release' ? state === 'held' : state === 'queued' || state === 'retrying';
    if (messageId === undefined || !may) return;
    await this.stand.runtime.deliveryActions[act]({ messageId });
    return this.stand.settle();
  }

  /** Undefined: it has none, as its app has not reported its subscriptions. */
  async delivery(messageId: string): Promise<Delivery | undefined> {
    return (await this.stand.message(messageId)).deliveries[0];
  }

  openFor(topic: string): number {
    return this.stand.app.open.filter(({ path }) => path.split('/')[1] === topic).length;
  }

  /** The first thing that keeps a delivery of a topic; undefined: nothing does but its batch. */
  keeps(topic: string): Omit<DeliveryTurn, 'ahead'> | undefined {
    const { stand } = this;
    if (!this.isKnown) return { reason: 'discovery' };
    if (stand.clock.now() < this.askedUntil) return { reason: 'asking' };
    if (!this.isWell) return { reason: 'health' };
    const here = this.openFor(topic);
    if (here >= this.calls) return { reason: 'calls', now: here, most: this.calls };
    const all = stand.app.open.length;
    if (this.appCalls > 0 && all >= this.appCalls)
      return { reason: 'app-calls', now: all, most: this.appCalls };
    return undefined;
  }

  /** Whether a call for its batch is open that has another route, and not this delivery. */
  isLater(d: Delivery): boolean {
    return this.stand.app.open.some(
      ({ path }) => path.startsWith('/batches') && path !== d.route.path && d.state !== 'attempting',
    );
  }
}

/** Deliveries that wait for an attempt now, of one topic. */
async function waitingOf(world: World, topic: Topic): Promise<readonly Delivery[]> {
  const all = await Promise.all(world.ids.map((id) => world.delivery(id)));
  const now = world.stand.clock.now();
  return all.flatMap((d) => {
    if (d?.subscription.topic !== topic) return [];
    const isDue =
      d.state === 'queued' || (d.state === 'retrying' && Date.parse(d.nextAttemptAt ?? '') <= now);
    // A delivery that is not due for an attempt has no reason to wait.
    if (!isDue) expect(d.turn, `a delivery that is ${d.state}`).toBeUndefined();
    return isDue ? [d] : [];
  });
}

async function check(world: World): Promise<void> {
  for (const topic of TOPICS) {
    const waiting = await waitingOf(world, topic);
    const later = waiting.filter(({ turn }) => turn?.reason === 'earlier-call');
    for (const d of later)
      expect([topic, world.isLater(d), d.turn?.ahead]).toEqual(['batches', true, undefined]);
    const queued = waiting.filter((d) => !later.includes(d));
    const places = queued.map(({ turn }) => turn?.ahead ?? -1).toSorted((a, b) => a - b);
    expect(places, `places in the queue of ${topic}`).toEqual(queued.map((_, place) => place));
    const keeps = world.keeps(topic);
    const fresh = queued.filter(({ state, attempts }) => state === 'queued' && attempts.length === 0);
    for (const { turn, ...d } of queued) {
      const { ahead: _ahead, latestAt, ...said } = turn ?? { reason: undefined };
      const batch = { reason: 'batch', now: fresh.length, most: BATCH.maxMessagesCount };
      expect(said, `why a ${d.state} delivery of ${topic} waits`).toEqual(keeps ?? batch);
      if (keeps !== undefined) continue;
      expect(fresh.length).toBeLessThan(BATCH.maxMessagesCount);
      const left = Date.parse(latestAt ?? '') - world.stand.clock.now();
      expect(left > 0 && left <= BATCH.maxAwaitDurationMs, `its batch goes in ${left} ms`).toBe(true);
    }
  }
}

/** The next one of each queue, by its number. After a batch that goes in several calls, the next call is of none that is queued. */
async function nextOf(world: World): Promise<ReadonlyMap<Topic, unknown>> {
  const next = new Map<Topic, unknown>();
  for (const topic of TOPICS) {
    const waiting = await waitingOf(world, topic);
    if (waiting.some(({ turn }) => turn?.reason === 'earlier-call')) continue;
    const first = waiting.find(({ turn }) => turn?.ahead === 0);
    if (first !== undefined) next.set(topic, (await world.stand.message(first.messageId)).data);
  }
  return next;
}

/** Data of a call: of its event, or of each entry of its batch. */
function carried(call: SeenCall): readonly unknown[] {
  const { data, entries } = call.json() as {
    data?: unknown;
    entries?: readonly { event: { data: unknown } }[];
  };
  return entries === undefined ? [data] : entries.map(({ event }) => event.data);
}

const KEEPS_ORDER: ReadonlySet<Act['type']> = new Set([
  'answer',
  'pass',
  'calls',
  'app-calls',
  'health',
  'ask',
]);

/** Acts in which no time passes: a retry that comes due goes before a batch that is not full. */
const AT_ONCE: ReadonlySet<Act['type']> = new Set(['answer', 'calls', 'app-calls']);

async function live(list: readonly Act[]): Promise<void> {
  const world = new World();
  await world.start();
  const { app } = world.stand;
  for (const act of list) {
    const next = await nextOf(world);
    const before = app.calls.length;
    await world.do(act);
    await world.stand.settle();
    await check(world);
    if (!KEEPS_ORDER.has(act.type)) continue;
    for (const [topic, data] of next) {
      if (topic === 'batches' && !AT_ONCE.has(act.type)) continue;
      const made = app.calls.slice(before).filter(({ path }) => path.split('/')[1] === topic);
      for (const call of made.slice(0, 1))
        expect(carried(call), `the next call of ${topic}`).toContainEqual(data);
    }
  }
  await world.stand.stop();
}

const published = (topic: Topic): Act => ({ type: 'publish', topic, isOther: false });
const passed = (ms: number): Act => ({ type: 'pass', ms });

/** Lives that chance seldom makes. */
const SELDOM: readonly (readonly Act[])[] = [
  // More calls are running than the limit allows now.
  [{ type: 'calls', most: 2 }, published('a'), published('a'), published('a'), { type: 'calls', most: 1 }],
  // A batch that comes back waits with a new one, behind a third.
  [
    ...[published('batches'), passed(250), { type: 'answer', call: 0, answer: 503 } as const],
    ...[published('batches'), passed(100), passed(100), published('batches')],
    { type: 'answer', call: 0, answer: 200 },
  ],
];

test('each delivery that waits names what keeps it, and its place', async () => {
  const report = await fc.check(fc.asyncProperty(acts, live), {
    numRuns: 60,
    seed: 31,
    examples: SELDOM.map((list): [readonly Act[]] => [list]),
  });
  expect(fc.defaultReportMessage(report)).toBeUndefined();
});
