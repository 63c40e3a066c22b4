/** The runtime's events with a ring of any size, for tests of the stream. */
import type { EventSource, EventWatch, NotedEvent } from '../../core/runtime/api.ts';
import { EventSlot } from '../../core/runtime/telemetry/event-slot.ts';
import type { NewEvent } from '../../core/runtime/telemetry/event-slot.ts';

export class FakeEvents implements EventSource {
  epoch = 'epoch-1';
  sequence = 0;
  readonly #ringSize: number;
  /** Undefined: an event that was counted only. */
  #ring: (EventSlot | undefined)[] = [];
  #countedFrom = Infinity;
  readonly #listeners = new Set<(event: NotedEvent) => void>();
  readonly #watches = new Set<EventWatch>();
  #bytes = 0;

  constructor(ringSize = 10_000) {
    this.#ringSize = ringSize;
  }

  get published(): number {
    return this.sequence;
  }

  get oldest(): number {
    return this.sequence - this.#ring.length + 1;
  }

  get listeners(): number {
    return this.#listeners.size + this.#watches.size;
  }

  add(event: NewEvent): void {
    this.sequence += 1;
    const noted = new EventSlot(this.sequence).event(event);
    const { number = -1 } = noted;
    const isCounted = number >= this.#countedFrom;
    this.#ring.push(isCounted ? undefined : noted);
    if (this.#ring.length > this.#ringSize) this.#ring.shift();
    for (const take of this.#listeners) take(noted);
    if (!isCounted) this.#bytes += noted.size;
    else if (event.type === 'message.added') for (const watch of this.#watches) watch.counted(number);
    for (const watch of this.#watches)
      if (this.sequence >= watch.dueAt || this.#bytes >= watch.dueBytes)
        watch.due(this.sequence, this.#bytes);
  }

  at(sequence: number): NotedEvent | undefined {
    return this.#ring[sequence - this.oldest];
  }

  since(since: number, limit: number): readonly NotedEvent[] | undefined {
    if (since < 0 || since > this.sequence) return undefined;
    if (since < this.sequence - this.#ring.length) return undefined;
    const first = this.sequence - this.#ring.length + 1;
    const events = this.#ring.slice(since + 1 - first, since + 1 - first + limit);
    return events.every((event) => event !== undefined) ? events : undefined;
  }

  giveUp(least: number): void {
    for (const slot of this.#ring) if (slot?.number !== undefined && slot.number < least) slot.giveUp();
  }

  countFrom(least: number): boolean {
    this.#countedFrom = this.#listeners.size === 0 && this.#watches.size === 1 ? least : Infinity;
    return this.#countedFrom !== Infinity;
  }

  /** Number of events in the ring that were counted only. */
  get counted(): number {
    return this.#ring.filter((event) => event === undefined).length;
  }

  onEvent(take: (event: NotedEvent) => void): () => void {
    this.#listeners.add(take);
    return () => this.#listeners.delete(take);
  }

  watch(watch: EventWatch): () => void {
    this.#watches.add(watch);
    return () => this.#watches.delete(watch);
  }
}

/** A log line, the smallest event there is. */
export function logEvent(text: string): NewEvent {
  return { type: 'log.added', entry: { at: '2026-01-02T03:04:05.000Z', level: 'info', part: 'test', text } };
}
