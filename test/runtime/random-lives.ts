/** Whatever happens, in whatever order: no accepted message is lost, none ends twice, journal and memory agree. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { LEFT_OVER, REPLAYED_SINCE, UNPUBLISHED } from '../../core/contract/attention.ts';
import { DELIVERY_STATES, ENDED_STATES } from '../../core/contract/delivery.ts';
import type { DeliveryState } from '../../core/contract/delivery.ts';
import { counted } from '../../core/contract/count-text.ts';
import type { Delivery, Transition } from '../../core/contract/message.ts';
import type { Filter } from '../../core/domain/filter/ast.ts';
import { parseFilter } from '../../core/domain/filter/parse.ts';
import { MACHINE } from '../../core/domain/machine.ts';
import { Refusal } from '../../core/domain/refusal.ts';
import { LastingJournal } from '../support/lasting-journal.ts';
import { Stand, subscribe } from '../support/runtime-stand.ts';
import { component } from '../support/listed-components.ts';
import { acts, doAct, makeGood, REFUSED } from './random-acts.ts';
import type { Accepted, Act } from './random-acts.ts';

const RESTING: readonly DeliveryState[] = [...ENDED_STATES, 'parked', 'held'];
/** Numbers of the report of a start that its text has as they are. */
const REPORTED = ['held', 'parked', 'ended', 'none', 'replayed'] as const;
const STAGES_OF_THE_END = ['held', 'dropped', 'expired', 'refused'];

/** Acts after which deliveries may wait that did not wait before. */
const ADDS: ReadonlySet<Act['type']> = new Set(['discover', 'port', 'burst']);

export interface LivesOptions {
  readonly seed?: number;
  /** The journal takes records at once, as the one in memory does. */
  readonly takesAtOnce?: boolean;
}

/**
 * Random lives of messages, each of them looked at when it has ended. undefined: all went well; else what went wrong, and how to repeat it.
 */
export async function randomLives(
  numRuns: number,
  { takesAtOnce = false, ...options }: LivesOptions = {},
): Promise<string | undefined> {
  const one = (list: readonly Act[]): Promise<void> => live(list, takesAtOnce);
  const report = await fc.check(fc.asyncProperty(acts, one), { numRuns, ...options });
  return fc.defaultReportMessage(report);
}

async function live(list: readonly Act[], takesAtOnce: boolean): Promise<void> {
  const stand = new Stand({ journal: new LastingJournal({ takesAtOnce }) });
  subscribe(
    stand,
    { topic: 'orders', route: '/orders', deadLetterTopic: 'letters' },
    { topic: 'letters', route: '/letters' },
    { topic: 'batches', route: '/batches', bulkSubscribe: { maxMessagesCount: 3, maxAwaitDurationMs: 100 } },
  );
  stand.components.components = [component('pubsub', 'pubsub.in-memory', { failPublish: REFUSED })];
  stand.set('delivery.retry', { maxAttempts: 3 });
  stand.set('delivery.concurrency', 2);
  await stand.start();
  const accepted: Accepted = new Set();
  for (const act of list) {
    await doAct(stand, act, accepted);
    if (!ADDS.has(act.type)) continue;
    await stand.settle();
    await checkTurns(stand);
  }
  // Before all is well again a start finds calls, retries and messages that wait. Half of the lives go on without one.
  if (list.length % 2 === 0) await startAgain(stand, list.length % 4 === 0 ? 'crash' : 'stop');
  await makeGood(stand);
  try {
    await checkMessages(stand, accepted);
    checkSequences(stand);
    await checkCounts(stand);
    await checkStart(stand);
    expect(
      stand.lines.filter(({ text }) => text.includes('could not be made')).map(({ text }) => text),
    ).toEqual([]);
  } finally {
    await stand.stop();
  }
  expect(stand.clock.waiting).toBe(0);
}

async function checkMessages(stand: Stand, accepted: Accepted): Promise<void> {
  const { items } = await stand.journal.page({ order: 'oldest', limit: 500, nowMs: stand.clock.now() });
  const kept = new Set(items.map(({ messageId }) => messageId));
  for (const id of accepted) expect(kept, `accepted message ${id} is gone`).toContain(id);
  for (const row of items) {
    const stored = await stand.journal.get(row.messageId);
    const shown = await stand.message(row.messageId);
    expect(shown.deliveries.map(({ state }) => state)).toEqual(
      stored?.deliveries.map(({ delivery }) => delivery.state),
    );
    if (row.deliveries.length === 0) checkWithout(row.topic, row.stage);
    else expect(row.stage).toBeUndefined();
    expect(row.waitingFor).toBeUndefined();
    for (const delivery of shown.deliveries) checkDelivery(delivery);
  }
}

/** Every delivery that could be attempted says what keeps it, and that is so. */
async function checkTurns(stand: Stand): Promise<void> {
  const { items } = await stand.journal.page({ order: 'oldest', limit: 500, nowMs: stand.clock.now() });
  for (const row of items) {
    // A message that was removed is hidden before it goes.
    const shown = await stand.message(row.messageId).catch((error: unknown) => {
      if (error instanceof Refusal && error.code === 'NOT_FOUND') return undefined;
      throw error;
    });
    for (const { state, turn, waitsFor, subscription } of shown?.deliveries ?? []) {
      if (state === 'queued') expect(turn ?? waitsFor, `why a delivery of ${row.topic} waits`).toBeDefined();
      if (turn === undefined) continue;
      expect(['queued', 'retrying']).toContain(state);
      expect(waitsFor).toBeUndefined();
      const { reason, ahead, now = 0, most = 0 } = turn;
      if (reason === 'calls') expect(now).toBeGreaterThanOrEqual(most);
      if (reason === 'batch') expect([now < most, subscription.topic]).toEqual([true, 'batches']);
      // Every delivery that may start has started.
      expect([reason, ahead]).not.toEqual(['turn', 0]);
    }
  }
}

function checkWithout(topic: string, stage: string | undefined): void {
  if (topic === 'nobody') return;
  expect(STAGES_OF_THE_END, `a message on ${topic} without deliveries`).toContain(stage);
}

function checkDelivery({ state, transitions, attempts, heldAt }: Delivery): void {
  // An answer whose hold was removed waits for a person.
  if (heldAt !== 'response') expect(RESTING).toContain(state);
  expect(transitions.at(-1)?.to).toBe(state);
  transitions.forEach((transition, i) => checkTransition(transition, transitions[i - 1]));
  const numbers = attempts.map(({ number }) => number);
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  expect(new Set(attempts.map(({ attemptId }) => attemptId)).size).toBe(attempts.length);
  if (state === 'processed') expect(attempts.at(-1)?.response?.status).toBe(200);
}

function checkTransition(transition: Transition, before: Transition | undefined): void {
  expect(transition.from).toBe(before?.to ?? null);
  expect(transition.sequence).toBeGreaterThan(before?.sequence ?? 0);
  const row = MACHINE.find(
    ({ from, to, rule }) =>
      from.includes(transition.from) &&
      to === transition.to &&
      (rule === transition.rule || rule === 'verdict' || rule === 'input'),
  );
  expect(row === undefined ? transition : undefined).toBeUndefined();
}

function filterOf(text: string): Filter {
  const parsed = parseFilter(text);
  if (!parsed.ok) throw new Error(text);
  return parsed.filter;
}

/** What each number of messages without a delivery counts: the filter behind it. */
const WITHOUT = { none: LEFT_OVER, replayed: REPLAYED_SINCE };

/**
 * Checks that the counters of every screen, in total, by topic and by subscription, match the history: nothing that has ended or was
 * removed stays counted.
 */
async function checkCounts({ runtime, journal, clock }: Stand): Promise<void> {
  const { items } = await journal.page({ order: 'oldest', limit: 500, nowMs: clock.now() });
  const there = items.flatMap(({ topic, deliveries }) => deliveries.map(({ state }) => ({ topic, state })));
  const { counts, topics } = runtime.figures.metrics();
  expect(runtime.status().counts).toEqual(counts);
  const footer = runtime.status();
  const staged = (...stages: readonly string[]): number =>
    items.filter(({ stage }) => stage !== undefined && stages.includes(stage)).length;
  expect(footer.droppedEarly ?? 0).toBe(staged('dropped'));
  expect(footer.unpublished ?? 0).toBe(staged(...UNPUBLISHED));
  expect(runtime.topology.topics().map(({ counts: of }) => of)).toEqual(topics.map(({ counts: of }) => of));
  for (const state of DELIVERY_STATES) {
    const all = there.filter((one) => one.state === state);
    expect([state, counts[state]]).toEqual([state, all.length]);
    for (const of of topics) {
      const here = all.filter(({ topic }) => topic === of.topic);
      expect([of.topic, state, of.counts[state] ?? 0]).toEqual([of.topic, state, here.length]);
    }
    for (const of of runtime.topology.subscriptions()) {
      const here = all.filter(({ topic }) => topic === of.topic);
      expect([of.topic, state, of.counts[state] ?? 0]).toEqual([of.topic, state, here.length]);
    }
  }
  for (const { topic, counts: of, replayed = 0, published } of topics) {
    const shown = { none: of.none ?? 0, replayed };
    for (const [name, filter] of Object.entries(WITHOUT)) {
      const found = await journal.page({
        order: 'oldest',
        limit: 500,
        nowMs: clock.now(),
        filter: filterOf(filter),
      });
      const here = found.items.filter((row) => row.topic === topic);
      expect([topic, name, shown[name as keyof typeof shown]]).toEqual([topic, name, here.length]);
    }
    expect([topic, published]).toEqual([topic, items.filter((row) => row.topic === topic).length]);
  }
}

/** What a start finds in the history of a runtime that has stopped, counted from its rows and from its unfinished messages. */
async function foundIn({ journal, clock }: Stand) {
  const page = async (filter: string) =>
    journal.page({ order: 'oldest', limit: 500, nowMs: clock.now(), filter: filterOf(filter) });
  const { items } = await page('');
  const states = items.flatMap(({ deliveries }) => deliveries.map(({ state }) => state));
  const countOf = (...wanted: readonly DeliveryState[]): number =>
    states.filter((state) => wanted.includes(state)).length;
  let unfinished = 0;
  let waiting = 0;
  for await (const { message, published } of journal.unfinished()) {
    const { stage, waitingFor } = message.row;
    unfinished += 1;
    if (stage !== 'held' && (!published || waitingFor !== undefined)) waiting += 1;
  }
  return {
    kept: items.length,
    damaged: 0,
    unfinished,
    ended: countOf(...ENDED_STATES),
    // A message that is held before it has deliveries is in no state of a delivery, and the report counts it as held.
    held: countOf('held') + items.filter(({ stage }) => stage === 'held').length,
    parked: countOf('parked'),
    none: (await page(LEFT_OVER)).total,
    replayed: (await page(REPLAYED_SINCE)).total,
    /** Deliveries and messages that the start takes up again, in one way or another. */
    open: states.filter((state) => !RESTING.includes(state)).length + waiting,
  };
}

/** Ends the runtime and starts it again, and checks that the start says in its report what the history has. */
async function startAgain(
  stand: Stand,
  end: 'stop' | 'crash' = 'stop',
): Promise<Awaited<ReturnType<typeof foundIn>>> {
  if (end === 'crash') stand.crash();
  else await stand.stop();
  stand.journal.failure = undefined;
  const found = await foundIn(stand);
  await stand.start();
  const { at: _at, text, requeued, wentOn, republished, wasCut, ...said } = stand.runtime.resources.began;
  expect({ ...said, open: requeued + wentOn + republished }).toEqual(found);
  expect(wasCut).toBe(false);
  expect(text).toMatch(
    found.kept === 0
      ? /^There was no history\.$/
      : new RegExp(
          `^Sidelight was restarted; the history has ${counted(found.kept, 'message')}[.].*No message that Sidelight accepted is missing[.]$`,
        ),
  );
  const numbers = [requeued, wentOn, republished, ...REPORTED.map((name) => found[name])];
  const inText = text.match(/(?<=Of the messages and deliveries |, )\d+/g)?.map(Number) ?? [];
  const inOrder = (list: readonly number[]): readonly number[] => list.toSorted((a, b) => a - b);
  expect(inOrder(inText)).toEqual(inOrder(numbers.filter((number) => number > 0)));
  return found;
}

/** Checks that a start after the life finds what its screens have shown, and says it in its report. */
async function checkStart(stand: Stand): Promise<void> {
  const shown = stand.runtime.figures.metrics();
  const found = await startAgain(stand);
  const of = (name: 'none' | 'replayed'): number =>
    shown.topics.reduce((sum, row) => sum + ((name === 'none' ? row.counts.none : row.replayed) ?? 0), 0);
  expect([found.none, found.replayed]).toEqual([of('none'), of('replayed')]);
  const endedIn = ({ counts }: typeof shown): number =>
    ENDED_STATES.reduce((sum, state) => sum + counts[state], 0);
  expect(found.ended).toBe(endedIn(shown));
  // A start repeats the call of an answer that is held, and others get its turn: their states may differ then.
  const isAtRest = DELIVERY_STATES.every((state) => RESTING.includes(state) || shown.counts[state] === 0);
  if (isAtRest) expect(found.open).toBe(0);
  const without = ({ topics }: typeof shown) =>
    topics
      .filter(({ published }) => published > 0)
      .map(({ topic, published, counts, replayed }) => ({
        ...{ topic, published, replayed },
        counts: isAtRest ? counts : { none: counts.none },
      }))
      .toSorted((a, b) => a.topic.localeCompare(b.topic));
  const after = stand.runtime.figures.metrics();
  expect(without(after)).toEqual(without(shown));
  expect(endedIn(after)).toBeGreaterThanOrEqual(endedIn(shown));
}

function checkSequences(stand: Stand): void {
  const sequences = stand.journal.records.flatMap((record) =>
    record.kind === 'delivery' && record.transition !== undefined ? [record.transition.sequence] : [],
  );
  expect(sequences).toEqual([...new Set(sequences)].toSorted((a, b) => a - b));
}
