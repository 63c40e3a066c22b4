/** Log lines on stderr, as text or as one JSON object per line, behind ports/log.ts. */
import type { LogEntry } from '../contract/console.ts';
import { shortened } from '../contract/cut-place.ts';
import { oneLine } from '../contract/unicode-escape.ts';
import type { SecretValues } from '../domain/secret-values.ts';
import type { Log } from '../ports/log.ts';
import { leftOut, LineOutput } from './line-output.ts';
import type { OutputStream } from './line-output.ts';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const satisfies readonly LogEntry['level'][];
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface LogOptions {
  /** Lowest level that is written. */
  readonly level: LogLevel;
  readonly format: 'text' | 'json';
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Takes one line without its end. Absent: `stream` does. */
  readonly write?: (line: string) => void;
  /** Default: stderr. */
  readonly stream?: OutputStream;
  /** Values that must never be written, for example API tokens; `***` replaces each. */
  readonly secrets?: SecretValues;
}

/** Longest line; a longer text is cut. */
const MAX_LINE_LENGTH = 16 * 1024;

/** A log that writes each line at once. Line breaks inside a text are escaped, so that one entry is one line. */
export function createLog(options: LogOptions): Log {
  const at = (): string => new Date(options.now()).toISOString();
  const inForm = (entry: LogEntry): string =>
    options.format === 'json' ? JSON.stringify(entry) : lineOf(entry);
  const output = new LineOutput(options.stream ?? process.stderr, (left) =>
    inForm({ at: at(), level: 'warn', part: 'host', text: `${leftOut(left)}.` }),
  );
  const write = options.write ?? ((line: string): void => output.line(line));
  const least = LOG_LEVELS.indexOf(options.level);
  return {
    write(level, part, text, fields = {}) {
      if (LOG_LEVELS.indexOf(level) < least) return;
      // Masks the text before it is formatted: the line may contain an escaped form, and its names and numbers are not secret.
      const shown = options.secrets?.mask(text) ?? text;
      const entry: LogEntry = {
        at: at(),
        level,
        part,
        text: shown,
        ...fields,
      };
      const line = inForm(entry);
      write(line.length > MAX_LINE_LENGTH ? inForm(cut(entry)) : line);
    },
  };
}

function lineOf(entry: LogEntry): string {
  const { at, level, part, text, ...fields } = entry;
  const more = Object.entries(fields).map(([name, value]) => ` ${name}=${value}`);
  return oneLine(`${at} ${level.toUpperCase().padEnd(5)} ${part}: ${text}${more.join('')}`);
}

function cut(entry: LogEntry): LogEntry {
  return { ...entry, text: shortened(entry.text, MAX_LINE_LENGTH / 4) };
}
