/** Structured log; the console shows the same lines. */
import type { LogEntry } from '../contract/console.ts';

export type LogFields = Omit<LogEntry, 'at' | 'level' | 'part' | 'text'>;

/** Says something to a person that holds until the next one about the same thing: the log has it as a line, the console as a banner. */
export type Notice = (level: 'warn' | 'error', text: string) => void;

export interface Log {
  write(level: LogEntry['level'], part: string, text: string, fields?: LogFields): void;
}
