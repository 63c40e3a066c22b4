/** Counts by topic, subscription and state: gathered while groups are written, saved with the commit of all of them. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';

import { independent } from '../../domain/codec.ts';

export interface TallyKey {
  readonly pubsub: string;
  /** Topic of the message. */
  readonly topic: string;
  readonly app: string;
  /** Topic of the subscription. */
  readonly subscribed: string;
}

/** Names beside the states: messages, those that have a delivery, and those that nobody got until they were replayed. */
export const MESSAGE = 'message';
export const DELIVERED = 'delivered';
export const REPLAYED = 'replayed';

/** Counts of one subscription for one topic. */
export interface Tally {
  readonly key: TallyKey;
  /** By the group that is being written. */
  readonly changes: Map<string, number>;
  /** By groups before it; not saved yet. */
  readonly kept: Map<string, number>;
}

/** Maximum number of tallies that are found without building their full name; beyond it all are looked up again. */
const MAX_FOUND = 10_000;

export class Tallies {
  readonly #found = new Map<string, Tally>();
  readonly #changed = new Set<Tally>();
  readonly #kept = new Set<Tally>();
  readonly #save: StatementSync;
  readonly #dropEmpty: StatementSync;

  constructor(db: DatabaseSync) {
    this.#save = db.prepare(
      `INSERT INTO tally (pubsub, topic, app, subscribed, state, n) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET n = n + excluded.n`,
    );
    this.#dropEmpty = db.prepare('DELETE FROM tally WHERE pubsub = ? AND topic = ? AND n = 0');
  }

  of(key: TallyKey): Tally {
    const name = `${key.pubsub}\n${key.topic}\n${key.app}\n${key.subscribed}`;
    let tally = this.#found.get(name);
    if (tally === undefined) {
      if (this.#found.size >= MAX_FOUND) this.#found.clear();
      tally = { key: independentKey(key), changes: new Map(), kept: new Map() };
      // Texts that are joined hold their parts.
      this.#found.set(independent(name), tally);
    }
    return tally;
  }

  add(tally: Tally, state: string, by: number): void {
    tally.changes.set(state, (tally.changes.get(state) ?? 0) + by);
    this.#changed.add(tally);
  }

  messages(
    pubsub: string,
    topic: string,
    state: typeof MESSAGE | typeof DELIVERED | typeof REPLAYED,
    by: number,
  ): void {
    this.add(this.of({ pubsub, topic, app: '', subscribed: '' }), state, by);
  }

  /** The group was committed: its changes count. */
  keep(): void {
    for (const tally of this.#changed) {
      for (const [state, by] of tally.changes) tally.kept.set(state, (tally.kept.get(state) ?? 0) + by);
      tally.changes.clear();
      this.#kept.add(tally);
    }
    this.#changed.clear();
  }

  /** The group was not committed: its changes are forgotten. */
  drop(): void {
    for (const { changes } of this.#changed) changes.clear();
    this.#changed.clear();
  }

  /** Inside the transaction of what changed them. */
  save(): void {
    this.keep();
    const removed: TallyKey[] = [];
    for (const { key, kept } of this.#kept) {
      for (const [state, by] of kept) {
        if (by !== 0) this.#save.run(key.pubsub, key.topic, key.app, key.subscribed, state, by);
      }
      if ((kept.get(MESSAGE) ?? 0) < 0) removed.push(key);
      kept.clear();
    }
    this.#kept.clear();
    // Counters of a topic without messages would stay for good, and a program may use another topic for each message.
    for (const { pubsub, topic } of removed) this.#dropEmpty.run(pubsub, topic);
  }

  /** The transaction was rolled back: nothing since its last commit counts. */
  dropAll(): void {
    this.drop();
    for (const { kept } of this.#kept) kept.clear();
    this.#kept.clear();
  }
}

/** Names are parts of the text of all records that came with them, and a tally stays. */
function independentKey({ pubsub, topic, app, subscribed }: TallyKey): TallyKey {
  return {
    pubsub: independent(pubsub),
    topic: independent(topic),
    app: independent(app),
    subscribed: independent(subscribed),
  };
}
