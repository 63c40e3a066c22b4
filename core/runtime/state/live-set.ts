/** All unfinished messages, by message, delivery and running attempt; and the memory budget for bodies. */
import type { DeliveryState } from '../../contract/delivery.ts';
import { bytesIn, memoryOf } from '../../domain/codec.ts';
import type { Codec, Wire } from '../../domain/codec.ts';
import { hasEnded } from '../../domain/delivery-end.ts';
import type { Journal } from '../../ports/journal.ts';
import type { Backlog } from './backlog.ts';
import { HistoryRemoval } from './history-removal.ts';
import type { CountedBody, LiveDelivery, LiveMessage } from './live.ts';
import { noMessage } from '../../domain/no-message.ts';

/** Default memory for bodies of unfinished messages that the journal has too. */
const BODY_BUDGET_BYTES = 64 * 1024 * 1024;

export interface LiveSetDependencies {
  readonly journal: Journal;
  readonly codec: Codec;
  readonly backlog: Backlog;
  /** Memory for bodies that the journal has too; absent: 64 MiB. */
  readonly bodyBudgetBytes?: number | undefined;
}

export class LiveSet {
  readonly backlog: Backlog;
  readonly historyRemoval = new HistoryRemoval();
  readonly #journal: Journal;
  readonly #codec: Codec;
  readonly #bodyBudgetBytes: number;
  readonly #messages = new Map<string, LiveMessage>();
  readonly #deliveries = new Map<string, LiveDelivery>();
  readonly #attempts = new Map<string, readonly LiveDelivery[]>();
  /** Messages without deliveries that wait (held at publish, for an app). */
  readonly #staged = new Set<string>();
  /** Bytes in memory of the bodies that the journal has too. */
  #bodyBytes = 0;

  constructor({ journal, codec, backlog, bodyBudgetBytes = BODY_BUDGET_BYTES }: LiveSetDependencies) {
    this.#journal = journal;
    this.#codec = codec;
    this.#bodyBudgetBytes = bodyBudgetBytes;
    this.backlog = backlog;
    journal.guardBy?.(this.historyRemoval);
  }

  add(message: LiveMessage): void {
    this.#messages.set(message.messageId, message);
    for (const d of message.deliveries) {
      this.#deliveries.set(d.deliveryId, d);
      this.backlog.moved(d, null, d.state);
      this.#keepChanged(d);
    }
    this.#keepBody(message);
    this.stageChanged(message);
  }

  /**
   * Time at which the oldest message with a delivery in one of these states was accepted, by lane.
   * @param lanes those that have one
   */
  oldestIn(states: readonly DeliveryState[], lanes: ReadonlySet<string>): ReadonlyMap<string, string> {
    const found = new Map<string, string>();
    for (const { counted, state, message } of this.#deliveries.values()) {
      // Deliveries are in order of creation: the first one of a lane is its oldest.
      if (found.size === lanes.size) break;
      if (state === null || !states.includes(state) || found.has(counted.lane)) continue;
      if (lanes.has(counted.lane)) found.set(counted.lane, message.row.at);
    }
    return found;
  }

  /** Number of deliveries whose answer is held, by lane. */
  heldAnswers(): ReadonlyMap<string, number> {
    const found = new Map<string, number>();
    for (const { counted, heldAnswer } of this.#deliveries.values())
      if (heldAnswer !== undefined) found.set(counted.lane, (found.get(counted.lane) ?? 0) + 1);
    return found;
  }

  /** Replaces the body of a message whose row has been changed. A body that only the journal had stays on disk. */
  rewrite(message: LiveMessage, wire: Wire): void {
    if (message.wire !== undefined) {
      this.#uncount(message);
      message.replaceWire(wire);
      this.#keepBody(message);
    }
    this.stageChanged(message);
  }

  addDelivery(delivery: LiveDelivery): void {
    delivery.message.addDelivery(delivery);
    this.#deliveries.set(delivery.deliveryId, delivery);
  }

  /**
   * Keeps the message in memory while an act uses it, even if it has ended; each call needs one `release`. Without it the act would change an
   * object that nothing refers to, while another copy is read from the journal.
   */
  retain(message: LiveMessage): void {
    message.beginUse();
    this.historyRemoval.noteUse(message);
  }

  /** Ends one `retain`. */
  release(message: LiveMessage): void {
    message.endUse();
    this.historyRemoval.noteUse(message);
    this.removeIfFinished(message);
  }

  /**
   * Forgets the message if none of its deliveries is open.
   * @returns whether it was forgotten
   */
  removeIfFinished(message: LiveMessage): boolean {
    if (!message.published || message.expected || message.unwrittenRecords > 0 || message.inUse > 0)
      return false;
    if (message.row.stage === 'held' || message.row.waitingFor !== undefined) return false;
    for (const d of message.deliveries) {
      if (d.lock !== undefined || d.heldAnswer !== undefined || !hasEnded(d)) return false;
    }
    this.remove(message);
    return true;
  }

  remove(message: LiveMessage): void {
    // An undone removal may have loaded another copy of it.
    if (this.#messages.get(message.messageId) !== message) return;
    this.#messages.delete(message.messageId);
    this.#staged.delete(message.messageId);
    for (const d of message.deliveries) {
      this.#deliveries.delete(d.deliveryId);
      this.backlog.moved(d, d.state, null);
      if (d.changed !== undefined) this.#uncount(d.changed);
    }
    this.#uncount(message);
    this.backlog.forget(message);
  }

  stageChanged(message: LiveMessage): void {
    const { stage, waitingFor } = message.row;
    const isStaged = stage === 'held' || stage === 'waiting' || waitingFor !== undefined;
    if (isStaged) this.#staged.add(message.messageId);
    else this.#staged.delete(message.messageId);
    this.#note(message);
  }

  /** Evicts the body of a message that only waits for a person, if the journal can read it again. */
  evictBody(message: LiveMessage): void {
    if (!this.#journal.durable || message.deliveries.some((d) => !hasEnded(d) && !isForPerson(d))) return;
    this.#uncount(message);
    message.dropWire();
    for (const { changed } of message.deliveries) {
      if (changed?.isKept !== true) continue;
      this.#uncount(changed);
      changed.dropWire();
    }
  }

  /** Why the delivery's body cannot be changed to this; undefined: there is room. */
  roomToChange(d: LiveDelivery, wire: Wire): string | undefined {
    const before = d.changed === undefined ? 0 : this.#changedBytes(d);
    return this.backlog.fullWith(d.message.row, this.sizeOf(wire) - before);
  }

  /** Notes a body that a person has changed: it stays in memory until the journal has it. */
  change(delivery: LiveDelivery, wire: Wire): void {
    if (delivery.changed !== undefined) this.#uncount(delivery.changed);
    delivery.change(wire, bytesIn(wire, this.#codec));
    this.#note(delivery.message);
  }

  /** Called when the journal has the changed body of the delivery. */
  changeKept({ deliveryId }: Pick<LiveDelivery, 'deliveryId'>, wire: Wire): void {
    const delivery = this.#deliveries.get(deliveryId);
    const changed = delivery?.changed;
    if (delivery === undefined || changed === undefined) return;
    if (changed.isKept || changed.wire !== wire) return;
    changed.noteKept();
    this.#keepChanged(delivery);
    if (isForPerson(delivery)) this.evictBody(delivery.message);
  }

  /** Body to send for a delivery. Rejects if the journal cannot read it. */
  wireOf(d: LiveDelivery): Wire | Promise<Wire> {
    if (d.changed === undefined) return this.wire(d.message);
    if (d.changed.wire !== undefined) return d.changed.wire;
    const { deliveryId, message } = d;
    return this.#journal.get(message.messageId).then((source) => {
      const found = source?.deliveries.find(({ delivery }) => delivery.deliveryId === deliveryId);
      const wire = found?.delivery.changedWire;
      if (wire === undefined) throw new Error(`the journal has no changed bytes of ${deliveryId}`);
      return wire;
    });
  }

  /** Body of the message, without changes to single deliveries. Rejects if the journal cannot read it. */
  wire(message: LiveMessage): Wire | Promise<Wire> {
    if (message.wire !== undefined) return message.wire;
    return this.#journal.get(message.messageId).then((source) => {
      if (source === undefined) throw noMessage(message.messageId);
      return source.message.wire;
    });
  }

  message(messageId: string): LiveMessage | undefined {
    return this.#messages.get(messageId);
  }

  delivery(deliveryId: string): LiveDelivery | undefined {
    return this.#deliveries.get(deliveryId);
  }

  messages(): IterableIterator<LiveMessage> {
    return this.#messages.values();
  }

  deliveries(): IterableIterator<LiveDelivery> {
    return this.#deliveries.values();
  }

  staged(): LiveMessage[] {
    return [...this.#staged].flatMap((id) => this.#messages.get(id) ?? []);
  }

  beginAttempt(attemptId: string, deliveries: readonly LiveDelivery[]): void {
    this.#attempts.set(attemptId, deliveries);
  }

  endAttempt(attemptId: string): void {
    this.#attempts.delete(attemptId);
  }

  /** Deliveries of a running call: one, or those of a batch. */
  ofAttempt(attemptId: string): readonly LiveDelivery[] {
    return this.#attempts.get(attemptId) ?? [];
  }

  #keepBody(message: LiveMessage): void {
    if (this.#journal.durable) this.#count(message);
  }

  #keepChanged({ changed }: LiveDelivery): void {
    if (this.#journal.durable && changed?.isKept === true) this.#count(changed);
  }

  /** Counts a body, or evicts it if there is no room for it in memory. */
  #count(of: CountedBody): void {
    if (of.wire === undefined) return;
    const bytes = memoryOf(of.wire, this.#codec);
    if (this.#bodyBytes + bytes > this.#bodyBudgetBytes) {
      of.dropWire();
      return;
    }
    of.count(bytes);
    this.#bodyBytes += bytes;
  }

  #uncount(of: CountedBody): void {
    this.#bodyBytes -= of.countedBytes;
    of.count(0);
  }

  /** Counts a message in the backlog again, one of whose deliveries goes on or is new. */
  noteAgain(message: LiveMessage): void {
    if (message.share === undefined && message.row.tap === undefined) this.#note(message);
  }

  /** A message that has ended does not wait: it is in memory for an act, which may leave it as it is. */
  #note(message: LiveMessage): void {
    const { messageId } = message;
    if (!this.#messages.has(messageId)) return;
    const isStaged = this.#staged.has(messageId);
    if (!isStaged && messageHasEnded(message)) this.backlog.forget(message);
    else this.backlog.note(message, isStaged, this.bodyBytes(message));
  }

  /** Bytes of its body, and of the changed bodies of single deliveries, where they are stored: on disk, or in memory. */
  bodyBytes({ row, wire, deliveries }: LiveMessage): number {
    let bytes = wire === undefined ? row.sizeBytes : this.sizeOf(wire, row.sizeBytes);
    for (const d of deliveries) bytes += this.#changedBytes(d);
    return bytes;
  }

  #changedBytes({ changed }: LiveDelivery): number {
    if (changed === undefined) return 0;
    return changed.wire === undefined ? changed.bytes : this.sizeOf(changed.wire, changed.bytes);
  }

  /**
   * Bytes of a body where it is stored: on disk, or in memory.
   * @param sent its size when sent, if known
   */
  sizeOf(wire: Wire, sent = bytesIn(wire, this.#codec)): number {
    return this.#journal.durable ? sent : memoryOf(wire, this.#codec);
  }
}

/** Whether a message that its component has got no more deliveries to come, and those that it has are finished. */
function messageHasEnded({ published, expected, deliveries }: LiveMessage): boolean {
  return published && !expected && deliveries.length > 0 && deliveries.every(hasEnded);
}

function isForPerson({ state }: LiveDelivery): boolean {
  return state === 'held' || state === 'parked';
}
