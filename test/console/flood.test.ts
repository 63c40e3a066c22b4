/** In a flood the ring gives up what events say about messages that no client shows; what clients show stays right. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Flood } from '../../core/console/stream/flood.ts';
import type { MessageRow } from '../../core/contract/message.ts';
import { STREAM } from '../../core/contract/stream-bounds.ts';
import { attachPipe } from './bench.ts';
import { Stand } from './stand.ts';

let stand: Stand;
beforeEach(() => {
  stand = new Stand();
});
afterEach(() => stand.console.close());

/** Lets so many events pass in two seconds that the console takes it for a flood. */
async function flood(): Promise<void> {
  for (let second = 0; second < 3; second += 1) {
    stand.log(2 * STREAM.ringEvents);
    stand.clock.advance(1_000);
    await stand.rhythm();
  }
}

/** Numbers of messages of which an event in the ring is given up. */
function givenUp(): ReadonlySet<number | undefined> {
  const { events } = stand.runtime;
  const numbers = new Set<number | undefined>();
  for (let sequence = events.oldest; sequence <= events.sequence; sequence += 1) {
    const event = events.at(sequence);
    if (event?.isGivenUp === true) numbers.add(event.number);
  }
  return numbers;
}

function statesOf(rows: readonly (MessageRow | undefined)[]): readonly string[] {
  return rows.map((row) => `${row?.number} ${row?.deliveries.map(({ state }) => state).join(' ')}`);
}

/** Moves these messages while the flood goes on. */
async function move(numbers: readonly number[]): Promise<void> {
  for (const number of numbers) {
    await stand.runtime.move(`msg_${number}`, 'queued');
    await stand.runtime.move(`msg_${number}`, number % 3 === 0 ? 'parked' : 'processed');
  }
  await stand.rhythm();
}

const upTo = (last: number): readonly number[] => Array.from({ length: last }, (_, at) => at + 1);

test('rows are right wherever a client looks after a flood, and change while it looks', async () => {
  await stand.accept(400);
  await stand.start({ scope: 'views' });
  const { viewId } = await stand.view({ order: 'newest' });
  await stand.ask('view.rows', { viewId, from: 0, count: 50 });
  await flood();
  await move(upTo(400));
  expect(givenUp().has(1)).toBe(true);
  expect(givenUp().has(400)).toBe(false);

  const kept = await stand.runtime.journal.rows(upTo(400).toReversed());
  for (const from of [0, 100, 200, 300]) {
    const { result } = await stand.ask('view.rows', { viewId, from, count: 100 });
    expect(statesOf(result?.rows ?? [])).toEqual(statesOf(kept.slice(from, from + 100)));
  }
  stand.ack(stand.runtime.events.sequence);
  await stand.rhythm(12);
  stand.pipe.texts.length = 0;
  await stand.runtime.move('msg_7', 'dropped');
  await stand.rhythm(12);
  const told = stand.news(viewId).flatMap(({ rows }) => rows.map(({ row }) => row));
  expect(statesOf(told)).toContain('7 dropped');
});

test('a client that moves to rows whose events are given up gets them as they are', async () => {
  await stand.accept(400);
  await stand.start({ scope: 'views' });
  const { viewId } = await stand.view({ order: 'oldest' });
  await stand.ask('view.rows', { viewId, from: 300, count: 50 });
  await flood();
  await move(upTo(400));
  expect(givenUp().has(10)).toBe(true);
  const { result } = await stand.ask('view.rows', { viewId, from: 0, count: 20 });
  expect(statesOf(result?.rows ?? [])).toEqual(statesOf(await stand.runtime.journal.rows(upTo(20))));
});

test.each([
  ['no flood', async () => undefined, async () => undefined],
  ['a client that reads every event', flood, () => stand.start({ scope: 'all' }, attachPipe(stand.console))],
  ['a client of opened messages', flood, () => stand.start({ scope: 'opened' }, attachPipe(stand.console))],
  ['a sorted view', flood, () => stand.view({ sortBy: 'topic' })],
])('with %s nothing is given up', async (_, passes, joins) => {
  await stand.accept(400);
  await stand.start({ scope: 'views' });
  const { viewId } = await stand.view({ order: 'newest' });
  await stand.ask('view.rows', { viewId, from: 0, count: 50 });
  await joins();
  await passes();
  await move(upTo(400));
  expect(givenUp()).toEqual(new Set());
});

test.each([
  ['five times a second without a flood', 0, 9, 10],
  ['twice a second in a flood', STREAM.ringEvents / 4, 3, 4],
])('a view tells of a screenful of rows %s', async (_, lines, least, most) => {
  await stand.accept(80);
  await stand.start({ scope: 'opened' });
  const { viewId } = await stand.view({ order: 'newest' });
  const twoSeconds = async (): Promise<void> => {
    const until = stand.clock.now() + 2_000;
    while (stand.clock.now() < until) {
      stand.log(lines);
      await move(upTo(80));
      stand.ack(stand.runtime.events.sequence);
    }
  };
  await twoSeconds();
  stand.pipe.texts.length = 0;
  await twoSeconds();
  const told = stand.news(viewId).length;
  expect(told).toBeGreaterThanOrEqual(least);
  expect(told).toBeLessThanOrEqual(most);
});

test('events are a flood while they fill the ring within a second', () => {
  const watch = new Flood();
  const look = (second: number, sequence: number): boolean => watch.isOn(second * 1_000, sequence);
  look(1, 0);
  expect(look(2, STREAM.ringEvents - 1)).toBe(false);
  expect(look(3, 2 * STREAM.ringEvents - 1)).toBe(true);
  expect(look(3.5, 2 * STREAM.ringEvents)).toBe(true);
  expect(look(5, 3 * STREAM.ringEvents)).toBe(false);
});
