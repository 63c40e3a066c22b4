/** Counts by topic, subscription and state: gathered while a group is written, saved with it. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';

export interface TallyKey {
  readonly pubsub: string;
  /** Of the message. */
  readonly topic: string;
  readonly app: string;
  /** Topic of the subscription. */
  readonly subscribed: string;
}

/** Names beside the states: messages, and messages that have a delivery. */
export const MESSAGE = 'message';
export const DELIVERED = 'delivered';

interface Change {
  readonly key: TallyKey;
  readonly state: string;
  by: number;
}

export class Tallies {
  readonly #changes = new Map<string, Change>();
  readonly #save: StatementSync;

  constructor(db: DatabaseSync) {
    this.#save = db.prepare(
      `INSERT INTO tally (pubsub, topic, app, subscribed, state, n) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET n = n + excluded.n`,
    );
  }

  add(key: TallyKey, state: string, by: number): void {
    const name = `${key.pubsub}\n${key.topic}\n${key.app}\n${key.subscribed}\n${state}`;
    const known = this.#changes.get(name);
    if (known === undefined) this.#changes.set(name, { key, state, by });
    else known.by += by;
  }

  messages(pubsub: string, topic: string, state: typeof MESSAGE | typeof DELIVERED, by: number): void {
    this.add({ pubsub, topic, app: '', subscribed: '' }, state, by);
  }

  /** Inside the transaction of what changed them. */
  save(): void {
    for (const { key, state, by } of this.#changes.values()) {
      if (by !== 0) this.#save.run(key.pubsub, key.topic, key.app, key.subscribed, state, by);
    }
    this.#changes.clear();
  }

  /** What was gathered did not come about. */
  drop(): void {
    this.#changes.clear();
  }
}
