/**
 * Reads a file of bulk entries in a worker: CSV with columns, lines of JSON, a JSON array, or a recording.
 */
import Papa from 'papaparse';
import { jsonMistake } from '../../core/contract/json-position.ts';
import { MAX_FRAME_BYTES } from '../../core/contract/rpc.ts';
import { MAX_ENTRIES, readEntries, type ReadEntry } from './entries.ts';
import type { ReadFile } from './entries-table.ts';

/**
 * Reads the text of a file by its name and content. It returns at most one entry more than a request takes, and no more characters than one
 * can carry.
 * @param onShare called with the share that is done, from 0 to 1
 */
export function readEntriesFile(name: string, text: string, onShare?: (share: number) => void): ReadFile {
  if (text.trim() === '') return { kind: 'bad', line: 1, why: 'empty', detail: '' };
  if (/\.csv$/i.test(name)) return readTable(text);
  if (isRecording(text)) return readRecording(text);
  const read = readEntries(text, onShare);
  if (!read.ok) return { kind: 'bad', line: read.line, why: 'json', detail: '' };
  return entriesThatFit(read.entries.slice(0, MAX_ENTRIES + 1));
}

/** The first entries, as many as one request can carry. */
function thoseThatFit<T>(all: readonly T[], charactersOf: (one: T) => number): readonly T[] {
  let sum = 0;
  const end = all.findIndex((one) => (sum += charactersOf(one)) > MAX_FRAME_BYTES);
  return end === -1 ? all : all.slice(0, end);
}

function entriesThatFit(all: readonly ReadEntry[]): ReadFile {
  const entries = thoseThatFit(all, ({ event }) => event.length);
  return { kind: 'entries', entries, ...(entries.length < all.length && { isCut: true }) };
}

function readTable(text: string): ReadFile {
  const parsed = Papa.parse<string[]>(text, { skipEmptyLines: 'greedy', preview: MAX_ENTRIES + 2 });
  const [mistake] = parsed.errors.filter(({ type }) => type === 'Quotes');
  if (mistake !== undefined) {
    return { kind: 'bad', line: (mistake.row ?? 0) + 1, why: 'csv', detail: mistake.message };
  }
  const [columns = [], ...all] = parsed.data;
  const rows = thoseThatFit(all, (row) => row.reduce((sum, cell) => sum + cell.length, 0));
  return { kind: 'table', columns, rows, ...(rows.length < all.length && { isCut: true }) };
}

function isRecording(text: string): boolean {
  return /^\s*\{"kind":"recording"/.test(text);
}

/** The messages of a recording as entries that publish them again, each in its old envelope. */
function readRecording(text: string): ReadFile {
  const entries: ReadEntry[] = [];
  let number = 0;
  for (const line of text.split('\n')) {
    number += 1;
    if (!line.startsWith('{"kind":"message"') || entries.length > MAX_ENTRIES) continue;
    if (jsonMistake(line) !== undefined) return { kind: 'bad', line: number, why: 'json', detail: '' };
    const value: unknown = JSON.parse(line);
    if (typeof value !== 'object' || value === null || !('wire' in value) || typeof value.wire !== 'string')
      continue;
    const isRaw =
      'row' in value &&
      typeof value.row === 'object' &&
      value.row !== null &&
      'raw' in value.row &&
      value.row.raw === true;
    const contentType = isRaw ? 'text/plain' : 'application/cloudevents+json';
    entries.push({ entryId: '', contentType, event: value.wire });
  }
  return entriesThatFit(entries);
}
