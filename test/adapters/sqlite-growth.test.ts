/** A long history: a new message costs the disk what it costs on a short one, and is found by its id as quickly. */
import { randomUUID } from 'node:crypto';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { compileSql } from '../../core/adapters/sqlite-journal/sql.ts';
import { needSqlite } from '../../core/adapters/sqlite-journal/sqlite.ts';
import type { JournalRecord } from '../../core/ports/journal.ts';
import { accepted, delivered, filterOf, finished, NOW_MS, published, removed } from './journal-records.ts';
import { testFolder } from './sqlite-folder.ts';
import type { TestFolder } from './sqlite-folder.ts';

/** Messages of one append. */
const AT_ONCE = 500;
const LONG = 16 * AT_ONCE;
const NEW = 300;
/** Extra pages of an opened file, and of trees with one more level: about 80, by the random ids. An index over all events' ids has 266. */
const MORE_PAGES = 150;

const EVENT_ID = randomUUID();

let at: TestFolder;
beforeEach(async () => {
  at = await testFolder();
});
afterEach(() => at.remove());

/** A message as the product keeps it when it has ended: ids that grow, but for that of the event, which is random. */
function ended(number: number): JournalRecord[] {
  const [messageId, deliveryId] = [`msg_${1e9 + number}`, `dlv_${1e9 + number}`];
  const eventId = randomUUID();
  const one = delivered(number, 'processed', { delivery: { deliveryId, messageId }, attempt: {} });
  return [
    accepted(number, { row: { messageId, eventId } }),
    { ...published(number), kind: 'message.published', messageId },
    one,
  ];
}

/** Appends messages in one run of the journal. Gives the page writes that the journal counted. */
async function pageWritesOf(first: number, count: number, atOnce: number): Promise<number> {
  const journal = await at.open();
  for (let number = first; number < first + count; number += atOnce)
    await journal.append(Array.from({ length: atOnce }, (_, nth) => ended(number + nth)).flat());
  await journal.close();
  const line = at.lines.findLast((each) => each.includes('page writes')) ?? '';
  return Number(/page writes: (\d+)/.exec(line)?.[1]);
}

test('new messages change as few pages of a long history as of a short one', async () => {
  const onShort = await pageWritesOf(1, NEW, 1);
  await pageWritesOf(NEW + 1, LONG, AT_ONCE);
  const onLong = await pageWritesOf(NEW + LONG + 1, NEW, 1);
  expect(onLong - onShort).toBeLessThan(MORE_PAGES);
});

test('topics that have no messages any more leave nothing, however many there were', async () => {
  const journal = await at.open();
  for (let number = 1; number <= 300; number++)
    await journal.append(finished(number, { row: { topic: `replies/${number}` } }));
  await journal.prune({ maxMessages: 1, maxBytes: Infinity, olderThanMs: 0 }, NOW_MS, 1000);
  await journal.append([removed(300)]);
  await journal.close();
  const db = new (needSqlite().DatabaseSync)(at.file);
  expect(db.prepare('SELECT * FROM tally').all()).toEqual([]);
  db.close();
});

test('a start removes what an older version left of topics without messages', async () => {
  const journal = await at.open();
  await journal.append(ended(1));
  await journal.close();
  const change = new (needSqlite().DatabaseSync)(at.file);
  const kept = change.prepare('SELECT * FROM tally').all();
  const add = change.prepare('INSERT INTO tally VALUES (?, ?, ?, ?, ?, 0)');
  for (let topic = 0; topic < 100; topic++) {
    for (const state of ['message', 'delivered']) add.run('pubsub', `replies/${topic}`, '', '', state);
    add.run('pubsub', `replies/${topic}`, 'app', `replies/${topic}`, 'processed');
  }
  change.close();
  await (await at.open()).close();
  const db = new (needSqlite().DatabaseSync)(at.file);
  expect(db.prepare('SELECT * FROM tally').all()).toEqual(kept);
  db.close();
});

test("an event's id is found by the index in every part of a history", async () => {
  const journal = await at.open();
  for (const number of [3, 9_000, 40_000])
    await journal.append([accepted(number, { row: { eventId: EVENT_ID } })]);
  await journal.append([accepted(40_001)]);
  const filter = filterOf(`id:${EVENT_ID}`);
  const { items } = await journal.page({ filter, order: 'newest', limit: 10, nowMs: NOW_MS });
  expect(items.map(({ number }) => number)).toEqual([40_000, 9_000, 3]);
  await journal.close();

  const db = new (needSqlite().DatabaseSync)(at.file);
  const { over, values } = compileSql(filter, 'window', NOW_MS);
  const plan = db
    .prepare(
      `EXPLAIN QUERY PLAN SELECT number FROM message m WHERE number BETWEEN ?1 AND ?2 AND ?3 IS NULL AND ${over}`,
    )
    .all(1, 40_000, null, ...values);
  db.close();
  expect(plan.map(({ detail }) => detail)).toContain(
    'SEARCH message USING COVERING INDEX message_event (<expr>=? AND event_id=?)',
  );
});
