/** The runtime's log: to the outside log, to a ring the console pages through, and as events. */
import type { LogEntry, Page } from '../../contract/console.ts';
import { matchesLog, parseLogFilter } from '../../domain/filter/log.ts';
import { Refusal } from '../../domain/refusal.ts';
import { SecretValues } from '../../domain/secret-values.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log, LogFields } from '../../ports/log.ts';
import type { Recorder } from './recorder.ts';
import { iso } from '../time/time.ts';

const KEPT_LINES = 5000;
/** Characters of a line that are kept. */
const LONGEST_LINE = 4000;
const LEVELS = ['debug', 'info', 'warn', 'error'] as const;

export class LogBook implements Log {
  readonly #outside: Log;
  readonly #secrets: SecretValues;
  readonly #clock: Clock;
  readonly #recorder: Recorder;
  readonly #ring: LogEntry[] = [];
  #written = 0;

  /** @param secrets what no line may show */
  constructor(outside: Log, clock: Clock, recorder: Recorder, secrets = new SecretValues()) {
    this.#secrets = secrets;
    this.#outside = outside;
    this.#clock = clock;
    this.#recorder = recorder;
  }

  write(level: LogEntry['level'], part: string, text: string, fields: LogFields = {}): void {
    const shown = this.#secrets.mask(text);
    const cut = shown.length > LONGEST_LINE ? `${shown.slice(0, LONGEST_LINE)}…` : shown;
    const entry: LogEntry = { at: iso(this.#clock.now()), level, part, text: cut, ...fields };
    this.#outside.write(level, part, text, fields);
    this.#ring[this.#written % KEPT_LINES] = entry;
    this.#written += 1;
    this.#recorder.add({ type: 'log.added', entry });
  }

  /**
   * Newest first. `level` is the least serious level shown; `cursor` the number of the line to go on before.
   * Throws Refusal FILTER_SYNTAX for a filter that cannot be read.
   */
  page(query: {
    level?: LogEntry['level'];
    filter?: string;
    cursor?: string;
    limit?: number;
  }): Page<LogEntry> {
    const least = LEVELS.indexOf(query.level ?? 'debug');
    const parsed = parseLogFilter(query.filter ?? '');
    if (!parsed.ok)
      throw new Refusal('FILTER_SYNTAX', { reason: parsed.error.message }, { data: { ...parsed.error } });
    const limit = query.limit ?? 100;
    const oldest = Math.max(0, this.#written - KEPT_LINES);
    const items: LogEntry[] = [];
    let n = query.cursor === undefined ? this.#written : Number(query.cursor);
    while (n > oldest && items.length < limit) {
      n -= 1;
      const entry = this.#ring[n % KEPT_LINES];
      if (entry === undefined || LEVELS.indexOf(entry.level) < least) continue;
      if (matchesLog(parsed.filter, entry)) items.push(entry);
    }
    return { items, nextCursor: n > oldest ? String(n) : null };
  }
}
