/** One delivery's life: the only place where a state is set. Every input goes through the machine, is journalled and told. */
import type { Attempt, MessageRow, Transition } from '../contract/message.ts';
import { step } from '../domain/machine.ts';
import type { Input } from '../domain/machine.ts';
import { Refusal } from '../domain/refusal.ts';
import type { JournalRecord } from '../ports/journal.ts';
import type { Taken } from '../ports/pubsub.ts';
import { deliveryRow, laneName, rowOf, storedDelivery } from './live.ts';
import type { LiveDelivery, LiveMessage } from './live.ts';
import { isEnded } from './live-set.ts';
import type { Shared } from './shared.ts';
import { iso } from './time.ts';

export interface ApplyMore {
  readonly note?: string;
  /** The attempt that ended with this transition. */
  readonly attempt?: Attempt;
}

export class Deliveries {
  readonly #shared: Shared;
  /** Set by the dispatcher: where a delivery goes that may be attempted. */
  onReady: (d: LiveDelivery) => void = () => undefined;

  constructor(shared: Shared) {
    this.#shared = shared;
  }

  /**
   * Puts one input into the machine. Resolves when the transition is journalled.
   * Throws Refusal TRANSITION_NOT_ALLOWED (data: state), then nothing changed.
   */
  apply(d: LiveDelivery, input: Input, more: ApplyMore = {}): Promise<void> {
    if (d.message.gone) return Promise.resolve();
    const { recorder, metrics, writer } = this.#shared;
    const now = this.#shared.clock.now();
    const next = step(d.state, input);
    if (!next.ok) throw notAllowed(d, input.type);
    const from = d.state;
    d.state = next.to;
    d.timer += 1;
    if (next.to !== 'retrying') d.dueMs = undefined;
    if (next.to !== 'held') {
      d.heldAt = undefined;
      d.heldBy = undefined;
    }
    const transition: Transition = {
      from,
      to: next.to,
      at: iso(now),
      sequence: recorder.reserve(),
      cause: next.cause,
      rule: next.rule,
      ...(more.note === undefined ? {} : { note: more.note }),
    };
    d.lastTransition = transition;
    const { pubsubname, topic } = d.message.row;
    metrics.moved(pubsubname, topic, this.laneOf(d), from, next.to);
    const written = writer.record([
      {
        kind: 'delivery',
        delivery: storedDelivery(d, iso),
        transition,
        ...(more.attempt === undefined ? {} : { attempt: more.attempt }),
      },
    ]);
    const row = deliveryRow(d, iso);
    recorder.emit({
      type: 'delivery.changed',
      sequence: transition.sequence,
      messageId: d.message.messageId,
      deliveryId: d.deliveryId,
      transition,
      attempts: d.attemptCount,
      ...(row.nextAttemptAt === undefined ? {} : { nextAttemptAt: row.nextAttemptAt }),
      delivery: row,
    });
    if (next.to === 'queued') this.onReady(d);
    if (isEnded(d) || next.to === 'parked') this.#finish(d, written);
    return written;
  }

  /** Journals members of the delivery that are not its state (route, due moment, held answer) and shows them. */
  changed(d: LiveDelivery): Promise<void> {
    this.#shared.recorder.add({ type: 'message.added', row: rowOf(d.message, iso) });
    return this.#shared.writer.record([{ kind: 'delivery', delivery: storedDelivery(d, iso) }]);
  }

  /** Changes members of a live message's row; `undefined` removes one. */
  patchMessage(
    message: LiveMessage,
    patch: { [K in keyof MessageRow]?: MessageRow[K] | undefined },
  ): Promise<void> {
    const row: Record<string, unknown> = { ...message.row };
    const stored: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(patch)) {
      stored[key] = value ?? null;
      if (value === undefined) delete row[key];
      else row[key] = value;
    }
    message.row = row as unknown as MessageRow;
    this.#shared.live.stageChanged(message);
    const record: JournalRecord = {
      kind: 'message.changed',
      messageId: message.messageId,
      patch: stored,
    };
    const written = this.#shared.writer.record([record]);
    this.#shared.recorder.add({ type: 'message.added', row: rowOf(message, iso) });
    return written;
  }

  /** The component has it and all its deliveries are made: from now on a restart does not publish it again. */
  published(message: LiveMessage): void {
    message.published = true;
    void this.#shared.writer.record([{ kind: 'message.published', messageId: message.messageId }]);
    this.#shared.live.removeIfFinished(message);
  }

  /** Lets go of a message that is being removed: calls are cut, components told, timers and queues pass it over. */
  forget(message: LiveMessage): void {
    message.gone = true;
    for (const d of message.deliveries) {
      d.timer += 1;
      d.attemptId = undefined;
      d.heldAnswer = undefined;
      d.call?.cancel('the message was removed');
      for (const done of d.done) done('done');
      d.done = [];
    }
    this.#shared.live.remove(message);
  }

  laneOf(d: LiveDelivery): string {
    return laneName({ appId: d.appId, pubsubname: d.subscription.pubsubname, topic: d.subscription.topic });
  }

  /** Tells the component once the end is on disk, and forgets the message when nothing of it is open. */
  #finish(d: LiveDelivery, written: Promise<void>): void {
    const waiting = d.done;
    d.done = [];
    void written.then(() => {
      for (const done of waiting) done('done' satisfies Taken);
    });
    this.#shared.live.removeIfFinished(d.message);
  }
}

/** The refusal of a manual act, with the present state. */
export function notAllowed(d: LiveDelivery, act: string): Refusal {
  const state = d.state ?? 'queued';
  const reason =
    state === 'attempting' && act === 'user.drop'
      ? 'The app already has it; wait for the answer or cancel the call.'
      : `${act.replace('user.', '')} is not possible while the delivery is ${state}`;
  return new Refusal('TRANSITION_NOT_ALLOWED', { reason }, { data: { state, deliveryId: d.deliveryId } });
}
