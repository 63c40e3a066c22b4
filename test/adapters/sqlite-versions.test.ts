/** Files of earlier versions open with everything that is in them. */
import { existsSync, readFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { migrate, STEPS } from '../../core/adapters/sqlite-journal/schema.ts';
import { needSqlite } from '../../core/adapters/sqlite-journal/sqlite.ts';
import { checksumOf } from '../../core/adapters/sqlite-journal/checksums.ts';
import { delivered, filterOf, finished, messageRow, NOW_MS } from './journal-records.ts';
import { testFolder } from './sqlite-folder.ts';
import type { TestFolder } from './sqlite-folder.ts';

let at: TestFolder;
beforeEach(async () => {
  at = await testFolder();
});
afterEach(() => at.remove());

/** Two messages as the first version wrote them: one without a subscription, one delivered at the second attempt. */
function writeFirstVersion(db: DatabaseSync): void {
  for (const number of [1, 2]) {
    const row = JSON.stringify(messageRow(number));
    const wire = JSON.stringify({ specversion: '1.0', source: 'shop-web', data: number });
    db.prepare(
      `INSERT INTO message (number, id, at, pubsub, topic, app, origin, size, raw, pinned, unread, waiting, published,
         standing, agrees, bytes) VALUES (?, ?, ?, 'pubsub', 'orders', 'shop', 'http', 100, 0, 0, 0, 0, 1, 0, 3, 700)`,
    ).run(number, `msg_${number}`, Date.parse(messageRow(number).at));
    db.prepare("INSERT INTO content VALUES (?, ?, ?, 'application/json', NULL, NULL, ?)").run(
      number,
      checksumOf(row, wire),
      row,
      wire,
    );
  }
  const record = delivered(1, 'processed', { delivery: { attemptCount: 2 }, attempt: { number: 2 } });
  if (record.kind !== 'delivery') throw new Error('a delivery was made');
  db.prepare(
    `INSERT INTO delivery (number, nth, id, state, app, route, attempts, made_attempts, made_transitions, bytes, own, record)
     VALUES (1, 1, 'dlv_1_1', 'processed', 'mail', '/orders', 2, 1, 0, 400, 100, ?)`,
  ).run(JSON.stringify(record.delivery));
  db.prepare('INSERT INTO attempt (number, nth, n, status, record) VALUES (1, 1, 1, 200, ?)').run(
    JSON.stringify(record.attempt),
  );
  db.exec('UPDATE totals SET messages = 2, bytes = 1800, last_number = 2, sequence = 9, clean = 1');
}

test.each([
  ['without', ''],
  ['with', 'ALTER TABLE attempt ADD COLUMN sent_wire INTEGER NOT NULL DEFAULT 0'],
])('a file of format 1 is opened, %s the column that some builds had', async (_name, more) => {
  const db = new (needSqlite().DatabaseSync)(at.file);
  migrate(db, at.file, () => undefined, STEPS.slice(0, 1));
  if (more !== '') db.exec(more);
  writeFirstVersion(db);
  db.close();

  const journal = await at.open();
  expect(journal.report.notes).toHaveLength(1);
  expect(existsSync(`${at.file}.version-1`)).toBe(true);
  expect(await journal.lastSequence()).toBe(9);
  expect((await journal.get('msg_1'))?.deliveries).toMatchObject([
    { delivery: { state: 'processed', attemptCount: 2 }, attempts: [{ number: 2 }] },
  ]);
  const processed = { appId: 'mail', subscription: 'orders', state: 'processed' };
  expect(await journal.totals()).toMatchObject([
    { topic: 'orders', messages: 2, none: 1, deliveries: [{ ...processed, count: 1 }] },
  ]);
  await journal.append([...finished(3), delivered(3, 'processed')]);
  expect(await journal.totals()).toMatchObject([
    { topic: 'orders', messages: 3, none: 1, deliveries: [{ ...processed, count: 2 }] },
  ]);
  await journal.append([{ kind: 'message.removed', messageIds: ['msg_1', 'msg_2'] }]);
  expect(await journal.totals()).toMatchObject([
    { topic: 'orders', messages: 1, none: 0, deliveries: [{ ...processed, count: 1 }] },
  ]);
  await journal.close();
  expect((await at.open()).report).toMatchObject({ wasUnclean: false, notes: [] });
});

test('a payload that was edited before format 6 is what filters read', async () => {
  const db = new (needSqlite().DatabaseSync)(at.file);
  migrate(db, at.file, () => undefined, STEPS.slice(0, 5));
  writeFirstVersion(db);
  const edited = JSON.stringify({ specversion: '1.0', source: 'shop-web', data: 77 });
  db.prepare('UPDATE delivery SET changed = ? WHERE number = 1').run(edited);
  db.close();

  const journal = await at.open();
  expect([...(await journal.test([1, 2], filterOf('77'), NOW_MS))]).toEqual([1]);
  expect([...(await journal.test([1, 2], filterOf('-77'), NOW_MS))]).toEqual([2]);
});

test('docs/durability.md names the present format', () => {
  const text = readFileSync(new URL('../../docs/durability.md', import.meta.url), 'utf8');
  expect(text).toContain(`The format of the file is ${STEPS.length}.`);
});
