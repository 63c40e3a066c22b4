/**
 * The journal on disk, what only it has: long histories, bodies kept once, its thread's end. What every journal does is in
 * sqlite-suite.test.ts.
 */
import { expect, onTestFinished, test } from 'vitest';

import { RecentWires } from '../../core/adapters/sqlite-journal/records.ts';
import { Thread } from '../../core/adapters/sqlite-journal/thread.ts';
import type { ReaderRequests } from '../../core/adapters/sqlite-journal/requests.ts';
import {
  accepted,
  attempt,
  count,
  delivered,
  fill,
  finished,
  filterOf,
  NOW_MS,
  pageNumbers,
} from './journal-records.ts';
import { testFolder } from './sqlite-folder.ts';
import type { TestFolder } from './sqlite-folder.ts';

/** A folder that is removed when the test ends, also when it fails. */
async function folderOfTest(): Promise<TestFolder> {
  const at = await testFolder();
  onTestFinished(() => at.remove());
  return at;
}

test('a delivery without end keeps its newest attempts and transitions, and takes no more room', async () => {
  const at = await folderOfTest();
  const journal = await at.open();
  await journal.append([accepted(1)]);
  let bytes = 0;
  for (const number of count(1, 2500)) {
    const record = delivered(1, 'retrying', {
      delivery: { attemptCount: number },
      attempt: { number },
      transition: { sequence: number },
    });
    if (number % 500 === 0) await journal.append([record]);
    else void journal.append([record]);
    if (number === 1500) ({ bytes } = await journal.stats());
  }
  const [kept] = (await journal.get('msg_1'))?.deliveries ?? [];
  expect(kept?.attempts.map(({ number }) => number)).toEqual(count(2401, 2500));
  expect(kept?.transitions.map(({ sequence }) => sequence)).toEqual(count(1501, 2500));
  expect(kept?.delivery.attemptCount).toBe(2500);
  expect((await journal.stats()).bytes).toBe(bytes);
});

test('messages that come one at a time are soon written without waiting, and those of one turn are not', async () => {
  const at = await folderOfTest();
  const journal = await at.open();
  const nextTurn = (): Promise<void> => new Promise((go) => setImmediate(go));
  expect(journal.appendNow).toBeUndefined();
  for (const number of count(1, 12)) {
    await journal.append([accepted(number)]);
    await nextTurn();
  }
  expect(journal.appendNow?.([accepted(13)])).toBe(true);
  expect(journal.appendNow).toBeUndefined();
  const together = [journal.append([accepted(14)]), journal.append([accepted(15)])];
  expect(journal.appendNow).toBeUndefined();
  await Promise.all(together);
  await nextTurn();
  expect(journal.appendNow).toBeUndefined();
  expect((await pageNumbers(journal, { order: 'oldest' })).numbers).toEqual(count(1, 15));
});

test('a body that is the message itself is kept once, and given back with each attempt', async () => {
  const at = await folderOfTest();
  const journal = await at.open();
  const wire = JSON.stringify({ data: 'x'.repeat(100_000) });
  const request = { ...attempt().request, body: wire };
  const other = { ...attempt().request, body: `${wire} ` };
  await journal.append([accepted(1, { wire }), delivered(1, 'queued', { transition: {} })]);
  const { bytes } = await journal.stats();
  await journal.append([delivered(1, 'retrying', { attempt: { request } })]);
  expect((await journal.stats()).bytes - bytes).toBeLessThan(5000);
  await journal.append([delivered(1, 'parked', { attempt: { request: other } })]);
  const bodies = async (): Promise<unknown> =>
    (await journal.get('msg_1'))?.deliveries[0]?.attempts.map((each) => each.request.body === wire);
  expect(await bodies()).toEqual([true, false]);
  expect((await journal.get('msg_1'))?.deliveries[0]?.attempts[1]).toEqual(attempt({ request: other }));
});

test('the bodies of the newest messages are remembered up to a limit of characters', () => {
  const recent = new RecentWires(10);
  recent.add('a', '12345');
  recent.add('b', '12345');
  recent.add('b', 'other');
  recent.add('c', new Uint8Array(100));
  expect([recent.has('a', '12345'), recent.has('b', '12345'), recent.has('b', 'other')]).toEqual([
    true,
    true,
    false,
  ]);
  recent.add('d', '1');
  expect([recent.has('a', '12345'), recent.has('b', '12345'), recent.has('d', '1')]).toEqual([
    false,
    true,
    true,
  ]);
});

test('the last sequence is that of the last transition if no higher one was written', async () => {
  const at = await folderOfTest();
  const journal = await at.open();
  await journal.append([accepted(1), delivered(1, 'queued', { transition: { sequence: 31 } })]);
  expect(await journal.lastSequence()).toBe(31);
  await journal.append([{ kind: 'sequence', sequence: 40 }]);
  expect(await journal.lastSequence()).toBe(40);
});

test('the level of safety can be changed while it is in use', async () => {
  const at = await folderOfTest();
  const journal = await at.open({ sync: 'full' });
  await journal.setSync('normal');
  await journal.append(finished(1));
  await journal.setSync('full');
  await journal.append(finished(2));
  expect((await pageNumbers(journal)).numbers).toEqual([2, 1]);
});

test('a search that is given up stops, and others are answered meanwhile', async () => {
  const at = await folderOfTest();
  const journal = await at.open();
  const lines = count(1, 4000).flatMap((number) => finished(number, { data: { note: `line\n${number}` } }));
  await journal.append(lines);
  const abort = new AbortController();
  const search = journal.page({
    filter: filterOf('nothing'),
    order: 'newest',
    limit: 1,
    nowMs: NOW_MS,
    signal: abort.signal,
  });
  const row = journal.rows([7]);
  abort.abort(new Error('enough'));
  await expect(search).rejects.toThrow('enough');
  expect((await row)[0]?.number).toBe(7);
  expect((await pageNumbers(journal, { filter: 'line', limit: 1 })).total).toBe(4000);
});

test('the end of a thread rejects all waiting calls', async () => {
  const thread = new Thread<ReaderRequests>('reader-thread', () => undefined);
  const asked = thread.ask('get', 'msg_1');
  await expect(asked).rejects.toMatchObject({ name: 'JournalError', code: 'closed' });
  const pending = thread.ask('stats', null);
  const ended = thread.end();
  await expect(pending).rejects.toMatchObject({ name: 'JournalError' });
  await ended;
  await expect(thread.ask('stats', null)).rejects.toMatchObject({ code: 'closed' });
});

test('an append during the close is refused or stored, never both', async () => {
  const at = await folderOfTest();
  const journal = await at.open();
  await fill(journal, 1, 3);
  const appends = count(4, 50).map((number) => journal.append(finished(number)));
  const closing = journal.close();
  const outcomes = await Promise.allSettled(appends);
  await closing;
  const again = await at.open();
  const { numbers } = await pageNumbers(again, { order: 'oldest' });
  expect(numbers).toEqual([
    1,
    2,
    3,
    ...count(4, 50).filter((number) => outcomes[number - 4]?.status === 'fulfilled'),
  ]);
  expect(outcomes.every(({ status }) => status === 'fulfilled')).toBe(true);
});
