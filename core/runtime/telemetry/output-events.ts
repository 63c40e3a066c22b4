/** Output of processes as events: a few per second for each app, however much it writes. */
import type { LogEntry } from '../../contract/console.ts';
import type { Clock } from '../../ports/clock.ts';
import type { EventRing } from './event-ring.ts';

const GATHER_MS = 100;
/** Maximum number of lines and characters of one event; only the log has the rest. */
const MAX_LINES = 100;
const MAX_CHARACTERS = 16_000;

interface Gathered {
  readonly entries: LogEntry[];
  characters: number;
  skipped: number;
}

export class OutputEvents {
  readonly #clock: Clock;
  readonly #events: EventRing;
  readonly #byApp = new Map<string, Gathered>();

  constructor(clock: Clock, events: EventRing) {
    this.#clock = clock;
    this.#events = events;
  }

  add(appId: string, entry: LogEntry): void {
    const gathered = this.#byApp.get(appId) ?? this.#begin(appId);
    const isFull =
      gathered.entries.length >= MAX_LINES || gathered.characters + entry.text.length > MAX_CHARACTERS;
    if (isFull) {
      gathered.skipped += 1;
      return;
    }
    gathered.entries.push(entry);
    gathered.characters += entry.text.length;
  }

  #begin(appId: string): Gathered {
    const gathered: Gathered = { entries: [], characters: 0, skipped: 0 };
    this.#byApp.set(appId, gathered);
    this.#clock.at(this.#clock.now() + GATHER_MS, () => {
      this.#byApp.delete(appId);
      const { entries, skipped } = gathered;
      this.#events.add({ type: 'process.output', appId, entries, skipped });
    });
    return gathered;
  }
}
