/** The runtime's log: writes each line to the outside log, keeps it in rings for the console, and sends it as an event. */
import type { LogEntry, Page } from '../../contract/console.ts';
import { startOf } from '../../domain/codec.ts';
import { numberOfCursor } from '../../domain/cursor.ts';
import type { Filter } from '../../domain/filter/ast.ts';
import { matchesLog, parseLogFilter } from '../../domain/filter/log.ts';
import { Refusal } from '../../domain/refusal.ts';
import { SecretValues } from '../../domain/secret-values.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log, LogFields } from '../../ports/log.ts';
import { LineRing, newestFirst } from './line-ring.ts';
import { OutputEvents } from './output-events.ts';
import type { EventRing } from './event-ring.ts';
import { iso } from '../time/time.ts';

const KEPT_LINES = 5000;
/** Maximum number of lines of the apps' processes; a ring of their own, so that they do not push out those of the sidecars. */
const KEPT_OUTPUT = 10_000;
/** Maximum number of characters kept of a line. */
const MAX_LINE_LENGTH = 4000;
const LEVELS = ['debug', 'info', 'warn', 'error'] as const;

/** Part name of lines from an app's process. */
const OUTPUT_PART = 'app';

export interface LogQuery {
  readonly level?: LogEntry['level'];
  readonly filter?: string;
  readonly cursor?: string;
  readonly limit?: number;
}

export class LogBook implements Log {
  readonly #outside: Log;
  readonly #secrets: SecretValues;
  readonly #clock: Clock;
  readonly #events: EventRing;
  readonly #outputEvents: OutputEvents;
  readonly #own = new LineRing(KEPT_LINES);
  readonly #output = new LineRing(KEPT_OUTPUT);
  #written = 0;

  /** @param secrets values that no line may contain */
  constructor(outside: Log, clock: Clock, events: EventRing, secrets = new SecretValues()) {
    this.#secrets = secrets;
    this.#outside = outside;
    this.#clock = clock;
    this.#events = events;
    this.#outputEvents = new OutputEvents(clock, events);
  }

  write(level: LogEntry['level'], part: string, text: string, fields: LogFields = {}): void {
    const entry = this.#entry(level, part, text, fields);
    this.#outside.write(level, part, text, fields);
    this.#own.add({ n: this.#written, entry });
    this.#written += 1;
    this.#events.add({ type: 'log.added', entry });
  }

  /** Forgets the lines about messages, for the console; the outside log has them still. */
  forget(messageIds: ReadonlySet<string>): void {
    this.#own.forget(({ messageId }) => messageId !== undefined && messageIds.has(messageId));
  }

  /** Adds a line of an app's process. Only the console gets it: whoever runs the process shows it elsewhere. */
  output(appId: string, stream: 'stdout' | 'stderr', text: string): void {
    const entry = this.#entry('info', OUTPUT_PART, text, { appId, stream });
    this.#output.add({ n: this.#written, entry });
    this.#written += 1;
    this.#outputEvents.add(appId, entry);
  }

  /**
   * Lines, newest first. `level` is the least serious level shown; `cursor` the number of the line before which the page begins. Throws
   * Refusal: FILTER_SYNTAX for an unreadable filter, INVALID_PARAMS for an unknown cursor.
   */
  page(query: LogQuery): Page<LogEntry> {
    return this.#page(query, [this.#own, this.#output], () => true);
  }

  /** The kept lines of the sidecars, oldest first. */
  ownLines(): readonly LogEntry[] {
    return [...newestFirst([this.#own], this.#written)].map(({ entry }) => entry).toReversed();
  }

  /**
   * Lines of the apps' processes only.
   * @param appId absent: all apps
   */
  outputPage({ appId, ...query }: LogQuery & { readonly appId?: string }): Page<LogEntry> {
    return this.#page(query, [this.#output], (entry) => appId === undefined || entry.appId === appId);
  }

  #page(query: LogQuery, rings: readonly LineRing[], isMeant: (entry: LogEntry) => boolean): Page<LogEntry> {
    const least = LEVELS.indexOf(query.level ?? 'debug');
    const filter = parsed(query.filter ?? '');
    const limit = query.limit ?? 100;
    const items: LogEntry[] = [];
    const before = query.cursor === undefined ? this.#written : numberOfCursor(query.cursor);
    let last = before;
    for (const { n, entry } of newestFirst(rings, before)) {
      if (items.length >= limit) return { items, nextCursor: String(last) };
      last = n;
      if (LEVELS.indexOf(entry.level) < least || !isMeant(entry)) continue;
      if (matchesLog(filter, entry)) items.push(entry);
    }
    return { items, nextCursor: null };
  }

  #entry(level: LogEntry['level'], part: string, text: string, fields: LogFields): LogEntry {
    const shown = this.#secrets.mask(text);
    const cut = shown.length > MAX_LINE_LENGTH ? `${startOf(shown, MAX_LINE_LENGTH)}…` : shown;
    return { at: iso(this.#clock.now()), level, part, text: cut, ...fields };
  }
}

function parsed(text: string): Filter {
  const read = parseLogFilter(text);
  if (read.ok) return read.filter;
  throw new Refusal('FILTER_SYNTAX', { reason: read.error.message }, { data: { ...read.error } });
}
