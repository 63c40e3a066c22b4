/** Everything unfinished, by message, by delivery and by running attempt; and the budget for bodies kept in memory. */
import type { Wire } from '../../domain/codec.ts';
import type { Journal } from '../../ports/journal.ts';
import type { LiveDelivery, LiveMessage } from './live.ts';

/** Bodies of unfinished messages kept in memory when the journal could give them again. */
const BODY_BUDGET_BYTES = 64 * 1024 * 1024;

export class LiveSet {
  readonly #journal: Journal;
  readonly #messages = new Map<string, LiveMessage>();
  readonly #deliveries = new Map<string, LiveDelivery>();
  readonly #attempts = new Map<string, readonly LiveDelivery[]>();
  /** Messages without deliveries that wait (held at publish, for an app). */
  readonly #staged = new Set<string>();
  #bodyBytes = 0;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  add(message: LiveMessage): void {
    this.#messages.set(message.messageId, message);
    for (const d of message.deliveries) this.#deliveries.set(d.deliveryId, d);
    this.stageChanged(message);
    const size = message.row.sizeBytes;
    if (!this.#journal.durable) return;
    if (this.#bodyBytes + size > BODY_BUDGET_BYTES) message.wire = undefined;
    else this.#bodyBytes += size;
  }

  /** It carries something else from now on. What the journal alone had stays there. */
  rewrite(message: LiveMessage, wire: Wire, sizeBytes: number): void {
    if (message.wire === undefined) return;
    message.wire = wire;
    if (this.#journal.durable) this.#bodyBytes += sizeBytes - message.row.sizeBytes;
  }

  addDelivery(d: LiveDelivery): void {
    d.message.deliveries.push(d);
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
    for (const d of message.deliveries) this.#deliveries.delete(d.deliveryId);
    if (this.#journal.durable && message.wire !== undefined) this.#bodyBytes -= message.row.sizeBytes;
  }

  stageChanged(message: LiveMessage): void {
    if (message.row.stage === 'held' || message.row.waitingFor !== undefined)
      this.#staged.add(message.messageId);
    else this.#staged.delete(message.messageId);
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

  /** Messages that wait without deliveries. */
  get stagedCount(): number {
    return this.#staged.size;
  }
}

/** Nothing more happens to it by itself and nobody is waited for. */
export function isEnded(d: LiveDelivery): boolean {
  return (
    d.state === 'processed' || d.state === 'dropped' || d.state === 'expired' || d.state === 'dead-lettered'
  );
}
