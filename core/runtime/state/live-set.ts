/** Everything unfinished, by message, by delivery and by running attempt; and the budget for bodies kept in memory. */
import type { DeliveryState } from '../../contract/delivery.ts';
import { memoryOf } from '../../domain/codec.ts';
import type { Codec, Wire } from '../../domain/codec.ts';
import type { Journal } from '../../ports/journal.ts';
import type { Backlog } from './backlog.ts';
import type { LiveDelivery, LiveMessage } from './live.ts';

/** Bodies of unfinished messages kept in memory when the journal could give them again. */
const BODY_BUDGET_BYTES = 64 * 1024 * 1024;

export interface LiveSetParts {
  readonly journal: Journal;
  readonly codec: Codec;
  readonly backlog: Backlog;
}

export class LiveSet {
  readonly backlog: Backlog;
  readonly #journal: Journal;
  readonly #codec: Codec;
  readonly #messages = new Map<string, LiveMessage>();
  readonly #deliveries = new Map<string, LiveDelivery>();
  readonly #attempts = new Map<string, readonly LiveDelivery[]>();
  /** Messages without deliveries that wait (held at publish, for an app). */
  readonly #staged = new Set<string>();
  /** Bytes in memory of each body that the journal has too. */
  readonly #bodies = new Map<string, number>();
  #bodyBytes = 0;

  constructor({ journal, codec, backlog }: LiveSetParts) {
    this.#journal = journal;
    this.#codec = codec;
    this.backlog = backlog;
  }

  add(message: LiveMessage): void {
    this.#messages.set(message.messageId, message);
    for (const d of message.deliveries) {
      this.#deliveries.set(d.deliveryId, d);
      this.backlog.moved(message, null, d.state);
    }
    this.#keepBody(message);
    this.stageChanged(message);
  }

  /** When the message of the oldest delivery in one of these states was accepted, by lane. @param lanes those that have such a one */
  oldestIn(states: readonly DeliveryState[], lanes: ReadonlySet<string>): ReadonlyMap<string, string> {
    const found = new Map<string, string>();
    for (const { counted, state, message } of this.#deliveries.values()) {
      // Deliveries stand in the order in which they came: the first one of a lane is its oldest.
      if (found.size === lanes.size) break;
      if (state === null || !states.includes(state) || found.has(counted.lane)) continue;
      if (lanes.has(counted.lane)) found.set(counted.lane, message.row.at);
    }
    return found;
  }

  /** Replaces the bytes of a message whose row is changed already. What the journal alone had stays there. */
  rewrite(message: LiveMessage, wire: Wire): void {
    if (message.wire !== undefined) {
      this.#uncount(message);
      message.wire = wire;
      this.#keepBody(message);
    }
    this.stageChanged(message);
  }

  addDelivery(d: LiveDelivery): void {
    const { message } = d;
    // Most messages have one: an array that grows by `push` has room for seventeen.
    message.deliveries = message.deliveries.length === 0 ? [d] : [...message.deliveries, d];
    this.#deliveries.set(d.deliveryId, d);
  }

  /** Forgets the message once nothing of it is open; says whether it did. */
  removeIfFinished(message: LiveMessage): boolean {
    if (!message.published || message.owed > 0) return false;
    if (message.row.stage === 'held' || message.row.waitingFor !== undefined) return false;
    for (const d of message.deliveries) {
      if (d.busy !== undefined || d.heldAnswer !== undefined || !isEnded(d)) return false;
    }
    this.remove(message);
    return true;
  }

  remove(message: LiveMessage): void {
    if (!this.#messages.delete(message.messageId)) return;
    this.#staged.delete(message.messageId);
    for (const d of message.deliveries) {
      this.#deliveries.delete(d.deliveryId);
      this.backlog.moved(message, d.state, null);
    }
    this.#uncount(message);
    this.backlog.forget(message);
  }

  stageChanged(message: LiveMessage): void {
    const isStaged = message.row.stage === 'held' || message.row.waitingFor !== undefined;
    if (isStaged) this.#staged.add(message.messageId);
    else this.#staged.delete(message.messageId);
    this.#note(message);
  }

  /** What waits for a person alone waits without its body, where the journal can give it again. */
  rest(message: LiveMessage): void {
    if (!this.#journal.durable || message.deliveries.some((d) => !isEnded(d) && !isForPerson(d))) return;
    this.#uncount(message);
    message.wire = undefined;
  }

  /** What to send. Rejects when the journal cannot give it. */
  wire(message: LiveMessage): Wire | Promise<Wire> {
    if (message.wire !== undefined) return message.wire;
    return this.#journal.get(message.messageId).then((source) => {
      if (source === undefined) throw new Error(`the journal has no message ${message.messageId}`);
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

  /** The deliveries of a running call; one, or those of a batch. */
  ofAttempt(attemptId: string): readonly LiveDelivery[] {
    return this.#attempts.get(attemptId) ?? [];
  }

  #keepBody(message: LiveMessage): void {
    if (!this.#journal.durable || message.wire === undefined) return;
    const bytes = memoryOf(message.wire, this.#codec);
    if (this.#bodyBytes + bytes > BODY_BUDGET_BYTES) {
      message.wire = undefined;
      return;
    }
    this.#bodies.set(message.messageId, bytes);
    this.#bodyBytes += bytes;
  }

  #uncount({ messageId }: LiveMessage): void {
    this.#bodyBytes -= this.#bodies.get(messageId) ?? 0;
    this.#bodies.delete(messageId);
  }

  #note(message: LiveMessage): void {
    const { messageId } = message;
    if (this.#messages.has(messageId))
      this.backlog.note(message, this.#staged.has(messageId), this.bodyBytes(message));
  }

  /** Bytes of its body where it is kept: on disk, or in memory. */
  bodyBytes({ row, wire }: LiveMessage): number {
    if (this.#journal.durable || wire === undefined) return row.sizeBytes;
    return memoryOf(wire, this.#codec);
  }
}

/** Nothing more happens to it by itself and nobody is waited for, or it was not seen again for long. */
export function isEnded(d: LiveDelivery): boolean {
  return (
    d.silent ||
    d.state === 'processed' ||
    d.state === 'dropped' ||
    d.state === 'expired' ||
    d.state === 'dead-lettered'
  );
}

function isForPerson({ state }: LiveDelivery): boolean {
  return state === 'held' || state === 'parked';
}
