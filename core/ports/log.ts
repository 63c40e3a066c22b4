/** Structured log; the console shows the same lines. */
import type { LogEntry } from '../contract/console.ts';

export type LogFields = Omit<LogEntry, 'at' | 'level' | 'part' | 'text'>;

export interface Log {
  write(level: LogEntry['level'], part: string, text: string, fields?: LogFields): void;
}
