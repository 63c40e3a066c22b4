/** Removes messages with all that belongs to them, and tells what went: how many, what room they took, what they counted as. */
import type { DatabaseSync } from 'node:sqlite';

import type { TopicTotals } from '../../ports/journal.ts';
import { HAS_DELIVERY, IS_DROPPED_EARLY, IS_REPLAYED, IS_UNPUBLISHED, MAYBE_ELSEWHERE } from './schema.ts';
import { numberIn, textIn } from './statements.ts';
import { topicTotals } from './topic-totals.ts';

export interface Removed {
  readonly messages: number;
  readonly bytes: number;
  /** Calls of batches that its attempts had. */
  readonly batches: readonly number[];
  readonly gone: readonly TopicTotals[];
  /** Messages that had a delivery, and those that nobody got until they were replayed. */
  readonly beside: readonly {
    readonly pubsub: string;
    readonly topic: string;
    readonly delivered: number;
    readonly replayed: number;
  }[];
}

const AMONG = 'number IN (SELECT value FROM json_each(?1))';

const NOBODY = `stage IS NULL AND NOT ${HAS_DELIVERY} AND NOT ${MAYBE_ELSEWHERE}`;

export function removal(db: DatabaseSync): (numbers: readonly number[]) => Removed {
  const messages = db.prepare(
    `SELECT pubsub, topic, count(*) AS n, sum(bytes) AS bytes, sum(${HAS_DELIVERY}) AS delivered,
       sum(${NOBODY} AND NOT ${IS_REPLAYED}) AS none,
       sum(${NOBODY} AND ${IS_REPLAYED}) AS replayed,
       sum(ifnull(${IS_UNPUBLISHED}, 0)) AS unpublished,
       sum(ifnull(${IS_DROPPED_EARLY}, 0)) AS droppedEarly
     FROM message m WHERE ${AMONG} GROUP BY pubsub, topic`,
  );
  const deliveries = db.prepare(
    `SELECT d.pubsub, m.topic, d.app, d.subscribed, d.state, count(*) AS n, sum(d.bytes) AS bytes
     FROM delivery d JOIN message m USING (number) WHERE ${AMONG} GROUP BY 1, 2, 3, 4, 5`,
  );
  const batches = db.prepare(`SELECT DISTINCT batch FROM attempt WHERE ${AMONG} AND batch IS NOT NULL`);
  const deletions = ['transition', 'attempt', 'delivery', 'content', 'message'].map((table) =>
    db.prepare(`DELETE FROM ${table} WHERE ${AMONG}`),
  );
  return (numbers) => {
    const list = JSON.stringify(numbers);
    const found = messages.all(list);
    const parts = deliveries.all(list);
    const calls = batches.all(list).map((row) => numberIn(row, 'batch'));
    for (const deletion of deletions) deletion.run(list);
    return {
      messages: found.reduce((sum, row) => sum + numberIn(row, 'n'), 0),
      bytes: [...found, ...parts].reduce((sum, row) => sum + numberIn(row, 'bytes'), 0),
      batches: calls,
      gone: topicTotals(
        found.map((row) => ({
          pubsubname: textIn(row, 'pubsub'),
          topic: textIn(row, 'topic'),
          messages: numberIn(row, 'n'),
          none: numberIn(row, 'none'),
          replayed: numberIn(row, 'replayed'),
          unpublished: numberIn(row, 'unpublished'),
          droppedEarly: numberIn(row, 'droppedEarly'),
        })),
        parts,
      ),
      beside: found.map((row) => ({
        pubsub: textIn(row, 'pubsub'),
        topic: textIn(row, 'topic'),
        delivered: numberIn(row, 'delivered'),
        replayed: numberIn(row, 'replayed'),
      })),
    };
  };
}
