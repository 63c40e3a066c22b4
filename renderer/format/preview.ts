/** The line of a payload: its version, and its parts for drawing, with dim names of members and marked matches of the filter. */
import { foremost } from '../../core/contract/attention.ts';
import type { MessageRow } from '../../core/contract/message.ts';
import type { LIST } from '../copy/messages.ts';
import { filterParts } from './filter-words.ts';
import { indexBehindVisible, visibleShort } from './visible-text.ts';

/**
 * The version of the payload that the line of a message shows: a person may edit the message before its publish, or the payload of the
 * delivery that needs attention most. Numbers of messages begin again with another history, so the message itself is part of it.
 */
export function payloadVersion({
  messageId,
  sizeBytes,
  flags,
  deliveries,
}: Pick<MessageRow, 'messageId' | 'sizeBytes' | 'flags' | 'deliveries'>): string {
  const { deliveryId, edits } = foremost(deliveries) ?? {};
  const edited = edits === undefined ? [] : [deliveryId, edits];
  return [messageId, sizeBytes, flags?.length ?? 0, ...edited].join(' ');
}

export interface PreviewPart {
  readonly kind: 'name' | 'value';
  readonly text: string;
  /** True for a match of the filter. */
  readonly isMarked: boolean;
}

/** A member's name with its colon; the rest are values. */
const NAME = /"(?:[^"\\]|\\.)*":/g;

/** A plain name without its quotation marks, so that more of the values fits into the line. */
function bare(name: string): string {
  return /^"[\w$.-]+":$/.test(name) ? `${name.slice(1, -2)}:` : name;
}

/**
 * The parts in order; together they are the text, without the quotation marks of plain names.
 * @param needles result of `needlesOf`
 */
export function previewParts(text: string, needles: readonly string[]): readonly PreviewPart[] {
  const parts: PreviewPart[] = [];
  let from = 0;
  for (const { index, 0: name } of namesIn(text)) {
    parts.push(...marked('value', text.slice(from, index), needles));
    parts.push(...marked('name', bare(name), needles));
    from = index + name.length;
  }
  return [...parts, ...marked('value', text.slice(from), needles)];
}

/** Index in the line of a payload of the letter that is drawn at this index of its parts. */
export function indexInLine(line: string, drawnAt: number): number {
  const text = visibleShort(line);
  let at = drawnAt;
  for (const { index, 0: name } of namesIn(text)) {
    if (bare(name) === name) continue;
    // The quotation marks of the name are not drawn.
    if (at >= index) at += 1;
    if (at >= index + name.length - 2) at += 1;
  }
  return indexBehindVisible(line, at);
}

function namesIn(text: string): Iterable<RegExpExecArray> {
  return /^[{[]/.test(text) ? text.matchAll(NAME) : [];
}

function marked(kind: PreviewPart['kind'], text: string, needles: readonly string[]): readonly PreviewPart[] {
  const lower = text.toLowerCase();
  const parts: PreviewPart[] = [];
  let from = 0;
  while (from < text.length) {
    const next = nearest(lower, needles, from);
    const start = next?.at ?? text.length;
    if (start > from) parts.push({ kind, text: text.slice(from, start), isMarked: false });
    if (next === undefined) return parts;
    from = start + next.length;
    parts.push({ kind, text: text.slice(start, from), isMarked: true });
  }
  return parts;
}

function nearest(
  lower: string,
  needles: readonly string[],
  from: number,
): { readonly at: number; readonly length: number } | undefined {
  let found: { at: number; length: number } | undefined;
  for (const needle of needles) {
    const at = lower.indexOf(needle, from);
    if (at === -1 || (found !== undefined && at >= found.at)) continue;
    found = { at, length: needle.length };
  }
  return found;
}

/**
 * Texts in lower case that a filter searches in payloads: free text and values of `data.` paths, except
 * excluded ones.
 */
export function needlesOf(filter: string): readonly string[] {
  return needlesOfKeys(filter, looksInPayload);
}

/** Free texts of a filter in lower case, which are searched in ids too. */
export function freeTextsOf(filter: string): readonly string[] {
  return needlesOfKeys(filter, (key) => key === '');
}

/** Texts of the terms whose key (with its operator; '' = free text) `counts`, except excluded ones. */
function needlesOfKeys(filter: string, counts: (key: string) => boolean): readonly string[] {
  const needles: string[] = [];
  let key = '';
  let isExcluded = false;
  for (const { kind, text } of filterParts(filter)) {
    if (text.trim() === '') {
      key = '';
      continue;
    }
    if (kind === 'word') {
      isExcluded = text === 'NOT';
      key = '';
    } else if (kind === 'key') key = text;
    else {
      const isLeftOut = isExcluded || text.startsWith('-') || key.startsWith('-');
      if (!isLeftOut && counts(key)) needles.push(...wordsOf(kind === 'quoted', text, key));
      isExcluded = false;
      key = '';
    }
  }
  return [...new Set(needles)];
}

type IdKind = keyof typeof LIST.foundInId;

/** An id of a message, and what it is the id of. */
export interface FoundId {
  readonly kind: IdKind;
  readonly id: string;
}

/**
 * The id in which a free text of the filter stands, while the line of the payload has none of them: nothing else in the row shows why it
 * was found. Undefined: the line shows it, or another part of the message has it.
 */
export function foundInId(
  row: Pick<MessageRow, 'messageId' | 'eventId' | 'batchId' | 'replayOf' | 'traceId'> & {
    readonly deliveries: readonly { readonly deliveryId: string }[];
  },
  line: string,
  texts: readonly string[],
): FoundId | undefined {
  const has = (text: string): boolean => texts.some((wanted) => text.toLowerCase().includes(wanted));
  if (texts.length === 0 || has(line)) return undefined;
  const { messageId, eventId, batchId, replayOf, traceId } = row;
  const ids: readonly (readonly [kind: IdKind, id: string | undefined])[] = [
    ['event', eventId],
    ['message', messageId],
    ...row.deliveries.map(({ deliveryId }) => ['delivery', deliveryId] as const),
    ['batch', batchId],
    ['replayed', replayOf],
    ['trace', traceId],
  ];
  for (const [kind, id] of ids) if (id !== undefined && has(id)) return { kind, id };
  return undefined;
}

/** Whether a key compares for equality: a greater value would be another text. */
function looksInPayload(key: string): boolean {
  return key === '' || (key.startsWith('data') && /(?<![!<>]=?)[:=]$/.test(key));
}

function wordsOf(isQuoted: boolean, text: string, key: string): readonly string[] {
  if (isQuoted) {
    const inner = text.replace(/^"/, '').replace(/"$/, '').replaceAll(/\\(.)/g, '$1').toLowerCase();
    return inner === '' ? [] : [inner];
  }
  const values = key === '' ? [text] : text.split(',');
  return values.flatMap((value) => value.toLowerCase().split('*')).filter((word) => word !== '');
}
