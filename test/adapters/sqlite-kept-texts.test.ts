/** What the writing thread remembers between groups of records keeps none of their texts in memory. */
import { expect, test } from 'vitest';

import { groupOfText, textOfGroup } from '../../core/adapters/sqlite-journal/group-text.ts';
import { opsOf, RecentWires } from '../../core/adapters/sqlite-journal/records.ts';
import { migrate } from '../../core/adapters/sqlite-journal/schema.ts';
import { needSqlite } from '../../core/adapters/sqlite-journal/sqlite.ts';
import { Tables } from '../../core/adapters/sqlite-journal/tables.ts';
import type { JournalRecord } from '../../core/ports/journal.ts';
import { collectGarbage } from '../support/garbage.ts';
import { entry } from './journal-batches.ts';
import { accepted, attempt, delivered, published } from './journal-records.ts';

const GROUPS = 60;
const PAYLOAD = 'x'.repeat(400_000);

/** A long name of which each group has its own. */
const long = (name: string, number: number): string => `${name}-of-group-number-${number}`;

/** A delivery that is remembered until it ends. */
function waits(number: number): readonly JournalRecord[] {
  const delivery = { deliveryId: long('delivery', number), attemptCount: 1 };
  return [accepted(number), published(number), delivered(number, 'retrying', { delivery })];
}

/** A subscription whose deliveries are counted. */
function counts(number: number): readonly JournalRecord[] {
  const topic = long('topic', number);
  const subscription = { pubsubname: 'pubsub', topic, source: 'programmatic' } as const;
  const record = delivered(number, 'processed', {
    delivery: { subscription, appId: long('app', number) },
  });
  return [accepted(number, { row: { topic } }), published(number), record];
}

/** A call of a batch, which later deliveries may have too. */
function shares(number: number): readonly JournalRecord[] {
  const { request } = attempt();
  const call = { request: { ...request, body: `{"entries":["${number}"]}` } };
  return [accepted(number), published(number), entry(number, long('attempt', number), call)];
}

test.each([
  ['a delivery that waits', waits],
  ['a subscription', counts],
  ['a batch', shares],
])('%s keeps no text of the records that came with it', async (_, records) => {
  const db = new (needSqlite().DatabaseSync)(':memory:');
  try {
    migrate(db, 'memory', () => undefined);
    const tables = new Tables(db);
    const settled = (): Promise<void> => Promise.resolve();
    await collectGarbage(settled);
    const before = process.memoryUsage().heapUsed;
    for (let number = 1; number <= GROUPS; number += 1) {
      const payload = accepted(1_000 + number, { wire: PAYLOAD });
      const text = textOfGroup([opsOf([...records(number), payload], new RecentWires(0))]) ?? '';
      expect(tables.write(groupOfText(text))).toEqual([undefined]);
    }
    await collectGarbage(settled);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan((GROUPS * PAYLOAD.length) / 3);
  } finally {
    db.close();
  }
});
