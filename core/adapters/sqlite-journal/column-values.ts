/** Values of a column for messages of the file: read from a column of the tables if there is one, else from their rows. */
import { rankOf } from '../../contract/attention.ts';
import { DELIVERY_STATES } from '../../contract/delivery.ts';
import type { DeliveryState } from '../../contract/delivery.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import { STAGES } from '../../contract/words.ts';
import { worstState } from '../../domain/facet.ts';
import { sortValueOf } from '../../domain/row-order.ts';
import type { Sortable, SortValue } from '../../domain/row-order.ts';
import type { ColumnValues } from '../../ports/journal.ts';
import type { Statements } from './prepared.ts';
import type { SqliteReader } from './reader.ts';
import { UNSEEN_BY } from './schema.ts';
import { maybeTextIn, numberIn, textIn } from './statements.ts';

/** Rows of this many messages are in memory at a time. */
const ROWS = 1000;

/** Columns of `message` with what a row has, but for NUL characters in texts. */
const OF_MESSAGE: { readonly [column in Sortable]?: string } = {
  number: 'number',
  time: 'at',
  app: 'app',
  pubsub: 'pubsub',
  topic: 'topic',
  type: 'event_type',
  eventId: 'event_id',
  subject: 'subject',
  size: 'size',
  origin: 'origin',
  batch: 'batch',
  trace: 'trace',
};
const AMONG = 'number IN (SELECT value FROM json_each(?))';

const STATE_BITS: ReadonlyMap<string, number> = new Map(DELIVERY_STATES.map((state, at) => [state, 1 << at]));

/** Deliveries as far as their states go, each state once. */
type RowStates = readonly { readonly state: DeliveryState }[];

interface Reading {
  readonly statements: Statements;
  readonly reader: Pick<SqliteReader, 'rows'>;
}

export function columnValuesOf(
  { statements, reader }: Reading,
  numbers: readonly number[],
  column: Sortable,
): ColumnValues {
  const inMessage = OF_MESSAGE[column];
  if (inMessage !== undefined) return ofMessage(statements, numbers, inMessage);
  if (column === 'attempts') return attemptsOf(statements, numbers);
  return column === 'state' ? statesOf(statements, numbers) : ofRows(reader, numbers, column);
}

function ofMessage(statements: Statements, numbers: readonly number[], column: string): ColumnValues {
  const sql = `SELECT number, ${column} AS value FROM message WHERE ${AMONG}`;
  const rows = statements.all(sql, JSON.stringify(numbers));
  return {
    numbers: rows.map((row) => numberIn(row, 'number')),
    values: rows.map(({ value }) =>
      typeof value === 'string' || typeof value === 'number' ? value : undefined,
    ),
  };
}

function attemptsOf(statements: Statements, numbers: readonly number[]): ColumnValues {
  const sums = new Map<number, number>();
  const list = JSON.stringify(numbers);
  statements.atOneMoment(() => {
    for (const row of statements.all(`SELECT number FROM message WHERE ${AMONG}`, list))
      sums.set(numberIn(row, 'number'), 0);
    for (const row of statements.all(`SELECT number, attempts FROM delivery WHERE ${AMONG}`, list)) {
      const number = numberIn(row, 'number');
      sums.set(number, (sums.get(number) ?? 0) + numberIn(row, 'attempts'));
    }
  });
  return { numbers: [...sums.keys()], values: [...sums.values()] };
}

function statesOf(statements: Statements, numbers: readonly number[]): ColumnValues {
  const list = JSON.stringify(numbers);
  return statements.atOneMoment(() => {
    const states = deliveryStates(statements, list);
    const rows = statements.all(
      `SELECT m.number, m.stage, ${UNSEEN_BY} AS tap FROM message m WHERE m.${AMONG}`,
      list,
    );
    const found = rows.map((row) => numberIn(row, 'number'));
    const values = rows.map((row, at) => {
      const stage = STAGES.find((each) => each === maybeTextIn(row, 'stage'));
      const deliveries = states(found[at] ?? 0);
      const tap = maybeTextIn(row, 'tap');
      return rankOf(worstState({ deliveries, ...withoutUndefined({ stage, tap }) }));
    });
    return { numbers: found, values };
  });
}

/**
 * States of the deliveries of these messages, by number of the message.
 * @param list the numbers as JSON
 */
function deliveryStates(statements: Statements, list: string): (number: number) => RowStates {
  // Bits are used instead of sets, because making sets for a hundred thousand messages takes longer than reading them.
  const bits = new Map<number, number>();
  for (const row of statements.all(`SELECT number, state FROM delivery WHERE ${AMONG}`, list)) {
    const number = numberIn(row, 'number');
    const bit = STATE_BITS.get(textIn(row, 'state')) ?? 0;
    bits.set(number, (bits.get(number) ?? 0) | bit);
  }
  const made = new Map<number, RowStates>();
  return (number) => {
    const all = bits.get(number) ?? 0;
    const states =
      made.get(all) ?? DELIVERY_STATES.filter((_state, at) => all & (1 << at)).map((state) => ({ state }));
    made.set(all, states);
    return states;
  };
}

function ofRows(
  reader: Pick<SqliteReader, 'rows'>,
  numbers: readonly number[],
  column: Sortable,
): ColumnValues {
  const found: number[] = [];
  const values: SortValue[] = [];
  for (let at = 0; at < numbers.length; at += ROWS) {
    for (const row of reader.rows(numbers.slice(at, at + ROWS))) {
      if (row === undefined) continue;
      found.push(row.number);
      values.push(sortValueOf(column, row));
    }
  }
  return { numbers: found, values };
}
