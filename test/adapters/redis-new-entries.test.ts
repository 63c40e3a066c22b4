/** How new entries of a stream are read: by a reader that blocks, or right behind a publish from here. */
import { expect, test } from 'vitest';
import { NewEntries } from '../../core/adapters/redis-streams/new-entries.ts';
import type { StreamEntry } from '../../core/adapters/redis-streams/layout.ts';
import { ManualClock } from '../support/manual-clock.ts';

const turn = (): Promise<void> => new Promise((go) => setImmediate(go));
const REST_MS = 5;

function entries(count: number): readonly StreamEntry[] {
  return Array.from({ length: count }, (_, n) => ({ id: `${n}-0`, fields: [] }));
}

/** Reads in turn, at most ten at once, and notes how each was asked. */
function bench() {
  const clock = new ManualClock();
  const asked: ('blocks' | 'behind')[] = [];
  const given: (readonly StreamEntry[])[] = [];
  let answer: ((entries: readonly StreamEntry[]) => void) | undefined;
  const read = (how: 'blocks' | 'behind') => (): Promise<readonly StreamEntry[]> => {
    asked.push(how);
    return new Promise((resolve) => (answer = resolve));
  };
  const group = {
    read: read('blocks'),
    readNow: (_count: number, told: (entries: readonly StreamEntry[]) => void): void => {
      void read('behind')().then(told);
    },
    behindAll: (ask: () => void) => void setImmediate(ask),
  };
  const news = new NewEntries({ group, reader: undefined, clock });
  let isOver = false;
  const reading = (async () => {
    while (!isOver) given.push(await news.read(10, () => undefined));
  })();
  return {
    clock,
    news,
    asked,
    given,
    async answer(count: number): Promise<void> {
      answer?.(entries(count));
      await turn();
      await turn();
    },
    async publish(): Promise<void> {
      news.publishing();
      await turn();
      await turn();
    },
    async end(): Promise<void> {
      isOver = true;
      news.stop();
      answer?.([]);
      await reading;
    },
  };
}

test('the first read blocks, and after entries came each publish is followed by a read', async () => {
  const { asked, answer, publish, end } = bench();
  expect(asked).toEqual(['blocks']);
  await publish();
  await answer(1);
  expect(asked).toEqual(['blocks']);
  await publish();
  expect(asked).toEqual(['blocks', 'behind']);
  await answer(1);
  await publish();
  expect(asked).toEqual(['blocks', 'behind', 'behind']);
  await end();
});

test('the reader blocks again after a while without publishes', async () => {
  const { clock, asked, answer, end } = bench();
  await answer(1);
  clock.advance(REST_MS - 1);
  await turn();
  expect(asked).toEqual(['blocks']);
  clock.advance(1);
  await turn();
  expect(asked).toEqual(['blocks', 'blocks']);
  await end();
});

test('the reader blocks again if other consumers of the group take the entries first', async () => {
  const { asked, answer, publish, end } = bench();
  await answer(1);
  await publish();
  await answer(0);
  expect(asked).toEqual(['blocks', 'behind', 'blocks']);
  await end();
});

test.each([
  ['a publish while a read is under way', 1],
  ['as many as were asked for', 10],
])('%s: the next read follows at once', async (_, count) => {
  const { news, asked, answer, publish, end } = bench();
  await answer(1);
  await publish();
  if (count === 1) news.publishing();
  await answer(count);
  expect(asked).toEqual(['blocks', 'behind', 'behind']);
  await end();
});

test('the second of two entries published during a blocking read is read at once', async () => {
  const { asked, answer, publish, end } = bench();
  await publish();
  await publish();
  await answer(1);
  expect(asked).toEqual(['blocks', 'behind']);
  await end();
});

test('a wait for a publish ends with the consumer', async () => {
  const { given, answer, end } = bench();
  await answer(1);
  await end();
  expect(given).toEqual([entries(1), []]);
});

test.each([
  ['few entries wait for it', 8, ['answered', 'handed over']],
  ['many do not', 9, ['handed over', 'answered']],
])('when Redis answers a publish and the read behind it at once, %s', async (_, count, order) => {
  const seen: string[] = [];
  let told: ((entries: readonly StreamEntry[]) => void) | undefined;
  const group = {
    read: () => Promise.resolve(entries(1)),
    readNow: (_count: number, tell: typeof told): void => void (told = tell),
    behindAll: (ask: () => void) => ask(),
  };
  const news = new NewEntries({ group, reader: undefined, clock: new ManualClock() });
  await news.read(10, () => undefined);
  news.publishing();
  const read = news.read(10, () => undefined).then(() => seen.push('handed over'));
  await turn();
  let isAdded: () => void = () => undefined;
  const answered = (async () => {
    await new Promise<void>((go) => (isAdded = go));
    // Steps between the component and the publisher's connection.
    for (let step = 0; step < 20; step += 1) await Promise.resolve();
    seen.push('answered');
  })();
  isAdded();
  told?.(entries(count));
  await Promise.all([read, answered]);
  expect(seen).toEqual(order);
});
