/** Groups of records that are written together: the tables are what they are when each record is written by itself. */
import fc from 'fast-check';
import { expect, test } from 'vitest';

import { joined } from '../../core/adapters/sqlite-journal/joined.ts';
import { opsOf, RecentWires } from '../../core/adapters/sqlite-journal/records.ts';
import { migrate } from '../../core/adapters/sqlite-journal/schema.ts';
import { needSqlite } from '../../core/adapters/sqlite-journal/sqlite.ts';
import { Tables } from '../../core/adapters/sqlite-journal/tables.ts';
import { KEPT_ATTEMPTS, KEPT_TRANSITIONS } from '../../core/adapters/stored/standing.ts';
import type { DeliveryState } from '../../core/contract/delivery.ts';
import type { JournalRecord } from '../../core/ports/journal.ts';
import { batchCall, entry } from './journal-batches.ts';
import { accepted, changed, delivered, finished, published, removed } from './journal-records.ts';
import { times } from '../support/extent.ts';

/** Rows of a writer in each table, without keys that SQLite chose itself. */
const TABLES = [
  'SELECT * FROM message ORDER BY number',
  'SELECT * FROM content ORDER BY number',
  'SELECT * FROM delivery ORDER BY number, nth',
  `SELECT a.number, nth, n, status, error_code, error, sent_wire, record, key
   FROM attempt a LEFT JOIN batch b USING (batch) ORDER BY a.number, nth, n`,
  'SELECT * FROM transition ORDER BY number, nth, n',
  'SELECT key, bytes, request, response FROM batch ORDER BY key',
  'SELECT * FROM tally WHERE n <> 0 ORDER BY 1, 2, 3, 4, 5',
  'SELECT messages, bytes, last_number, sequence FROM totals',
];

/** The tables after these groups, each of them written by itself, or all of them together. */
function tablesAfter(groups: readonly (readonly JournalRecord[])[], isTogether = false): unknown {
  const db = new (needSqlite().DatabaseSync)(':memory:');
  try {
    migrate(db, 'memory', () => undefined);
    const tables = new Tables(db);
    const calls = groups.map((records) => opsOf(records, new RecentWires(0)));
    for (const each of isTogether ? [calls] : calls.map((ops) => [ops]))
      expect(tables.write(each)).toEqual(each.map(() => undefined));
    return TABLES.map((text) => db.prepare(text).all());
  } finally {
    db.close();
  }
}

const number = fc.integer({ min: 1, max: 3 });
const nth = fc.integer({ min: 1, max: 2 });
const state = fc.constantFrom<DeliveryState>(
  'queued',
  'attempting',
  'retrying',
  'held',
  'processed',
  'dropped',
);
const sequence = fc.integer({ min: 1, max: 100 });

const delivery = fc
  .tuple(number, nth, state, sequence, fc.boolean(), fc.boolean())
  .map(([of, which, to, at, isAttempt, isChanged]): JournalRecord =>
    delivered(of, to, {
      nth: which,
      delivery: {
        attemptCount: at,
        ...(isChanged ? { changedWire: `{"changed":${at}}` } : {}),
        ...(isChanged && to === 'retrying' ? { silent: true } : {}),
      },
      transition: { sequence: at },
      ...(isAttempt ? { attempt: { attemptId: `att_${at}`, number: at } } : {}),
    }),
  );
const patch = fc.oneof(
  fc.constantFrom('held' as const, null).map((stage) => ({ stage })),
  fc.boolean().map((pinned) => ({ pinned })),
  fc.constant({ broker: { id: '1-0', group: 'shop' } }),
  fc.constant({ releasedFrom: ['hold_1'] }),
  fc.constant({ waitingFor: ['shop'] }),
);
const content = { wire: '{"other":1}', givenContentType: 'text/plain', metadata: { ttl: '1' } };
const change = fc
  .tuple(number, patch, fc.boolean())
  .map(([of, some, isOther]): JournalRecord =>
    isOther
      ? { kind: 'message.changed', messageId: `msg_${of}`, patch: { ...some, subject: 'other' }, content }
      : changed(of, some),
  );
const record = fc.oneof(
  { weight: 4, arbitrary: delivery },
  { weight: 2, arbitrary: change },
  { weight: 2, arbitrary: number.map(published) },
  fc.tuple(number, nth).map(([of, at]) => entry(of, `att_b${at}`, batchCall('a'))),
  number.map((of) => removed(of)),
  sequence.map((at): JournalRecord => ({ kind: 'sequence', sequence: at })),
  sequence.map((at): JournalRecord => ({ kind: 'kept', key: 'holds', value: at })),
);

/** Each message comes right before the first record about it. */
function lives(records: readonly JournalRecord[]): readonly JournalRecord[] {
  const come = new Set<number>();
  return records.flatMap((one) => {
    const of = [1, 2, 3].find((each) => !come.has(each) && JSON.stringify(one).includes(`msg_${each}`));
    if (of === undefined) return [one];
    come.add(of);
    return [accepted(of), one];
  });
}

test('property: records of any lives leave the same tables written together as one by one', () => {
  fc.assert(
    fc.property(fc.array(record, { maxLength: 25 }), fc.integer({ min: 0, max: 25 }), (after, cut) => {
      const records = lives(after);
      const each = tablesAfter(records.map((one) => [one]));
      expect(tablesAfter([records])).toEqual(each);
      expect(tablesAfter([records.slice(0, cut), records.slice(cut)])).toEqual(each);
      const groups = records.map((one) => [one]);
      expect(tablesAfter(groups, true)).toEqual(each);
    }),
    { numRuns: times(12, 50) },
  );
});

test('a delivery that continues after the removal of another message leaves the same tables written together as one by one', () => {
  const silent = delivered(1, 'retrying', { delivery: { silent: true }, transition: { sequence: 1 } });
  const records = [accepted(2), accepted(1), published(1), silent, removed(2), delivered(1, 'queued')];
  expect(tablesAfter([records])).toEqual(tablesAfter(records.map((one) => [one])));
});

test.each<[string, (records: JournalRecord[]) => JournalRecord[][]]>([
  ['of one group', (records) => [records]],
  ['of several groups', (records) => records.map((one) => [one])],
])('a call of a batch that came again after a removal keeps its text, among records %s', (_, groups) => {
  const call = batchCall('a');
  const records = [
    ...[accepted(1), accepted(2), entry(1, 'att_1', call)],
    ...[removed(1), entry(2, 'att_1', call)],
  ];
  const each = tablesAfter(records.map((one) => [one]));
  expect(tablesAfter(groups(records), true)).toEqual(each);
});

test('more attempts and transitions than are kept leave the same tables written together as one by one', () => {
  const most = Math.max(KEPT_ATTEMPTS, KEPT_TRANSITIONS) + 3;
  const many = Array.from({ length: most }, (_, at) =>
    delivered(1, 'retrying', { transition: { sequence: at + 1 }, attempt: { attemptId: `att_${at}` } }),
  );
  const records = [accepted(1), ...many, published(1)];
  expect(tablesAfter([records])).toEqual(tablesAfter(records.map((one) => [one])));
});

test('the call of a batch goes before a delivery that waited first', () => {
  const records = [delivered(1, 'queued'), entry(1, 'att_1', batchCall('a'))];
  const steps = joined([opsOf(records, new RecentWires(0))]);
  expect(steps.map((step) => (step.kind === 'other' ? step.op[0] : step.kind))).toEqual([
    'batch',
    'delivery',
  ]);
});

test('a message that is accepted, published and ended is written in one step, and so is its delivery', () => {
  const states: readonly DeliveryState[] = ['queued', 'attempting', 'processed'];
  const life = [accepted(1), published(1), changed(1, { broker: { id: '1-0' } })];
  const moves = states.map((to) => delivered(1, to, { transition: { sequence: 1 } }));
  const ops = [...life, ...moves].map((one) => opsOf([one], new RecentWires(0)));
  expect(joined(ops).map(({ kind }) => kind)).toEqual(['message', 'delivery']);
});

test('only the last record of a delivery that moves several times in a group is written', () => {
  const [queued, ended] = opsOf([delivered(1, 'queued'), delivered(1, 'processed')], new RecentWires(0));
  expect([queued?.[7], String(ended?.[7]).length > 100]).toEqual(['{}', true]);
});

test('a refused group does not affect the others', () => {
  const db = new (needSqlite().DatabaseSync)(':memory:');
  migrate(db, 'memory', () => undefined);
  const tables = new Tables(db);
  const recent = new RecentWires(0);
  const groups = [finished(1), [accepted(1), ...finished(2)], finished(3)];
  const errors = tables.apply(groups.map((records) => opsOf(records, recent)));
  tables.commit(1);
  const numbers = db.prepare('SELECT number FROM message ORDER BY number').all();
  db.close();
  expect(errors.map((error) => error === undefined)).toEqual([true, false, true]);
  expect(numbers).toEqual([{ number: 1 }, { number: 3 }]);
});

test.each<[string, readonly JournalRecord[]]>([
  [
    'a delivery that has ended, and goes on after the removal of a message that is not there',
    [accepted(1), delivered(1, 'processed'), removed(2), delivered(1, 'queued')],
  ],
  [
    'the first delivery of a message that got other content and was published then',
    [
      accepted(1),
      { kind: 'message.changed', messageId: 'msg_1', patch: {}, content },
      published(1),
      delivered(1, 'queued'),
    ],
  ],
  [
    'the first delivery of a message that waited, got other content and was let go then',
    [
      accepted(1, { row: { stage: 'held' } }),
      published(1),
      { kind: 'message.changed', messageId: 'msg_1', patch: { stage: null }, content },
      delivered(1, 'queued'),
    ],
  ],
])('written together as one by one, these records leave the same tables: %s', (_name, records) => {
  expect(tablesAfter([records])).toEqual(tablesAfter(records.map((one) => [one])));
});
