/** Rows of a view while the journal does not have the last changes yet: the events have them. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Stand } from './stand.ts';

let stand: Stand;
beforeEach(() => {
  stand = new Stand();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await stand.console.close();
});

/** From now on the journal gives rows as they are now, whatever changes. */
async function stopJournal(numbers: readonly number[]): Promise<void> {
  const rows = new Map((await stand.runtime.journal.rows(numbers)).map((row) => [row?.number, row]));
  vi.spyOn(stand.runtime.journal, 'rows').mockImplementation(async (asked) =>
    asked.map((number) => rows.get(number)),
  );
}

test('a requested row has the last change', async () => {
  await stand.accept(3);
  await stand.runtime.move('msg_2', 'queued');
  const { viewId } = await stand.view();
  await stopJournal([1, 2, 3]);
  await stand.runtime.move('msg_2', 'processed');
  const { result } = await stand.ask('view.rows', { viewId, from: 1, count: 1 });
  expect(result?.rows).toMatchObject([{ number: 2, deliveries: [{ state: 'processed' }] }]);
});

test('a pushed row has the last change', async () => {
  await stand.accept(3);
  await stand.runtime.move('msg_2', 'queued');
  const { viewId } = await stand.view();
  await stopJournal([1, 2, 3]);
  await stand.runtime.move('msg_2', 'processed');
  await stand.rhythm();
  expect(stand.news(viewId)).toMatchObject([
    { rows: [{ row: { number: 2, deliveries: [{ state: 'processed' }] } }] },
  ]);
});

test('a row that changes while it is read is pushed as it is then', async () => {
  await stand.accept(3);
  await stand.runtime.move('msg_2', 'queued');
  const { viewId } = await stand.view();
  const { journal } = stand.runtime;
  const old = await journal.rows([2]);
  let go: () => void = () => undefined;
  const read = new Promise<void>((resolve) => (go = resolve));
  vi.spyOn(journal, 'rows').mockImplementationOnce(async () => read.then(() => old));
  await stand.runtime.move('msg_2', 'attempting');
  await stand.rhythm();
  await stand.runtime.move('msg_2', 'processed');
  stand.clock.advance(33);
  go();
  await stand.rhythm(10);
  const rows = stand.news(viewId).flatMap((news) => news.rows);
  expect(rows.at(-1)).toMatchObject({ row: { number: 2, deliveries: [{ state: 'processed' }] } });
});

/** From now on the journal takes records only when it is let: events go out before. `refuse` has it say so, as a full disk does. */
function holdWrites(): { readonly take: () => Promise<void>; readonly refuse: () => void } {
  const { journal } = stand.runtime;
  const { append } = journal;
  const owed: Parameters<typeof append>[] = [];
  let go: (isWhole: boolean) => void = () => undefined;
  let state: Promise<boolean> = new Promise((resolve) => (go = resolve));
  vi.spyOn(journal, 'append').mockImplementation(async (...args) => void owed.push(args));
  vi.spyOn(stand.runtime, 'caughtUp').mockImplementation(() => state);
  return {
    async take() {
      for (const args of owed.splice(0)) await append.apply(journal, args);
      state = Promise.resolve(true);
      go(true);
    },
    refuse() {
      state = Promise.resolve(false);
      go(false);
    },
  };
}

test('a filtered list has what changed before the disk had it', async () => {
  await stand.accept(3);
  const { viewId } = await stand.view({ filter: 'state:parked' });
  await stand.rhythm(10);
  const { take } = holdWrites();
  await stand.runtime.move('msg_2', 'parked');
  await stand.rhythm();
  await take();
  await stand.rhythm();
  expect(await stand.numbers(viewId, 0, 10)).toEqual([2]);
});

test('a filter that is opened before the disk has the last changes finds them', async () => {
  await stand.accept(3);
  const { take } = holdWrites();
  await stand.runtime.move('msg_2', 'parked');
  const opened = stand.view({ filter: 'state:parked' });
  await stand.rhythm();
  await take();
  const { viewId } = await opened;
  await stand.rhythm();
  expect(await stand.numbers(viewId, 0, 10)).toEqual([2]);
});

test('after a disk refused writes, filtered lists and groups are right again once it has room', async () => {
  await stand.accept(3);
  const live = await stand.view({ filter: 'state:parked' });
  const grouped = await stand.view({ groupBy: 'state' });
  await stand.rhythm(10);
  const { take, refuse } = holdWrites();
  refuse();
  await stand.runtime.move('msg_2', 'parked');
  const late = await stand.view({ filter: 'state:parked OR topic:none' });
  await stand.rhythm(40);
  expect(await stand.numbers(live.viewId, 0, 10)).toEqual([]);
  await take();
  stand.clock.advance(1000);
  await stand.rhythm(40);
  expect(await stand.numbers(live.viewId, 0, 10)).toEqual([2]);
  expect(await stand.numbers(late.viewId, 0, 10)).toEqual([2]);
  const { result } = await stand.ask('view.rows', { viewId: grouped.viewId, from: 0, count: 5 });
  expect(result).toMatchObject({
    groups: [{ group: { value: 'parked', messages: 1 } }, { group: { messages: 2 } }],
  });
});
