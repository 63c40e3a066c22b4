/** Writes deliveries with their attempts and transitions; of a long history only the newest are kept. */
import type { DatabaseSync } from 'node:sqlite';

import { isReplayedSince } from '../../contract/attention.ts';
import { DELIVERY_STATES } from '../../contract/delivery.ts';
import { independent } from '../../domain/codec.ts';
import { hasEnded } from '../../domain/delivery-end.ts';
import { KEPT_ATTEMPTS, KEPT_TRANSITIONS } from '../stored/standing.ts';
import type { BatchTable } from './batches.ts';
import { columnText } from './columns.ts';
import type { DeliveryStep } from './joined.ts';
import { rowIn } from './read-back.ts';
import type { AttemptOp, TransitionOp } from './records.ts';
import { HAS_DELIVERY, IS_SILENT, STANDING } from './schema.ts';
import { charactersOrBytes, maybeTextIn, numberIn, textIn } from './statements.ts';
import { DELIVERED, REPLAYED } from './tallies.ts';
import type { Tallies, Tally } from './tallies.ts';

/** Room beside the texts, as in tables.ts. */
const DELIVERY_BYTES = 250;
const ATTEMPT_BYTES = 60;
const TRANSITION_BYTES = 130;

export interface Recorded {
  readonly number: number;
  /** Bytes that the delivery takes more than before. */
  readonly bytes: number;
  /** Highest sequence number of its transitions; 0: there are none. */
  readonly sequence: number;
  /** True where the message may have become open, or finished, by this record. */
  readonly hasMoved: boolean;
}

/** A message that is written with its deliveries. */
interface Fresh {
  readonly number: number;
  readonly home: string;
  readonly topic: string;
  /**
   * Whether the message was open when it came. A delivery may have opened it since, which only costs a needless look; any other change
   * calls `forgetMessage` first.
   */
  readonly isOpen: boolean;
  /** Whether it counts as replayed as long as it has no delivery. */
  readonly isReplayed: boolean;
  /** Deliveries that it has so far. */
  deliveries: number;
}

interface Known {
  readonly number: number;
  readonly nth: number;
  readonly isNew: boolean;
  /** Present state; undefined: the delivery is new. */
  readonly state: string | undefined;
  /** Counters of the delivery; undefined: not looked up yet. */
  readonly tally: Tally | undefined;
  /** Component and topic of its message. */
  readonly home: string;
  readonly topic: string;
  /** Whether its message counts as replayed until the delivery is written. */
  readonly isReplayed: boolean;
  /** True when the delivery is open; for a new one, when its message is, as one more then makes no difference. */
  readonly isOpen: boolean;
  readonly madeAttempts: number;
  readonly madeTransitions: number;
  readonly bytes: number;
  /** Bytes of the delivery's record alone, and of these what a person changed. */
  readonly own: number;
  readonly changed: number;
}

/** Deliveries that are remembered between their records, so that they are not looked up each time. */
const MAX_REMEMBERED = 10_000;
const FORGOTTEN_AT_ONCE = 2_000;

export class DeliveryTables {
  readonly #remembered = new Map<string, Known>();
  /**
   * Messages that came with the calls that are being applied. Most have their deliveries right behind them, which then need no lookup
   * (91 µs of the writing thread a message instead of 117).
   */
  readonly #fresh = new Map<string, Fresh>();
  readonly #tallies: Tallies;
  readonly #batches: BatchTable;
  readonly #find;
  readonly #findMessage;
  readonly #add;
  readonly #update;
  readonly #addAttempt;
  readonly #oldAttempt;
  readonly #addTransition;
  readonly #dropTransition;
  readonly #noteEdited;

  constructor(db: DatabaseSync, tallies: Tallies, batches: BatchTable) {
    this.#tallies = tallies;
    this.#batches = batches;
    this.#find = db.prepare(
      `SELECT d.number, nth, state, made_attempts, made_transitions, d.bytes, own, topic, m.pubsub AS home,
         NOT ${IS_SILENT} AS speaks, iif(changed IS NULL, 0, own - length(record)) AS edited
       FROM delivery d JOIN message m USING (number) WHERE d.id = ?`,
    );
    this.#findMessage = db.prepare(
      `SELECT number, standing, topic, pubsub AS home, (SELECT ifnull(max(nth), 0) FROM delivery d WHERE d.number = m.number) AS last,
         CASE WHEN stage IS NULL AND NOT ${HAS_DELIVERY} THEN (SELECT row FROM content c WHERE c.number = m.number) END AS undelivered
       FROM message m WHERE id = ?`,
    );
    this.#add = db.prepare(
      `INSERT INTO delivery (number, nth, id, state, app, route, attempts, made_attempts, made_transitions,
         bytes, own, record, changed, pubsub, subscribed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#update = db.prepare(
      `UPDATE delivery SET state = ?, app = ?, route = ?, attempts = ?, made_attempts = ?, made_transitions = ?,
         bytes = ?, own = ?, record = ?, changed = ifnull(?, changed) WHERE number = ? AND nth = ?`,
    );
    this.#addAttempt = db.prepare(
      `INSERT INTO attempt (number, nth, n, status, error_code, error, sent_wire, batch, record)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#oldAttempt = db.prepare(
      'DELETE FROM attempt WHERE number = ? AND nth = ? AND n = ? RETURNING record, batch',
    );
    this.#addTransition = db.prepare(
      `INSERT INTO transition (number, nth, n, was, state, at, sequence, cause, rule, note)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#dropTransition = db.prepare('DELETE FROM transition WHERE number = ? AND nth = ? AND n = ?');
    this.#noteEdited = db.prepare('UPDATE message SET agrees = 0 WHERE number = ?');
  }

  /** A message was written, and has no delivery yet. */
  came(messageId: string, message: Omit<Fresh, 'deliveries'>): void {
    this.#fresh.set(messageId, { ...message, deliveries: 0 });
  }

  /** A message changed by more than its deliveries. */
  forgetMessage(messageId: string): void {
    this.#fresh.delete(messageId);
  }

  /** Forgets all new messages: the calls are over, or one of them removes messages. */
  forgetMessages(): void {
    this.#fresh.clear();
  }

  /** Undefined: its message was removed meanwhile. */
  record({ now, changed, transitions, attempts: made }: DeliveryStep): Recorded | undefined {
    const [, id, messageId, state, app, route, attempts, record, , pubsub, subscribed, , , silent] = now;
    const known = this.#placeOf(id, messageId);
    if (known === undefined) return undefined;
    const { number, nth, home, topic } = known;
    const edited = changed === null ? known.changed : charactersOrBytes(changed);
    const own = record.length + edited;
    const bytes =
      known.bytes + own - known.own + this.#attempted(known, made) + this.#moved(known, transitions);
    const madeAttempts = known.madeAttempts + made.length;
    const madeTransitions = known.madeTransitions + transitions.length;
    const path = route === null ? null : columnText(route);
    const shown = [state, columnText(app), path, attempts, madeAttempts, madeTransitions] as const;
    if (known.isNew)
      this.#add.run(number, nth, id, ...shown, bytes, own, record, changed, pubsub, subscribed);
    else this.#update.run(...shown, bytes, own, record, changed, number, nth);
    if (changed !== null) this.#noteEdited.run(number);
    const tally = known.tally ?? this.#tallies.of({ pubsub, topic, app: columnText(app), subscribed });
    this.#count(known, tally, state);
    const isNowOpen = silent !== 1 && isOpen(state);
    const counts = { madeAttempts, madeTransitions, bytes, own, changed: edited };
    this.#remember(id, {
      number,
      nth,
      isNew: false,
      state,
      tally,
      home,
      topic,
      isReplayed: false,
      isOpen: isNowOpen,
      ...counts,
    });
    return {
      number,
      bytes: bytes - (known.isNew ? 0 : known.bytes),
      sequence: transitions.reduce((most, [, , , sequence]) => Math.max(most, sequence), 0),
      hasMoved: known.isOpen !== isNowOpen,
    };
  }

  /** Forgets what is remembered, because a rollback or a removal may have made it wrong. */
  forget(): void {
    this.#remembered.clear();
    this.#fresh.clear();
  }

  #placeOf(deliveryId: string, messageId: string): Known | undefined {
    const remembered = this.#remembered.get(deliveryId);
    if (remembered !== undefined) return remembered;
    const fresh = this.#fresh.get(messageId);
    if (fresh !== undefined) return newDelivery(fresh, ++fresh.deliveries);
    return this.#known(deliveryId) ?? this.#deliveryFor(messageId);
  }

  #count(known: Known, tally: Tally, state: string): void {
    if (known.state === state) return;
    if (known.state !== undefined) this.#tallies.add(tally, known.state, -1);
    this.#tallies.add(tally, state, 1);
    if (!known.isNew || known.nth > 1) return;
    this.#tallies.messages(known.home, known.topic, DELIVERED, 1);
    // A broker that keeps its messages may give one to an app after its replay.
    if (known.isReplayed) this.#tallies.messages(known.home, known.topic, REPLAYED, -1);
  }

  #remember(id: string, known: Known): void {
    // A delivery that has ended changes no more.
    if (!known.isOpen) {
      this.#remembered.delete(id);
      return;
    }
    // The id is a part of the text of all records that came with it.
    this.#remembered.set(this.#remembered.has(id) ? id : independent(id), known);
    if (this.#remembered.size > MAX_REMEMBERED) this.#forgetOldest();
  }

  /** Many at a time: to find the first key of a map takes longer with each key that was removed before it. */
  #forgetOldest(): void {
    let left = FORGOTTEN_AT_ONCE;
    for (const id of this.#remembered.keys()) {
      if (left-- === 0) break;
      this.#remembered.delete(id);
    }
  }

  #known(deliveryId: string): Known | undefined {
    const row = this.#find.get(deliveryId);
    if (row === undefined) return undefined;
    return {
      number: numberIn(row, 'number'),
      nth: numberIn(row, 'nth'),
      isNew: false,
      state: textIn(row, 'state'),
      tally: undefined,
      home: textIn(row, 'home'),
      topic: textIn(row, 'topic'),
      isReplayed: false,
      isOpen: numberIn(row, 'speaks') === 1 && isOpen(textIn(row, 'state')),
      madeAttempts: numberIn(row, 'made_attempts'),
      madeTransitions: numberIn(row, 'made_transitions'),
      bytes: numberIn(row, 'bytes'),
      own: numberIn(row, 'own'),
      changed: numberIn(row, 'edited'),
    };
  }

  /** The facts for a new delivery of this message. */
  #deliveryFor(messageId: string): Known | undefined {
    const row = this.#findMessage.get(messageId);
    if (row === undefined) return undefined;
    const number = numberIn(row, 'number');
    const message = {
      number,
      home: textIn(row, 'home'),
      topic: textIn(row, 'topic'),
      isOpen: numberIn(row, 'standing') === STANDING.open,
      isReplayed: isReplayedIn(maybeTextIn(row, 'undelivered') ?? '', number),
    };
    return newDelivery(message, numberIn(row, 'last') + 1);
  }

  /** Adds attempts; gives the bytes that they take. */
  #attempted({ number, nth, madeAttempts }: Known, attempts: readonly AttemptOp[]): number {
    let bytes = 0;
    for (const [index, [record, status, code, error, sentWire, key]] of attempts.entries()) {
      const n = madeAttempts + index + 1;
      // Filters compare the error without regard to case, so it is stored in lower case.
      const text = error === null ? null : columnText(error.toLowerCase());
      const batch = key === null ? null : this.#batches.numberOf(key);
      this.#addAttempt.run(
        number,
        nth,
        n,
        status,
        code?.toLowerCase() ?? null,
        text,
        sentWire,
        batch,
        record,
      );
      bytes += ATTEMPT_BYTES + record.length;
      if (n > KEPT_ATTEMPTS) bytes -= this.#withoutAttempt(number, nth, n - KEPT_ATTEMPTS);
    }
    return bytes;
  }

  /** Drops an attempt; gives the bytes that it took. */
  #withoutAttempt(number: number, nth: number, n: number): number {
    const dropped = this.#oldAttempt.get(number, nth, n);
    const batch = numberIn(dropped, 'batch');
    if (batch > 0) this.#batches.drop([batch]);
    return ATTEMPT_BYTES + textIn(dropped, 'record').length;
  }

  /** Adds transitions; gives the bytes that they take. */
  #moved({ number, nth, madeTransitions }: Known, transitions: readonly TransitionOp[]): number {
    let bytes = 0;
    for (const [index, transition] of transitions.entries()) {
      const n = madeTransitions + index + 1;
      this.#addTransition.run(number, nth, n, ...transition);
      if (n <= KEPT_TRANSITIONS) bytes += TRANSITION_BYTES;
      else this.#dropTransition.run(number, nth, n - KEPT_TRANSITIONS);
    }
    return bytes;
  }
}

function newDelivery(
  { number, home, topic, isReplayed, isOpen: isMessageOpen }: Omit<Fresh, 'deliveries'>,
  nth: number,
): Known {
  return {
    number,
    nth,
    isNew: true,
    state: undefined,
    tally: undefined,
    home,
    topic,
    isReplayed,
    isOpen: isMessageOpen,
    madeAttempts: 0,
    madeTransitions: 0,
    bytes: DELIVERY_BYTES,
    own: 0,
    changed: 0,
  };
}

/** @param text the row of a message without a delivery; "" for any other. Nearly none names a replay, so nearly none is parsed. */
function isReplayedIn(text: string, number: number): boolean {
  const row = text.includes('"replayedAs"') ? rowIn(text, number) : undefined;
  return row !== undefined && isReplayedSince(row);
}

function isOpen(state: string): boolean {
  const known = DELIVERY_STATES.find((each) => each === state);
  return known === undefined || !hasEnded({ state: known });
}
