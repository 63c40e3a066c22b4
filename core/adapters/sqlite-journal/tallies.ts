/** Counts by topic, subscription and state: gathered while a group is written, saved with it. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';

export interface TallyKey {
  readonly pubsub: string;
  /** Topic of the message. */
  readonly topic: string;
  readonly app: string;
  /** Topic of the subscription. */
  readonly subscribed: string;
}

/** Names beside the states: messages, and messages that have a delivery. */
export const MESSAGE = 'message';
export const DELIVERED = 'delivered';

/** What one subscription has of one topic. */
export interface Tally {
  readonly key: TallyKey;
  /** Not saved yet. */
  readonly changes: Map<string, number>;
}

/** Found again without putting their names together; beyond so many they are looked up anew. */
const MOST_FOUND = 10_000;

export class Tallies {
  readonly #found = new Map<string, Tally>();
  readonly #changed = new Set<Tally>();
  readonly #save: StatementSync;

  constructor(db: DatabaseSync) {
    this.#save = db.prepare(
      `INSERT INTO tally (pubsub, topic, app, subscribed, state, n) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET n = n + excluded.n`,
    );
  }

  of(key: TallyKey): Tally {
    const name = `${key.pubsub}\n${key.topic}\n${key.app}\n${key.subscribed}`;
    let tally = this.#found.get(name);
    if (tally === undefined) {
      if (this.#found.size >= MOST_FOUND) this.#found.clear();
      tally = { key, changes: new Map() };
      this.#found.set(name, tally);
    }
    return tally;
  }

  add(tally: Tally, state: string, by: number): void {
    tally.changes.set(state, (tally.changes.get(state) ?? 0) + by);
    this.#changed.add(tally);
  }

  messages(pubsub: string, topic: string, state: typeof MESSAGE | typeof DELIVERED, by: number): void {
    this.add(this.of({ pubsub, topic, app: '', subscribed: '' }), state, by);
  }

  /** Inside the transaction of what changed them. */
  save(): void {
    for (const { key, changes } of this.#changed) {
      for (const [state, by] of changes) {
        if (by !== 0) this.#save.run(key.pubsub, key.topic, key.app, key.subscribed, state, by);
      }
      changes.clear();
    }
    this.#changed.clear();
  }

  /** What was gathered did not come about. */
  drop(): void {
    for (const { changes } of this.#changed) changes.clear();
    this.#changed.clear();
  }
}
