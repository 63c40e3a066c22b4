/** One delivery's life: every input goes through the machine, changes the delivery, is journalled and shown. */
import type { CountedWithout } from '../../contract/attention.ts';
import type { Attempt, MessageRow, Transition } from '../../contract/message.ts';
import { isTaken } from '../../domain/delivery-end.ts';
import { lastMade, SMALL_BODY_BYTES } from '../../domain/last-made.ts';
import { step } from '../../domain/machine.ts';
import type { Input } from '../../domain/machine.ts';
import { Refusal } from '../../domain/refusal.ts';
import { rowWithPatch } from '../../domain/row-patch.ts';
import type { RowPatchOf } from '../../domain/row-patch.ts';
import type { JournalRecord, MessageContent, MessagePatch } from '../../ports/journal.ts';
import { liveWithout, rowOf, storedDelivery } from './live.ts';
import type { LiveDelivery, LiveMessage } from './live.ts';
import { placeOf } from './state-tally.ts';
import type { SharedServices } from '../common-services.ts';
import { iso } from '../time/time.ts';

/** Members of a row to change; `undefined` removes one. */
export type RowPatch = RowPatchOf<undefined>;

/** New content of a message and the changes of its row. */
export interface Rewritten {
  readonly patch: RowPatch & { readonly sizeBytes: number };
  readonly content: MessageContent;
}

export interface ApplyMore {
  readonly note?: string | undefined;
  /** The attempt that ended with this transition. */
  readonly attempt?: Attempt;
  /** The hold that caught it. */
  readonly heldBy?: string | undefined;
  /** When the attempt is due that the new state waits for. */
  readonly dueMs?: number | undefined;
  /** When it happened, if a tap saw it before it was reported; absent: now. */
  readonly atMs?: number | undefined;
}

export class Deliveries {
  readonly #shared: SharedServices;

  constructor(shared: SharedServices) {
    this.#shared = shared;
  }

  /**
   * Applies one input to the machine. Resolves when the transition is on disk, or pending for a journal that refuses it for now. Throws
   * Refusal TRANSITION_NOT_ALLOWED (data: state); then nothing has changed.
   */
  apply(delivery: LiveDelivery, input: Input, more: ApplyMore = {}): Promise<void> {
    if (delivery.message.isRemoved) return Promise.resolve();
    const [onDisk, written] = this.#waiting();
    this.move(delivery, input, more, written);
    return onDisk;
  }

  /**
   * As `apply`, without waiting for the journal, because each message passes here several times.
   * @param written called when the transition is on disk; not if the message was removed
   */
  move(delivery: LiveDelivery, input: Input, more: ApplyMore = {}, written?: () => void): void {
    const { message } = delivery;
    if (message.isRemoved) return;
    const { events, metrics } = this.#shared;
    const next = step(delivery.state, input);
    if (!next.ok) throw notAllowed(delivery, input.type);
    const from = delivery.state;
    const now = this.#shared.clock.now();
    const at = iso(more.atMs ?? now);
    const { to, cause, rule } = next;
    const sequence = events.reserve();
    const without = from === null ? liveWithout(message) : undefined;
    const transition: Transition =
      more.note === undefined
        ? { from, to, at, sequence, cause, rule }
        : { from, to, at, sequence, cause, rule, note: more.note };
    delivery.enter(transition, to, input.type, more.heldBy, more.dueMs);
    metrics.moved(delivery.counted, from, to, now);
    if (without !== undefined) this.#countWithout(message, without);
    this.#shared.live.backlog.moved(delivery, from, to);
    this.#shared.live.noteAgain(message);
    this.#shared.backpressure.changed(delivery);
    const stored = storedDelivery(delivery, iso);
    const { attempt } = more;
    const record: JournalRecord =
      attempt === undefined
        ? { kind: 'delivery', delivery: stored, transition }
        : { kind: 'delivery', delivery: stored, transition, attempt };
    const isSmall = stored.changedWire === undefined && message.row.sizeBytes <= SMALL_BODY_BYTES;
    if (isSmall) lastMade.records[placeOf(to)] = record;
    this.#record(message, record, written);
    events.addChange(message.row.number, stored, transition);
    if (to === 'queued') this.#shared.signals.emit('ready', delivery);
    if (to === 'held' || to === 'parked') this.#shared.live.evictBody(message);
  }

  /** Runs an asynchronous act on a delivery under its lock. Put everything that follows from the act inside. */
  async alone<T>(delivery: LiveDelivery, act: () => Promise<T>): Promise<T> {
    while (delivery.lock !== undefined) await delivery.lock;
    const unlock = delivery.acquire();
    try {
      return await act();
    } finally {
      unlock();
      this.#shared.live.removeIfFinished(delivery.message);
    }
  }

  /** Journals members of the delivery other than its state (route, due time, held answer) and publishes them. */
  changed(d: LiveDelivery): Promise<void> {
    if (d.message.isRemoved) return Promise.resolve();
    this.#shared.backpressure.changed(d);
    this.#shared.events.addRow(d.message.row.number, () => rowOf(d.message, iso));
    return this.#write(d.message, { kind: 'delivery', delivery: storedDelivery(d, iso) });
  }

  /** Changes members of a live message's row, and the holds that have released it. */
  patchMessage(
    message: LiveMessage,
    patch: RowPatch & { readonly releasedFrom?: readonly string[] },
  ): Promise<void> {
    // A removed message has no row any more: an event would bring it back to the consoles.
    if (message.isRemoved) return Promise.resolve();
    const { releasedFrom, ...members } = patch;
    if (releasedFrom !== undefined) message.noteReleases(releasedFrom);
    const before = message.row;
    const without = liveWithout(message);
    message.changeRow(rowWithPatch(before, members, undefined));
    this.#noteStage(message, before.stage);
    this.#countWithout(message, without);
    this.#shared.live.stageChanged(message);
    const { messageId } = message;
    const written = this.#write(message, {
      kind: 'message.changed',
      messageId,
      patch: { ...storedPatch(members), ...(releasedFrom === undefined ? {} : { releasedFrom }) },
    });
    this.#shared.events.addRow(message.row.number, () => rowOf(message, iso));
    return written;
  }

  /** A removed message counts nowhere. */
  #noteStage({ isRemoved, row }: LiveMessage, before: MessageRow['stage']): void {
    if (!isRemoved) this.#shared.metrics.staged(before, row.stage);
  }

  /** Keeps the number of messages without a subscription right after a change of one that may count there. */
  #countWithout(message: LiveMessage, before: CountedWithout | undefined): void {
    if (!message.isRemoved) this.#shared.metrics.countWithout(message.row, before, liveWithout(message));
  }

  /** Notes the broker's place of a message. Does not wait, because each message of a broker passes here. */
  placed(message: LiveMessage, broker: Readonly<Record<string, string>>): void {
    if (message.isRemoved) return;
    const { events } = this.#shared;
    message.changeRow({ ...message.row, broker });
    this.#record(message, { kind: 'message.changed', messageId: message.messageId, patch: { broker } });
    events.addRow(message.row.number, () => rowOf(message, iso));
  }

  /** Adds a sentence to the flags of the message, once. */
  flag(message: LiveMessage, flag: string): void {
    const { flags = [] } = message.row;
    if (!flags.includes(flag)) void this.patchMessage(message, { flags: [...flags, flag] });
  }

  /** Replaces the content of a message that has no deliveries yet. Rejects with JournalError; then the message is unchanged. */
  async rewrite(message: LiveMessage, { patch, content }: Rewritten): Promise<void> {
    const { writer } = this.#shared;
    const { messageId } = message;
    await writer.accept([{ kind: 'message.changed', messageId, patch: storedPatch(patch), content }]);
    if (!message.isRemoved) this.#rewritten(message, { patch, content });
  }

  /** Changes an observed message; does not wait for the journal. */
  rewriteObserved(message: LiveMessage, { patch, content }: Rewritten): void {
    const { messageId } = message;
    this.#record(message, { kind: 'message.changed', messageId, patch: storedPatch(patch), content });
    this.#rewritten(message, { patch, content });
  }

  #rewritten(message: LiveMessage, { patch, content }: Rewritten): void {
    const { live, metrics, events } = this.#shared;
    const before = message.row;
    message.rewrite(rowWithPatch(before, patch, undefined), content);
    this.#noteStage(message, before.stage);
    live.rewrite(message, content.wire);
    metrics.toOtherTopic(before.pubsubname, before.topic, message.row.topic);
    events.addRow(message.row.number, () => rowOf(message, iso));
  }

  /**
   * Resolves when every delivery of the message has a record; undefined: all have one. A delivery that ends at once with a dead-letter copy
   * has none before the copy is accepted; until then the journal must not take the message for settled.
   */
  placing(message: LiveMessage): Promise<void> | undefined {
    let busy: Promise<void>[] | undefined;
    for (const { state, lock } of message.deliveries) {
      if (state === null && lock !== undefined) (busy ??= []).push(lock);
    }
    if (busy === undefined || message.isRemoved) return undefined;
    return Promise.all(busy).then(() => this.placing(message));
  }

  /** Notes that the component has the message and all its deliveries exist: a restart does not publish it again. */
  published(message: LiveMessage): void {
    const placing = this.placing(message);
    if (placing !== undefined) {
      void placing.then(() => this.published(message));
      return;
    }
    const without = liveWithout(message);
    message.notePublished();
    this.#countWithout(message, without);
    this.#record(message, { kind: 'message.published', messageId: message.messageId });
  }

  /** Forgets a message that is being removed: cancels its calls, answers its components, and stops its timers and queues. */
  forget(message: LiveMessage): void {
    message.remove();
    for (const delivery of message.deliveries) {
      delivery.remove();
      this.#shared.backpressure.changed(delivery);
      delivery.call?.cancel('the message was removed');
      delivery.reportEnd('done');
    }
    this.#shared.live.remove(message);
  }

  /** Resolves when the record is on disk, or when the journal reports that it cannot write for now. */
  #write(message: LiveMessage, record: JournalRecord): Promise<void> {
    const [onDisk, written] = this.#waiting();
    this.#record(message, record, written);
    return onDisk;
  }

  /** A wait for the journal, and the function that ends it. */
  #waiting(): readonly [onDisk: Promise<void>, written: () => void] {
    let end: () => void = () => undefined;
    const onDisk = new Promise<void>((written) => (end = written));
    return [this.#shared.writer.orOwed(onDisk), end];
  }

  #record(message: LiveMessage, record: JournalRecord, written?: () => void): void {
    message.beginRecord();
    const isPlain = record.kind !== 'delivery' || record.delivery.changedWire === undefined;
    if (isPlain && written === undefined) {
      this.#shared.writer.later([record], () => this.#onDisk(message));
      return;
    }
    this.#shared.writer.later([record], () => {
      if (record.kind === 'delivery' && record.delivery.changedWire !== undefined)
        this.#shared.live.changeKept(record.delivery, record.delivery.changedWire);
      this.#onDisk(message);
      written?.();
    });
  }

  /** Called when a record is on disk. With all records on disk, answers the component and forgets a message with nothing open. */
  #onDisk(message: LiveMessage): void {
    if (message.endRecord() > 0) return;
    for (const delivery of message.deliveries) if (isTaken(delivery)) delivery.reportEnd('done');
    this.#shared.live.removeIfFinished(message);
  }
}

/** The patch in the form of the journal: null removes a member. */
function storedPatch(patch: RowPatch): MessagePatch {
  return Object.fromEntries(Object.entries(patch).map(([key, value]) => [key, value ?? null]));
}

/** The act as a sentence begins with it: "Dead-letter". */
function nameOf(act: string): string {
  const words = act.replace('user.', '').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The refusal of a manual act, with the present state. */
export function notAllowed(d: LiveDelivery, act: string): Refusal {
  const state = d.state ?? 'queued';
  const reason =
    state === 'attempting' && act === 'user.drop'
      ? 'The app already has it; wait for the answer or cancel the call.'
      : `${nameOf(act)} is not possible: the delivery is ${state} now`;
  return new Refusal('TRANSITION_NOT_ALLOWED', { reason }, { data: { state, deliveryId: d.deliveryId } });
}

/** Why an observed delivery can only be released or answered; undefined: this sidecar makes the delivery. */
export function whyNotOurs(tap: string | undefined): string | undefined {
  if (tap === undefined) return undefined;
  return `the sidecar of ${tap} makes this delivery, and only it can retry, hold, drop or dead-letter it; a held one can be released or answered`;
}

/** Throws Refusal TRANSITION_NOT_ALLOWED for an observed delivery: only its own sidecar can do the act. */
export function mustBeOurs({ message, state, deliveryId }: LiveDelivery): void {
  const reason = whyNotOurs(message.row.tap);
  if (reason === undefined) return;
  throw new Refusal('TRANSITION_NOT_ALLOWED', { reason }, { data: { state: state ?? 'queued', deliveryId } });
}
