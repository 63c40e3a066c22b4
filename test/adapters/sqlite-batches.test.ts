/** Calls of batches in the file: refused groups leave nothing behind, a damaged file gives them back, older files keep theirs. */
import { open as openFd } from 'node:fs/promises';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { migrate, STEPS } from '../../core/adapters/sqlite-journal/schema.ts';
import { needSqlite } from '../../core/adapters/sqlite-journal/sqlite.ts';
import { batchCall, entry } from './journal-batches.ts';
import { accepted, attempt, count, finished, messageRow, published } from './journal-records.ts';
import { testFolder } from './sqlite-folder.ts';
import type { TestFolder } from './sqlite-folder.ts';

let at: TestFolder;
beforeEach(async () => {
  at = await testFolder();
});
afterEach(() => at.remove());

const messages = (from: number, to: number) =>
  count(from, to).flatMap((number) => [accepted(number), published(number)]);

const PAGE = 4096;

function sql(text: string): Record<string, unknown>[] {
  const db = new (needSqlite().DatabaseSync)(at.file);
  try {
    return db.prepare(text).all();
  } finally {
    db.close();
  }
}

test('the batch of a refused group is not stored, until the next group brings it', async () => {
  const journal = await at.open();
  await journal.append(messages(1, 2));
  const call = batchCall('a');
  const refused = journal.append([accepted(1), entry(1, 'att_1', call)]);
  const taken = journal.append([entry(2, 'att_1', call)]);
  await expect(refused).rejects.toMatchObject({ code: 'broken' });
  await taken;
  expect((await journal.get('msg_2'))?.deliveries[0]?.attempts).toMatchObject([call]);
  expect((await journal.get('msg_1'))?.deliveries).toEqual([]);
  await journal.close();
  expect(sql('SELECT count(*) AS n FROM batch')).toEqual([{ n: 1 }]);
});

test('a batch is saved out of a damaged file, and an attempt whose batch is lost is left out', async () => {
  const journal = await at.open();
  await journal.append(messages(1, 4));
  await journal.append([1, 2].map((number) => entry(number, 'att_1', batchCall('a'))));
  await journal.append([3, 4].map((number) => entry(number, 'att_2', batchCall('b'))));
  await journal.close();
  sql('UPDATE totals SET clean = 0');
  sql(`UPDATE batch SET request = '{' WHERE key LIKE 'att_2%'`);
  // A page that holds nothing, so that only looking through the file finds it.
  const [{ rootpage } = { rootpage: 0 }] = sql(
    "SELECT rootpage FROM sqlite_schema WHERE name = 'message_stage'",
  );
  const file = await openFd(at.file, 'r+');
  await file.write(Buffer.alloc(PAGE, 0xa5), 0, PAGE, (Number(rootpage) - 1) * PAGE);
  await file.close();
  const again = await at.open();
  expect(again.report.salvage).toMatchObject({ messages: 4, partly: 2, lost: 0 });
  expect((await again.get('msg_1'))?.deliveries[0]?.attempts).toMatchObject([batchCall('a')]);
  expect((await again.get('msg_2'))?.deliveries[0]?.attempts).toMatchObject([batchCall('a')]);
  expect((await again.get('msg_3'))?.deliveries[0]).toMatchObject({
    delivery: { state: 'processed' },
    attempts: [],
  });
  await again.close();
});

test('the file of format 2 opens with the calls that each of its attempts has for itself', async () => {
  const db = new (needSqlite().DatabaseSync)(at.file);
  migrate(db, at.file, () => undefined, STEPS.slice(0, 2));
  const row = JSON.stringify(messageRow(1));
  db.prepare(
    `INSERT INTO message (number, id, at, pubsub, topic, app, origin, size, raw, pinned, unread, waiting, published,
       standing, agrees, bytes, event_id) VALUES (1, 'msg_1', 1, 'pubsub', 'orders', 'shop', 'http', 9, 0, 0, 0, 0, 1, 0, 3, 700, 'e1')`,
  ).run();
  db.prepare("INSERT INTO content VALUES (1, 0, ?, '', NULL, NULL, '{}')").run(row);
  const made = entry(1, 'att_1', batchCall('old'));
  if (made.kind !== 'delivery') throw new Error('a delivery was made');
  const own = attempt({ ...made.attempt });
  db.prepare(
    `INSERT INTO delivery (number, nth, id, state, app, route, attempts, made_attempts, made_transitions, bytes, own, record)
     VALUES (1, 1, 'dlv_1_1', 'processed', 'mail', '/orders', 1, 1, 0, 400, 100, ?)`,
  ).run(JSON.stringify(made.delivery));
  db.prepare('INSERT INTO attempt (number, nth, n, status, record) VALUES (1, 1, 1, 200, ?)').run(
    JSON.stringify(own),
  );
  db.exec('UPDATE totals SET messages = 1, bytes = 1100, last_number = 1, sequence = 9, clean = 1');
  db.close();

  const journal = await at.open();
  expect(journal.report.notes).toEqual([expect.stringContaining('from format 2')]);
  expect((await journal.get('msg_1'))?.deliveries[0]?.attempts).toEqual([own]);
  await journal.append(finished(2));
  await journal.append([entry(2, 'att_2', batchCall('new'))]);
  expect((await journal.get('msg_2'))?.deliveries[0]?.attempts).toMatchObject([batchCall('new')]);
  await journal.append([{ kind: 'message.removed', messageIds: ['msg_1', 'msg_2'] }]);
  expect((await journal.stats()).bytes).toBe(0);
});
