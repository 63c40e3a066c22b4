/**
 * Random floods with a client that follows a view by its notifications alone: whatever was counted only, each row that it holds at the end is as
 * the journal has it.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ConsoleEvent, Notifications } from '../../core/contract/console.ts';
import { DELIVERY_STATES } from '../../core/contract/delivery.ts';
import type { MessageRow } from '../../core/contract/message.ts';
import { STREAM } from '../../core/contract/stream-bounds.ts';
import { times } from '../support/extent.ts';

import { attachPipe } from './bench.ts';
import { batchesIn } from './read-frames.ts';
import { Stand } from './stand.ts';
import { chance } from './stream-lives.ts';

let stand: Stand;
beforeEach(() => {
  stand = new Stand();
});
afterEach(() => stand.console.close());

/** Follows the newest-first view of messages whose numbers begin at 1 and have no gap, so that a position tells the number. */
class Follower {
  readonly rows = new Map<number, MessageRow>();
  total = 0;
  #read = 0;

  take(rows: readonly MessageRow[]): void {
    for (const row of rows) this.rows.set(row.number, row);
  }

  /** Reads what came since the last call. */
  hear(viewId: string): void {
    for (const text of stand.pipe.texts.slice(this.#read)) {
      const { method, params } = JSON.parse(text) as { method?: string; params?: unknown };
      if (method === 'view.changed') this.#changed(params as Notifications['view.changed'], viewId);
      if (method === 'stream.batch')
        for (const { events } of batchesIn([text])) for (const event of events) this.#apply(event);
    }
    this.#read = stand.pipe.texts.length;
  }

  #changed({ viewId, total, rows, omitted }: Notifications['view.changed'], wanted: string): void {
    if (viewId !== wanted) return;
    this.total = total;
    if (omitted !== undefined)
      for (let at = omitted.from; at < omitted.from + omitted.count; at += 1) this.rows.delete(total - at);
    this.take(rows.map(({ row }) => row));
  }

  #apply(event: ConsoleEvent): void {
    if (event.type === 'message.added' && this.rows.has(event.row.number)) this.take([event.row]);
    if (event.type !== 'delivery.changed') return;
    const row = [...this.rows.values()].find(({ messageId }) => messageId === event.messageId);
    if (row === undefined) return;
    const others = row.deliveries.filter(({ deliveryId }) => deliveryId !== event.deliveryId);
    this.take([{ ...row, deliveries: [...others, event.delivery] }]);
  }
}

/** Events that make a second of the clock one of a flood. */
async function flood(): Promise<void> {
  stand.log(2 * STREAM.ringEvents);
  stand.clock.advance(1_000);
  await stand.rhythm();
}

async function life(seed: number): Promise<number> {
  const random = chance(seed);
  const pick = (count: number): number => Math.floor(random() * count);
  const follower = new Follower();
  await stand.accept(pick(200));
  await stand.start({ scope: 'views' });
  let viewId = '';
  const open = async (): Promise<void> => {
    const view = await stand.view({ order: 'newest' });
    viewId = view.viewId;
    follower.rows.clear();
    follower.total = view.total;
  };
  await open();
  const read = async (from: number): Promise<void> => {
    const { result } = await stand.ask('view.rows', { viewId, from, count: 50 });
    follower.hear(viewId);
    follower.take(result?.rows ?? []);
  };
  let others: readonly string[] = [];
  /** Now and then a filtered view is open for a while, and each event is kept. */
  const other = async (chosen: number): Promise<void> => {
    if (chosen < 0.1) others = [...others, (await stand.view({ filter: 'topic:orders' })).viewId];
    if (chosen < 0.6) return;
    for (const id of others) await stand.ask('view.close', { viewId: id });
    others = [];
  };
  /** Now and then a client reads every event for a moment. */
  const passing = async (chosen: number): Promise<void> => {
    if (chosen > 0.1) return;
    const pipe = attachPipe(stand.console);
    await stand.start({ scope: 'all' }, pipe);
    await stand.accept(3);
    pipe.close();
  };
  await read(0);
  let counted = 0;
  for (let step = 0; step < 30; step += 1) {
    for (let n = pick(60); n > 0; n -= 1) {
      if (random() < 0.4 || follower.total === 0) await stand.accept(1);
      const messages = (await stand.runtime.journal.stats()).messages;
      const newest = Math.min(messages, 1 + pick(120));
      const id = random() < 0.7 ? messages - newest + 1 : 1 + pick(messages);
      await stand.runtime.move(`msg_${id}`, DELIVERY_STATES[pick(DELIVERY_STATES.length)] ?? 'queued');
    }
    counted += stand.runtime.events.counted;
    stand.clock.advance(pick(300));
    if (random() < 0.5) await stand.rhythm(1);
    follower.hear(viewId);
    stand.ack(stand.runtime.events.sequence);
    if (random() < 0.2) await read(pick(Math.max(1, follower.total - 50)));
    await other(random());
    await passing(random());
    if (random() < 0.4) await flood();
    if (random() < 0.1) {
      await stand.ask('view.close', { viewId });
      if (random() < 0.5) stand.clock.advance(2_000);
      await open();
    }
  }
  for (let turn = 0; turn < 5; turn += 1) {
    stand.ack(stand.runtime.events.sequence);
    await stand.rhythm(12);
    follower.hear(viewId);
  }
  for (let from = 0; from < follower.total; from += 100) {
    const { result } = await stand.ask('view.rows', { viewId, from, count: 100 });
    const asked = Array.from({ length: result?.rows.length ?? 0 }, (_, at) => follower.total - from - at);
    expect(asked.length).toBeGreaterThan(0);
    expect(result?.rows, `life ${seed}`).toEqual(await stand.runtime.journal.rows(asked));
  }
  const numbers = [...follower.rows.keys()];
  const rows = await stand.runtime.journal.rows(numbers);
  expect(follower.total, `life ${seed}`).toBe((await stand.runtime.journal.stats()).messages);
  expect(
    numbers.map((number) => follower.rows.get(number)),
    `life ${seed}`,
  ).toEqual(rows);
  return counted;
}

test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].slice(0, times(8, 12)))(
  'flood %i: the rows that a client holds are true',
  async (seed) => {
    expect(await life(seed)).toBeGreaterThan(0);
  },
);

test('in a flood, events about messages that no client has are counted only', async () => {
  await stand.accept(100);
  await stand.start({ scope: 'views' });
  const { viewId } = await stand.view({ order: 'newest' });
  await stand.ask('view.rows', { viewId, from: 0, count: 50 });
  await flood();
  await flood();
  const before = stand.runtime.events.counted;
  await stand.accept(300);
  await stand.runtime.move('msg_400', 'queued');
  expect(stand.runtime.events.counted).toBe(before + 301);
  await stand.runtime.move('msg_100', 'queued');
  expect(stand.runtime.events.counted).toBe(before + 301);
});

test.each<[string, () => Promise<unknown>]>([
  ['a filtered view', () => stand.view({ filter: 'topic:orders' })],
  ['a sorted view', () => stand.view({ sortBy: 'topic' })],
  ['a client that reads every event', () => stand.start({ scope: 'all' }, attachPipe(stand.console))],
])('with %s all events are kept, at once', async (_, joins) => {
  await stand.accept(100);
  await stand.start({ scope: 'views' });
  await stand.view({ order: 'newest' });
  await flood();
  await flood();
  await stand.accept(1);
  await stand.rhythm();
  const before = stand.runtime.events.counted;
  expect(before).toBeGreaterThan(0);
  await joins();
  await stand.accept(10);
  expect(stand.runtime.events.counted).toBe(before);
});

test('rows are true after a flood whose view was closed and opened again', async () => {
  await stand.accept(100);
  await stand.start({ scope: 'views' });
  const first = await stand.view({ order: 'newest' });
  await flood();
  await flood();
  await stand.ask('view.close', { viewId: first.viewId });
  await stand.accept(20);
  const { viewId } = await stand.view({ order: 'newest' });
  for (let n = 101; n <= 120; n += 1) await stand.runtime.move(`msg_${n}`, 'processed');
  stand.clock.advance(2_000);
  for (let turn = 0; turn < 3; turn += 1) {
    stand.log(1);
    stand.ack(stand.runtime.events.sequence);
    await stand.rhythm();
  }
  const { result } = await stand.ask('view.rows', { viewId, from: 0, count: 20 });
  const asked = Array.from({ length: 20 }, (_, at) => 120 - at);
  expect(result?.rows).toEqual(await stand.runtime.journal.rows(asked));
});

test('rows are true after a client has read each event of a part of a flood', async () => {
  await stand.accept(100);
  await stand.start({ scope: 'views' });
  const { viewId } = await stand.view({ order: 'newest' });
  await flood();
  await flood();
  const pipe = attachPipe(stand.console);
  await stand.start({ scope: 'all' }, pipe);
  await stand.accept(20);
  pipe.close();
  await flood();
  for (let n = 101; n <= 120; n += 1) await stand.runtime.move(`msg_${n}`, 'processed');
  stand.clock.advance(2_000);
  for (let turn = 0; turn < 3; turn += 1) {
    stand.log(1);
    stand.ack(stand.runtime.events.sequence);
    await stand.rhythm(12);
  }
  const { result } = await stand.ask('view.rows', { viewId, from: 0, count: 20 });
  const asked = Array.from({ length: 20 }, (_, at) => 120 - at);
  expect(result?.rows).toEqual(await stand.runtime.journal.rows(asked));
});
