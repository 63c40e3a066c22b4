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

test('what is asked for has the last change', async () => {
  await stand.accept(3);
  await stand.runtime.move('msg_2', 'queued');
  const { viewId } = await stand.view();
  await stopJournal([1, 2, 3]);
  await stand.runtime.move('msg_2', 'processed');
  const { result } = await stand.ask('view.rows', { viewId, from: 1, count: 1 });
  expect(result?.rows).toMatchObject([{ number: 2, deliveries: [{ state: 'processed' }] }]);
});

test('what is pushed has it', async () => {
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
