/** Reads bulk entries from pasted text, and finds their mistakes. */
import { isObject } from '../../core/contract/is-object.ts';
import type { BulkEntry } from '../../core/contract/publish.ts';
import { jsonMistake } from '../../core/contract/json-position.ts';
import { elementTexts } from '../../core/contract/json-scan.ts';
import { compactJson, memberText } from './json-text.ts';

export interface ReadEntry {
  readonly entryId: string;
  readonly contentType: string;
  readonly event: string;
}

export type ReadEntries =
  | { readonly ok: true; readonly entries: readonly ReadEntry[] }
  | { readonly ok: false; readonly line: number };

/** Maximum number of entries of one request. */
export const MAX_ENTRIES = 10_000;
/** Lines between two progress reports. */
const REPORTED_LINES = 200;
const JSON_TYPE = 'application/json';

/**
 * Reads an element of the array: an entry as on the wire, or any value as an event. Events stay as they are
 * written.
 */
function entryOf(text: string): ReadEntry {
  const value: unknown = JSON.parse(text);
  if (isObject(value) && 'event' in value) {
    const { entryId, contentType, event } = value;
    const isText = typeof event === 'string';
    return {
      entryId: typeof entryId === 'string' ? entryId : entryId === undefined ? '' : JSON.stringify(entryId),
      contentType: typeof contentType === 'string' ? contentType : isText ? 'text/plain' : JSON_TYPE,
      event: isText ? event : compactJson(memberText(text, 'event') ?? JSON.stringify(event)),
    };
  }
  return { entryId: '', contentType: JSON_TYPE, event: compactJson(text) };
}

/**
 * Reads a JSON array, one JSON value per line, or one text per line.
 * @param onShare called with the share that is done, from 0 to 1
 * @returns the entries; or the line (from 1) that is not JSON, if the lines before it are
 */
export function readEntries(text: string, onShare?: (share: number) => void): ReadEntries {
  const trimmed = text.trim();
  if (trimmed.startsWith('[') && jsonMistake(trimmed) === undefined) {
    return { ok: true, entries: elementTexts(trimmed).map((each) => entryOf(each)) };
  }
  const lines = text.split(/\r?\n/).map((line, index) => ({ line, number: index + 1 }));
  const filled = lines.filter(({ line }) => line.trim() !== '');
  const [first] = filled;
  const isJson = first !== undefined && /^\s*[[{]/.test(first.line);
  if (!isJson) {
    return {
      ok: true,
      entries: filled.map(({ line }) => ({ entryId: '', contentType: 'text/plain', event: line })),
    };
  }
  const entries: ReadEntry[] = [];
  for (const { line, number } of filled) {
    if (jsonMistake(line) !== undefined) return { ok: false, line: number };
    entries.push(entryOf(line));
    if (number % REPORTED_LINES === 0) onShare?.(number / lines.length);
  }
  return { ok: true, entries };
}

export interface EntryMistakes {
  /** Ids of more than one entry. */
  readonly twice: ReadonlySet<string>;
  readonly withoutId: number;
  readonly notJson: number;
  /** Number of CloudEvents without a required attribute. */
  readonly lacking: number;
}

/** Mistakes of the entries as a whole. */
export function entryMistakes(entries: readonly ReadEntry[]): EntryMistakes {
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const { entryId } of entries) {
    if (entryId !== '' && seen.has(entryId)) twice.add(entryId);
    seen.add(entryId);
  }
  return {
    twice,
    withoutId: entries.filter(({ entryId }) => entryId === '').length,
    notJson: entries.filter((entry) => isBadJson(entry)).length,
    lacking: entries.filter((entry) => missingAttributes(entry).length > 0).length,
  };
}

/** Facts about one entry. */
export interface EntryFacts {
  readonly missing: readonly string[];
  readonly bytes: number;
  readonly isBad: boolean;
}

/** Facts by entry, computed once: ten thousand entries are looked up at every keystroke. */
const FACTS = new WeakMap<object, EntryFacts>();
const UTF8 = new TextEncoder();

/** Facts about an entry, computed once. */
export function factsOf(entry: Pick<ReadEntry, 'contentType' | 'event'>): EntryFacts {
  const known = FACTS.get(entry);
  if (known !== undefined) return known;
  const { contentType, event } = entry;
  const made = {
    missing: missingIn(contentType, event),
    bytes: UTF8.encode(event).length,
    isBad: /json/i.test(contentType) && jsonMistake(event) !== undefined,
  };
  FACTS.set(entry, made);
  return made;
}

/** Stores the facts that a worker found about the entry. */
export function keepFacts(entry: Pick<ReadEntry, 'contentType' | 'event'>, facts: EntryFacts): void {
  FACTS.set(entry, facts);
}

const REQUIRED = ['id', 'source', 'specversion', 'type'];

function missingIn(contentType: string, event: string): readonly string[] {
  if (!/^\s*application\/cloudevents\+json/i.test(contentType) || jsonMistake(event) !== undefined) return [];
  const value: unknown = JSON.parse(event);
  return isObject(value)
    ? REQUIRED.filter((name) => typeof value[name] !== 'string' || value[name] === '')
    : REQUIRED;
}

/** Attributes that are missing in an entry's own CloudEvent; [] for any other entry. */
export function missingAttributes(entry: Pick<ReadEntry, 'contentType' | 'event'>): readonly string[] {
  return factsOf(entry).missing;
}

/** Number of bytes of the event. */
export function entryBytes(entry: Pick<ReadEntry, 'contentType' | 'event'>): number {
  return factsOf(entry).bytes;
}

/** Whether an event that is declared as JSON is not JSON. */
export function isBadJson(entry: Pick<ReadEntry, 'contentType' | 'event'>): boolean {
  return factsOf(entry).isBad;
}

/**
 * An entry for the publish: JSON as a value if that keeps its meaning, else as its own text; everything else
 * as text.
 */
export function wireEntry(entry: ReadEntry): BulkEntry {
  const { entryId, contentType, event } = entry;
  if (!/json/i.test(contentType) || isBadJson(entry)) return { entryId, contentType, event };
  const value: unknown = JSON.parse(event);
  const isSame = JSON.stringify(value) === event;
  return { entryId, contentType, ...(isSame ? { event: value } : { eventText: event }) };
}
