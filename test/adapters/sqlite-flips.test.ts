/** A bit that flipped in stored JSON: found, not delivered, said so; a start, a list and a search go on around it. */
import { Check } from 'typebox/value';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { needSqlite } from '../../core/adapters/sqlite-journal/sqlite.ts';
import { transition as schema } from '../../core/contract/message.ts';
import type { SqliteJournal } from '../../core/adapters/sqlite-journal/journal.ts';
import type { JournalRecord } from '../../core/ports/journal.ts';
import {
  accepted,
  attempt,
  changed,
  delivered,
  filterOf,
  NOW_MS,
  pageNumbers,
  unfinishedNumbers,
} from './journal-records.ts';
import { testFolder } from './sqlite-folder.ts';
import type { TestFolder } from './sqlite-folder.ts';

let at: TestFolder;
beforeEach(async () => {
  at = await testFolder();
});
afterEach(() => at.remove());

/** Message 2 has one of everything that is kept as JSON. */
const WRITTEN: readonly JournalRecord[] = [
  accepted(1, { data: { n: 1 } }),
  accepted(2, { data: { n: 2 }, metadata: { key: 'k' }, releasedFrom: ['hold_1'] }),
  delivered(2, 'retrying', { attempt: {}, transition: {}, delivery: { attemptCount: 2 } }),
  delivered(2, 'retrying', {
    attempt: attempt({
      attemptId: 'att_2',
      bulk: { entryId: 'e', batchSize: 2 },
      response: { status: 500, headers: {}, body: 'no' },
    }),
    delivery: { attemptCount: 2 },
  }),
  accepted(3, { data: { n: 3 } }),
  { kind: 'kept', key: 'holds', value: ['hold_1'] },
];

/** Changes the closed file and opens it again. */
async function reopenedAfter(sql: string): Promise<SqliteJournal> {
  const journal = await at.open();
  await journal.append(WRITTEN);
  await journal.close();
  const db = new (needSqlite().DatabaseSync)(at.file);
  db.exec(sql);
  expect(db.prepare('SELECT changes() AS n').get()).toMatchObject({ n: 1 });
  db.close();
  return at.open();
}

/** The bit that makes `{` a `y`, and one that gives a member another name. */
const flipped = (column: string): string => `${column} = 'y' || substr(${column}, 2)`;
const renamed = (column: string, name: string, other: string): string =>
  `${column} = replace(${column}, '"${name}":', '"${other}":')`;

test.each([
  ['the row', `UPDATE content SET ${flipped('row')} WHERE number = 2`],
  [
    'the name of a member of the row',
    `UPDATE content SET ${renamed('row', 'topic', 'uopic')} WHERE number = 2`,
  ],
  ['the metadata', `UPDATE content SET ${flipped('metadata')} WHERE number = 2`],
  ['the holds that released it', `UPDATE content SET ${flipped('released')} WHERE number = 2`],
  ['its delivery', `UPDATE delivery SET ${flipped('record')} WHERE number = 2`],
  ['the state of its delivery', `UPDATE delivery SET record = replace(record, 'retrying', 'retryinf')`],
  ['the name of a member of its delivery', `UPDATE delivery SET ${renamed('record', 'route', 'rouue')}`],
  ['its first attempt', `UPDATE attempt SET ${flipped('record')} WHERE batch IS NULL`],
  ['the attempt of a batch', `UPDATE attempt SET ${flipped('record')} WHERE batch > 0`],
  ['the request of the batch', `UPDATE batch SET ${flipped('request')}`],
  ['the response of the batch', `UPDATE batch SET ${flipped('response')}`],
  ['the state before a change', `UPDATE transition SET was = 'attemptinf'`],
  ['the state after a change', `UPDATE transition SET state = 'retryinf'`],
  ['the cause of a change', `UPDATE transition SET cause = 'aqp'`],
  ['the rule of a change', `UPDATE transition SET rule = 'single.othes'`],
])(
  'a flipped bit of %s keeps its message from delivery and no other, and the rest of it is shown',
  async (_, sql) => {
    const journal = await reopenedAfter(sql);
    const told: string[] = [];
    journal.onTrouble((text) => told.push(text));
    expect(await unfinishedNumbers(journal)).toEqual([1, 3]);
    expect(journal.damaged).toBe(1);
    expect(told).toEqual([expect.stringContaining('msg_2')]);
    expect((await pageNumbers(journal)).numbers).toEqual([3, 2, 1]);
    expect((await pageNumbers(journal, { filter: '-meta.other=x' })).numbers).toEqual([3, 2, 1]);
    const [row] = await journal.rows([2]);
    expect(row).toMatchObject({
      messageId: 'msg_2',
      topic: 'orders',
      deliveries: [
        { deliveryId: 'dlv_2_1', appId: 'mail', state: 'retrying', attempts: 2, route: '/orders' },
      ],
    });
    const detail = await journal.get('msg_2');
    expect(detail?.row).toEqual(row);
    expect(detail?.message.wire).toContain('shop-web');
    // Damaged bytes reach nobody: every transition that is read fits the contract.
    for (const { transitions } of detail?.deliveries ?? [])
      expect(transitions.every((each) => Check(schema, each))).toBe(true);
  },
);

test.each([
  ['the payload', `UPDATE content SET wire = replace(wire, '1.0', '1.1') WHERE number = 2`],
  ['the row', `UPDATE content SET ${flipped('row')} WHERE number = 2`],
])('a later change of a message does not make %s valid', async (_, sql) => {
  const journal = await reopenedAfter(sql);
  await journal.append([changed(2, { unread: true, pinned: true })]);
  await journal.close();
  expect(await unfinishedNumbers(await at.open())).toEqual([1, 3]);
});

test.each([
  ['data.n:2', []],
  ['data.n:3', [3]],
  ['-data.n:1', [3, 2]],
  ['data.n:1,3 topic:orders', [3, 1]],
  // Bytes that are no longer an envelope are searched as text.
  ['specversion', [2]],
])('a damaged payload does not end the search for %s', async (filter, numbers) => {
  const journal = await reopenedAfter(`UPDATE content SET ${flipped('wire')} WHERE number = 2`);
  expect(await pageNumbers(journal, { filter })).toEqual({
    numbers,
    nextCursor: null,
    total: numbers.length,
  });
  const all = [1, 2, 3];
  expect([...(await journal.test(all, filterOf(filter), NOW_MS))]).toEqual(numbers.toReversed());
});

test('a stored value that cannot be read counts as absent, and is reported', async () => {
  const journal = await reopenedAfter(`UPDATE kept SET ${flipped('value')} WHERE key = 'holds'`);
  const told: string[] = [];
  journal.onTrouble((text) => told.push(text));
  expect(await journal.kept('holds')).toBeUndefined();
  expect(told).toEqual([expect.stringContaining('holds')]);
  expect(at.lines.filter((line) => line.startsWith('error'))).toEqual([
    expect.stringContaining('error journal: The stored value holds'),
  ]);
});
