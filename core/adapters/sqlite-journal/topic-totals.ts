/** Counts by topic: rows of deliveries put to the messages they belong to; the counts of a whole file. */
import { NO_MESSAGES } from '../../ports/journal.ts';
import type { DeliveryTotals, TopicName, TopicTotals } from '../../ports/journal.ts';
import { DELIVERY_STATES } from '../../contract/delivery.ts';
import type { Row, Statements } from './prepared.ts';
import { HAS_DELIVERY, IS_DROPPED_EARLY, IS_UNPUBLISHED, MAYBE_ELSEWHERE, STANDING } from './schema.ts';
import { numberIn, textIn } from './statements.ts';
import { DELIVERED, MESSAGE, REPLAYED } from './tallies.ts';

type TopicCounts = Omit<TopicTotals, 'deliveries'>;

/** @param deliveries with `pubsub`, `topic`, `app`, `subscribed`, `state`, `n` */
export function topicTotals(topics: readonly TopicCounts[], deliveries: readonly Row[]): TopicTotals[] {
  const own = new Map<string, DeliveryTotals[]>();
  const all = new Map<string, TopicTotals>();
  const entry = (counts: TopicCounts): DeliveryTotals[] => {
    const key = nameOf(counts);
    let list = own.get(key);
    if (list === undefined) {
      list = [];
      own.set(key, list);
      all.set(key, { ...counts, deliveries: list });
    }
    return list;
  };
  for (const topic of topics) entry(topic);
  for (const row of deliveries) {
    const state = DELIVERY_STATES.find((each) => each === row['state']);
    if (state === undefined) continue;
    // Deliveries of a binding are counted under its name, where there are no messages.
    const name = { pubsubname: textIn(row, 'pubsub'), topic: textIn(row, 'topic') };
    entry({ ...NO_MESSAGES, ...name }).push({
      appId: textIn(row, 'app'),
      subscription: textIn(row, 'subscribed'),
      state,
      count: numberIn(row, 'n'),
    });
  }
  return [...all.values()];
}

/**
 * Counts of the whole file, from its tallies; the few messages that wait or were refused are looked at.
 * @param maybeElsewhere topics of which others may have got messages: where some have no delivery, each message is looked at too
 */
export function totalsOfFile(statements: Statements, maybeElsewhere: readonly TopicName[]): TopicTotals[] {
  return statements.atOneMoment(() => {
    const rows = statements.all('SELECT * FROM tally WHERE n > 0');
    const named = (state: string): Map<string, number> =>
      new Map(rows.filter((row) => row['state'] === state).map((row) => [keyOf(row), numberIn(row, 'n')]));
    const delivered = named(DELIVERED);
    const replayed = named(REPLAYED);
    // Early messages count neither as delivered nor as unsubscribed: they still wait, or were refused.
    const early = new Map(
      statements
        .all(
          `SELECT pubsub, topic, count(*) AS n FROM (
             SELECT pubsub, topic FROM message m WHERE stage IS NOT NULL AND NOT ${HAS_DELIVERY}
             UNION ALL
             SELECT pubsub, topic FROM message m
             WHERE standing = ${STANDING.open} AND stage IS NULL AND published = 0 AND NOT ${HAS_DELIVERY}
           ) GROUP BY 1, 2`,
        )
        .map((row) => [keyOf(row), numberIn(row, 'n')]),
    );
    const unpublished = messagesWhere(statements, IS_UNPUBLISHED);
    const droppedEarly = messagesWhere(statements, IS_DROPPED_EARLY);
    const maybe = new Set(maybeElsewhere.map(nameOf));
    const topics = rows
      .filter((row) => row['state'] === MESSAGE)
      .map((row) => {
        const [pubsubname, topic, messages] = [
          textIn(row, 'pubsub'),
          textIn(row, 'topic'),
          numberIn(row, 'n'),
        ];
        const of = (counts: ReadonlyMap<string, number>): number => counts.get(keyOf(row)) ?? 0;
        const without = Math.max(0, messages - of(delivered) - of(early));
        const name = { pubsubname, topic };
        const hasOthers = without > 0 && (maybe.has(keyOf(row)) || isLastElsewhere(statements, name));
        const elsewhere = hasOthers ? elsewhereOf(statements, name) : 0;
        const last = statements.one(
          'SELECT at FROM message WHERE topic = ? AND pubsub = ? ORDER BY number DESC LIMIT 1',
          topic,
          pubsubname,
        );
        const at = last?.['at'];
        return {
          pubsubname,
          topic,
          messages,
          none: Math.max(0, without - elsewhere - of(replayed)),
          replayed: of(replayed),
          unpublished: of(unpublished),
          droppedEarly: of(droppedEarly),
          ...(typeof at === 'number' ? { lastAt: new Date(at).toISOString() } : {}),
        };
      });
    return topicTotals(topics, rows);
  });
}

/** Number of the messages of each topic for which a condition holds. */
function messagesWhere(statements: Statements, condition: string): Map<string, number> {
  const rows = statements.all(
    `SELECT pubsub, topic, count(*) AS n FROM message WHERE ${condition} GROUP BY 1, 2`,
  );
  return new Map(rows.map((row) => [keyOf(row), numberIn(row, 'n')]));
}

/** Whether others may have got the newest message of a topic: a killed process may not have written that they get its messages. */
function isLastElsewhere(statements: Statements, { pubsubname, topic }: TopicName): boolean {
  const row = statements.one(
    `SELECT ${MAYBE_ELSEWHERE} AS elsewhere FROM message m
     WHERE topic = ? AND pubsub = ? ORDER BY number DESC LIMIT 1`,
    topic,
    pubsubname,
  );
  return row !== undefined && numberIn(row, 'elsewhere') === 1;
}

/** Messages without a delivery that may have gone to others: their own sidecar, or their broker, knows where they went. */
function elsewhereOf(statements: Statements, { pubsubname, topic }: TopicName): number {
  const row = statements.one(
    `SELECT count(*) AS n FROM message m
     WHERE topic = ? AND pubsub = ? AND stage IS NULL AND NOT ${HAS_DELIVERY} AND ${MAYBE_ELSEWHERE}`,
    topic,
    pubsubname,
  );
  return row === undefined ? 0 : numberIn(row, 'n');
}

function keyOf(row: Row): string {
  return nameOf({ pubsubname: textIn(row, 'pubsub'), topic: textIn(row, 'topic') });
}

function nameOf({ pubsubname, topic }: TopicName): string {
  return `${pubsubname}\n${topic}`;
}
