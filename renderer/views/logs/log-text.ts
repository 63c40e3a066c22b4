/** Log lines as text, for the clipboard and for files. */
import type { LogEntry } from '../../../core/contract/console.ts';
import { fill } from '../../copy/fill.ts';
import { LOGS } from '../../copy/logs.ts';

const LEVEL_WIDTH = 5;

/**
 * One entry as text: time in UTC, level, part, text, rule and ids. Further lines of the text are indented, so that each entry has one
 * start.
 * @returns without a line end
 */
export function lineText(entry: LogEntry): string {
  const { at, level, part, text, rule, messageId, deliveryId, attemptId, appId } = entry;
  const ids = [
    [LOGS.ids.message, messageId],
    [LOGS.ids.delivery, deliveryId],
    [LOGS.ids.attempt, attemptId],
  ].flatMap(([name, id]) => (id === undefined ? [] : [`${name}=${id}`]));
  const end = [rule === undefined ? '' : `[${rule}]`, ...ids].filter((each) => each !== '');
  return [
    at,
    level.toUpperCase().padEnd(LEVEL_WIDTH),
    `${appId ?? part}:`,
    text.replaceAll(/\r?\n/g, '\n    '),
    ...end,
  ].join(' ');
}

/** A text in one line: each line end becomes a symbol, so that no row overlaps the next. */
export function inOneLine(text: string): string {
  return text.trimEnd().replaceAll(/\s*\r?\n\s*/g, ' ↵ ');
}

/** All lines, each with its line end. */
export function linesText(entries: readonly LogEntry[]): string {
  return entries.map((entry) => `${lineText(entry)}\n`).join('');
}

/** Name of a file of log lines saved at a moment, such as `sidelight-20260301-143208.log`, in UTC. */
export function logFileName(at: Date): string {
  const time = at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
  return fill(LOGS.file, { time });
}

/** Ids as an app may write them: of a message here, of an event, of a trace. */
const MESSAGE_ID = /\bmsg_[0-9a-f]{24}\b/;
const EVENT_ID = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/i;
const TRACE_ID = /(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])/;

/** Link for the first id in a line of an app's process; undefined: it has none. */
function linkInText(text: string): string | undefined {
  const [messageId] = MESSAGE_ID.exec(text) ?? [];
  if (messageId !== undefined) return `/messages?m=${messageId}`;
  const [trace] = TRACE_ID.exec(text) ?? [];
  const [event] = EVENT_ID.exec(text) ?? [];
  const filter = event !== undefined ? `id:${event}` : trace !== undefined ? `trace:${trace}` : undefined;
  return filter === undefined ? undefined : `/messages?${new URLSearchParams({ f: filter }).toString()}`;
}

/**
 * Link to the message, delivery or attempt of a line, or to one that an app has named in it; undefined: there
 * is none.
 */
export function linkOfLine({ messageId, deliveryId, attemptId, stream, text }: LogEntry): string | undefined {
  if (messageId === undefined) return stream === undefined ? undefined : linkInText(text);
  const params = new URLSearchParams({ m: messageId });
  if (deliveryId !== undefined) params.set('d', deliveryId);
  if (attemptId !== undefined) params.set('t', 'attempts');
  return `/messages?${params.toString()}`;
}
