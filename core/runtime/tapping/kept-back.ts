/** Deliveries and answers that a hold holds, and their release. */
import type { Attempt } from '../../contract/message.ts';
import type { ReceivedAnswer } from '../../ports/app-channel.ts';
import type { Passage } from '../../ports/tap.ts';
import type { Signals } from '../signals.ts';
import type { Deliveries } from '../state/delivery.ts';
import type { LiveDelivery } from '../state/live.ts';
import { PASS } from './observed-call.ts';

/** Outcome of a delivery that a hold holds before the app. */
export interface KeptPassage {
  readonly passage: Promise<Passage>;
}

/** Outcome of an answer that a hold holds before the sidecar. */
export interface KeptAnswer {
  readonly changed: Promise<ReceivedAnswer | undefined>;
}

interface HeldDelivery {
  readonly attempt: Pick<Attempt, 'protocol' | 'bulk'>;
  /** Releases it. */
  readonly go: (passage: Passage) => void;
}

export class KeptBack {
  readonly #deliveries: Deliveries;
  readonly #held = new Map<LiveDelivery, HeldDelivery>();
  readonly #answers = new Map<LiveDelivery, (changed: ReceivedAnswer | undefined) => void>();
  /** Answers of a person instead of the app, until the call ends with them. */
  readonly #replies = new Map<LiveDelivery, ReceivedAnswer>();

  constructor(signals: Signals, deliveries: Deliveries) {
    this.#deliveries = deliveries;
    signals.on('ready', (d) => this.#ready(d));
    signals.on('replied', ({ d, answerTo }) => {
      const held = this.#held.get(d);
      if (held !== undefined) this.#replies.set(d, answerTo(held.attempt));
    });
    signals.on('answerReleased', ({ d, changed }) => this.#releaseAnswer(d, changed));
  }

  /**
   * Holds a delivery until a person or the hold releases it, or its sidecar no longer waits.
   * @param begin begins the attempt; called before a released delivery continues
   */
  delivery(d: LiveDelivery, attempt: HeldDelivery['attempt'], begin: () => void): KeptPassage {
    const passage = new Promise<Passage>((go) => {
      const goOn = (how: Passage): void => {
        this.#held.delete(d);
        if (d.state === 'queued') begin();
        go(how);
      };
      this.#held.set(d, { attempt, go: goOn });
      // A message that is removed from the history still passes to the app.
      d.onlyWhenEnded(() => this.#held.get(d)?.go(PASS));
    });
    return { passage };
  }

  answer(d: LiveDelivery): KeptAnswer {
    return { changed: new Promise((go) => void this.#answers.set(d, go)) };
  }

  /** Answers all held entries of a batch, because a batch has one answer. */
  answerAll(all: readonly (LiveDelivery | undefined)[], answer: ReceivedAnswer): void {
    for (const d of all) {
      if (d === undefined || !this.#held.has(d)) continue;
      this.#replies.set(d, answer);
      this.#deliveries.move(d, { type: 'user.release' });
    }
  }

  /** Releases a delivery and its answer, because its call has ended. */
  release(d: LiveDelivery): void {
    this.#held.get(d)?.go(PASS);
    this.#releaseAnswer(d, undefined);
  }

  #ready(d: LiveDelivery): void {
    const held = this.#held.get(d);
    if (held === undefined) return;
    const { go } = held;
    const reply = this.#replies.get(d);
    this.#replies.delete(d);
    if (reply !== undefined) {
      go({ kind: 'answered', answer: reply });
      return;
    }
    const wire = d.changed?.wire;
    go(wire === undefined ? PASS : { kind: 'changed', wires: new Map([[d.deliveryId, wire]]) });
  }

  #releaseAnswer(d: LiveDelivery, changed: ReceivedAnswer | undefined): void {
    this.#answers.get(d)?.(changed);
    this.#answers.delete(d);
  }
}
