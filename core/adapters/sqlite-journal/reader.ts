/** The reading side of the file: messages by id and number, small things, sizes. Synchronous, on a connection that cannot write. */
import type { Attempt, DeliveryRow, MessageRow, Transition } from '../../contract/message.ts';
import type { JournalStats, MessageDetailSource, StoredMessage, Unfinished } from '../../ports/journal.ts';
import { isObject } from '../../domain/json.ts';
import { deliveryRow } from '../../domain/delivery-row.ts';
import { STANDING } from './schema.ts';
import type { Row, Statements } from './prepared.ts';
import {
  attemptIn,
  callIn,
  DELIVERY_COLUMNS,
  deliveryIn,
  rowIn,
  standInRow,
  transitionIn,
  valueIn,
} from './read-back.ts';
import type { Call } from './read-back.ts';
import { maybeTextIn, numberIn, textIn, wireIn } from './statements.ts';
import { checksumOf } from './checksums.ts';

export interface UnfinishedSlice {
  readonly items: readonly Unfinished[];
  /** Ids of damaged messages, which are left out. */
  readonly damaged: readonly string[];
  /** Number after which the next page begins; undefined: no more. */
  readonly next?: number;
}

/** A message with all that belongs to it. */
export interface Whole extends MessageDetailSource {
  readonly published: boolean;
  /** True when the message is what was written; else it has what is left. */
  readonly isSound: boolean;
}

/** Deliveries of several messages, by their numbers. */
interface Deliveries {
  readonly of: ReadonlyMap<number, Whole['deliveries']>;
  /** Numbers of messages of whose deliveries something could not be read. */
  readonly hurt: ReadonlySet<number>;
}

export class SqliteReader {
  readonly #statements: Statements;

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  get(messageId: string): MessageDetailSource | undefined {
    return this.#statements.atOneMoment(() => {
      const row = this.#statements.one('SELECT number FROM message WHERE id = ?', messageId);
      if (row === undefined) return undefined;
      return this.#details([numberIn(row, 'number')]).at(0);
    });
  }

  details(numbers: readonly number[]): (MessageDetailSource | undefined)[] {
    const found = this.#statements.atOneMoment(() => this.#details(numbers));
    const byNumber = new Map(found.map((detail) => [detail.row.number, detail]));
    return numbers.map((number) => byNumber.get(number));
  }

  #details(numbers: readonly number[]): MessageDetailSource[] {
    return this.wholes(numbers).map(({ published: _published, isSound: _sound, ...detail }) => detail);
  }

  messageOfDelivery(deliveryId: string): string | undefined {
    const sql = 'SELECT m.id FROM delivery d JOIN message m USING (number) WHERE d.id = ?';
    return maybeTextIn(this.#statements.one(sql, deliveryId), 'id');
  }

  rows(numbers: readonly number[]): (MessageRow | undefined)[] {
    const found = this.#statements.atOneMoment(() => this.#rowsOf(numbers));
    return numbers.map((number) => found.get(number));
  }

  #rowsOf(numbers: readonly number[]): Map<number, MessageRow> {
    const list = JSON.stringify(numbers);
    const deliveries = new Map<number, DeliveryRow[]>();
    for (const row of this.#statements.all(
      `SELECT ${DELIVERY_COLUMNS} FROM delivery WHERE ${AMONG} ORDER BY number, nth`,
      list,
    ))
      push(deliveries, numberIn(row, 'number'), deliveryRow(deliveryIn(row, '').value));
    const rows = new Map<number, MessageRow>();
    for (const row of this.#statements.all(`SELECT number, row FROM content WHERE ${AMONG}`, list)) {
      const number = numberIn(row, 'number');
      const shown = rowIn(textIn(row, 'row'), number) ?? this.#standIn(number);
      rows.set(number, { ...shown, deliveries: deliveries.get(number) ?? [] });
    }
    return rows;
  }

  lastSequence(): number {
    return numberIn(this.#statements.one('SELECT sequence FROM totals'), 'sequence');
  }

  /** JSON text from the file. */
  kept(key: string): string | undefined {
    return maybeTextIn(this.#statements.one('SELECT value FROM kept WHERE key = ?', key), 'value');
  }

  stats(): JournalStats {
    const row = this.#statements.one(
      'SELECT messages, bytes, last_number, (SELECT min(number) FROM message) AS oldest FROM totals',
    );
    return {
      messages: numberIn(row, 'messages'),
      bytes: numberIn(row, 'bytes'),
      lastNumber: numberIn(row, 'last_number'),
      oldestNumber: numberIn(row, 'oldest'),
    };
  }

  /** Open messages with a number above `after` and not above `last`, at most `limit`. */
  unfinished(after: number, last: number, limit: number): UnfinishedSlice {
    return this.#statements.atOneMoment(() => {
      const sql = `SELECT number, size FROM message WHERE standing = ${STANDING.open} AND number > ? AND number <= ?
        ORDER BY number LIMIT ?`;
      const found = this.#statements.all(sql, after, last, limit);
      const numbers = withinSize(found);
      const next = numbers.length === limit || numbers.length < found.length ? numbers.at(-1) : undefined;
      const wholes = this.wholes(numbers);
      return {
        items: wholes
          .filter(({ isSound }) => isSound)
          .map(({ message, published, deliveries }) => ({ message, published, deliveries })),
        damaged: wholes.filter(({ isSound }) => !isSound).map(({ message }) => message.row.messageId),
        ...(next === undefined ? {} : { next }),
      };
    });
  }

  /** Whole messages in the order of their numbers. */
  wholes(numbers: readonly number[]): Whole[] {
    const list = JSON.stringify(numbers);
    const contents = this.#statements.all(
      `SELECT c.number, c.sum, c.row, c.given, c.metadata, c.released, c.wire, m.published
       FROM content c JOIN message m USING (number) WHERE c.${AMONG} ORDER BY c.number`,
      list,
    );
    const wires = new Map(contents.map((row) => [numberIn(row, 'number'), textIn(row, 'wire')]));
    const deliveries = this.#deliveriesOf(list, wires);
    return contents.map((row) => this.#wholeOf(row, deliveries));
  }

  #wholeOf(found: Row, { of, hurt }: Deliveries): Whole {
    const number = numberIn(found, 'number');
    const text = textIn(found, 'row');
    const wire = wireIn(found, 'wire') ?? '';
    const read = rowIn(text, number);
    const row = read ?? this.#standIn(number);
    const metadata = valueIn<StoredMessage['metadata']>(found, 'metadata', {}, isObject);
    const released = valueIn<readonly string[] | undefined>(found, 'released', undefined, Array.isArray);
    const message: StoredMessage = {
      row,
      wire,
      metadata: metadata.value,
      givenContentType: textIn(found, 'given'),
      ...(released.value === undefined ? {} : { releasedFrom: released.value }),
    };
    const deliveries = of.get(number) ?? [];
    const isWritten = checksumOf(text, wire) === numberIn(found, 'sum') && read !== undefined;
    return {
      message,
      row: { ...row, deliveries: deliveries.map(({ delivery }) => deliveryRow(delivery)) },
      deliveries,
      published: numberIn(found, 'published') === 1,
      isSound: isWritten && metadata.isSound && released.isSound && !hurt.has(number),
    };
  }

  #standIn(number: number): MessageRow {
    return standInRow(this.#statements.one('SELECT * FROM message WHERE number = ?', number), number);
  }

  #deliveriesOf(list: string, wires: ReadonlyMap<number, string>): Deliveries {
    const hurt = new Set<number>();
    const attempts = new Map<string, Attempt[]>();
    const batches = this.#batchesOf(list);
    for (const row of this.#statements.all(
      `SELECT number, nth, sent_wire, batch, record FROM attempt WHERE ${AMONG} ORDER BY number, nth, n`,
      list,
    )) {
      const number = numberIn(row, 'number');
      const attempt = attemptIn(row, wires.get(number) ?? '', batches);
      if (attempt === undefined) hurt.add(number);
      else push(attempts, deliveryKey(row), attempt);
    }
    const transitions = new Map<string, Transition[]>();
    for (const row of this.#statements.all(
      `SELECT * FROM transition WHERE ${AMONG} ORDER BY number, nth, n`,
      list,
    )) {
      const transition = transitionIn(row);
      if (transition === undefined) hurt.add(numberIn(row, 'number'));
      else push(transitions, deliveryKey(row), transition);
    }
    const of = new Map<number, Whole['deliveries'][number][]>();
    const sql = `SELECT d.*, m.id AS message FROM delivery d JOIN message m USING (number)
      WHERE ${AMONG} ORDER BY number, nth`;
    for (const row of this.#statements.all(sql, list)) {
      const number = numberIn(row, 'number');
      const { value: delivery, isSound } = deliveryIn(row, textIn(row, 'message'));
      if (!isSound) hurt.add(number);
      const key = deliveryKey(row);
      push(of, number, {
        delivery,
        attempts: attempts.get(key) ?? [],
        transitions: transitions.get(key) ?? [],
      });
    }
    return { of, hurt };
  }

  /** Calls of batches, each read once, so that its attempts share one object, even when they are sent to another thread. */
  #batchesOf(list: string): ReadonlyMap<number, Call> {
    const rows = this.#statements.all(
      `SELECT batch, request, response FROM batch
       WHERE batch IN (SELECT batch FROM attempt WHERE ${AMONG} AND batch IS NOT NULL)`,
      list,
    );
    const calls = new Map<number, Call>();
    for (const row of rows) {
      const call = callIn(row);
      if (call !== undefined) calls.set(numberIn(row, 'batch'), call);
    }
    return calls;
  }
}

/** Bytes of the bodies of one slice; a message alone may have more. */
const SLICE_BYTES = 16 * 1024 * 1024;

/** Numbers of the first messages, as many as may be in memory together. */
function withinSize(rows: readonly Row[]): number[] {
  let bytes = 0;
  const numbers: number[] = [];
  for (const row of rows) {
    bytes += numberIn(row, 'size');
    if (numbers.length > 0 && bytes > SLICE_BYTES) break;
    numbers.push(numberIn(row, 'number'));
  }
  return numbers;
}

const AMONG = 'number IN (SELECT value FROM json_each(?))';

function push<K, V>(into: Map<K, V[]>, key: K, value: V): void {
  const list = into.get(key);
  if (list === undefined) into.set(key, [value]);
  else list.push(value);
}

function deliveryKey(row: Row): string {
  return `${numberIn(row, 'number')}.${numberIn(row, 'nth')}`;
}
