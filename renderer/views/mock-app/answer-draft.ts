/** Converts an answer to the fields of a form and back. */
import type { Answer, BulkStatuses } from '../../../core/contract/mock-app.ts';
import { isAnswerStatus, MAX_ANSWER_DELAY_MS } from '../../../core/contract/rule-bounds.ts';
import { isStatusWord, type ForAll, type StatusWord } from '../../../core/contract/status-words.ts';
import { RULE_EDITOR } from '../../copy/mock-app.ts';
import { fill } from '../../copy/fill.ts';
import { asText } from '../../format/curl.ts';
import { count } from '../../format/quantity.ts';
import { readNumber } from '../../format/written-number.ts';

export type AnswerKind = Answer['kind'];
export type StatusesKind = ForAll | 'each';

export interface AnswerDraft {
  readonly id: number;
  readonly kind: AnswerKind;
  readonly status: string;
  readonly body: string;
  readonly delay: string;
  /** Headers, one per line. */
  readonly headers: string;
  readonly statusesKind: StatusesKind;
  readonly statuses: string;
  /** Share, for a random answer. */
  readonly share: string;
}

export type AnswerField = 'status' | 'delay' | 'headers' | 'statuses';

export type ReadAnswer =
  | { readonly ok: true; readonly answer: Answer }
  | { readonly ok: false; readonly field: AnswerField; readonly message: string };

export const EMPTY_ANSWER: AnswerDraft = {
  id: 0,
  kind: 'respond',
  status: '200',
  body: '{"status":"SUCCESS"}',
  delay: '',
  headers: '',
  statusesKind: 'all-success',
  statuses: '#1 SUCCESS\n* SUCCESS',
  share: '50',
};

function delayText(delayMs: number | readonly [number, number] | undefined): string {
  if (delayMs === undefined) return '';
  return typeof delayMs === 'number' ? String(delayMs) : delayMs.join('-');
}

/** The fields of an answer. */
export function draftOf(answer: Answer, id: number): AnswerDraft {
  const draft = { ...EMPTY_ANSWER, id, kind: answer.kind };
  if (answer.kind === 'respond') {
    return {
      ...draft,
      status: String(answer.status),
      body: asText(answer.body),
      delay: delayText(answer.delayMs),
      headers: Object.entries(answer.headers ?? {})
        .map(([name, value]) => `${name}: ${value}`)
        .join('\n'),
    };
  }
  if (answer.kind !== 'respond-bulk') return draft;
  const { statuses } = answer;
  const shared = { ...draft, status: String(answer.status), delay: delayText(answer.delayMs) };
  if (typeof statuses === 'string') return { ...shared, statusesKind: statuses };
  const lines = Object.entries(statuses).map(([entry, word]) => `${entry} ${word ?? '-'}`);
  return { ...shared, statusesKind: 'each', statuses: lines.join('\n') };
}

function bodyValue(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : text;
  } catch {
    // The text is not JSON, so it is a body of plain text.
    return text;
  }
}

/** A number that is written with a unit, "2s". */
const WITH_UNIT = /[a-z]\s*$/i;

/** A time in whole ms; undefined: the text is no time that an answer may wait. */
function readMs(text: string): number | undefined {
  const read = readNumber(text, 'ms');
  if (!read.ok || !Number.isInteger(read.value)) return undefined;
  return read.value >= 0 && read.value <= MAX_ANSWER_DELAY_MS ? read.value : undefined;
}

/** A delay, or the shortest and the longest one. In "1-2 s" the unit belongs to both. */
function readDelay(text: string): number | readonly [number, number] | undefined | 'bad' {
  if (text.trim() === '') return undefined;
  const [first = '', second, more] = text.split('-');
  if (second === undefined) return readMs(first) ?? 'bad';
  const unit = WITH_UNIT.test(first) ? '' : (/[a-z]*\s*$/i.exec(second)?.[0] ?? '');
  const from = readMs(first + unit);
  const to = readMs(second);
  if (more !== undefined || from === undefined || to === undefined || to < from) return 'bad';
  return [from, to];
}

type ReadHeaders =
  | { readonly ok: true; readonly headers: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly badLine: number };

function readHeaders(text: string): ReadHeaders {
  const headers: Record<string, string> = {};
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const found = /^\s*([!#$%&'*+\-.^_`|~0-9A-Za-z]+)\s*:\s*(.*?)\s*$/.exec(line);
    if (found === null) return { ok: false, badLine: index + 1 };
    headers[found[1] ?? ''] = found[2] ?? '';
  }
  return { ok: true, headers };
}

type ReadStatuses =
  | { readonly ok: true; readonly statuses: BulkStatuses }
  | { readonly ok: false; readonly badLine: number };

function readStatuses(draft: AnswerDraft): ReadStatuses {
  if (draft.statusesKind !== 'each') return { ok: true, statuses: draft.statusesKind };
  const statuses: Record<string, StatusWord | null> = {};
  const lines = draft.statuses.split('\n');
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const [entry, word, more] = line.trim().split(/\s+/);
    if (entry === undefined || more !== undefined || !(isStatusWord(word) || word === '-')) {
      return { ok: false, badLine: index + 1 };
    }
    statuses[entry] = isStatusWord(word) ? word : null;
  }
  return { ok: true, statuses };
}

/** The answer of the fields, or the wrong field. */
export function readAnswer(draft: AnswerDraft): ReadAnswer {
  if (draft.kind === 'hang' || draft.kind === 'reset' || draft.kind === 'ask') {
    return { ok: true, answer: { kind: draft.kind } };
  }
  const status = Number(draft.status);
  if (!isAnswerStatus(status)) {
    return { ok: false, field: 'status', message: RULE_EDITOR.badStatus };
  }
  const delayMs = readDelay(draft.delay);
  if (delayMs === 'bad') {
    const message = fill(RULE_EDITOR.badDelay, { n: count(MAX_ANSWER_DELAY_MS) });
    return { ok: false, field: 'delay', message };
  }
  const delay = delayMs === undefined ? {} : { delayMs };
  if (draft.kind === 'respond') {
    const given = readHeaders(draft.headers);
    if (!given.ok) {
      return { ok: false, field: 'headers', message: fill(RULE_EDITOR.badHeader, { n: given.badLine }) };
    }
    const headers = Object.keys(given.headers).length === 0 ? {} : { headers: given.headers };
    const body = draft.body === '' ? {} : { body: bodyValue(draft.body) };
    return { ok: true, answer: { kind: 'respond', status, ...headers, ...body, ...delay } };
  }
  const read = readStatuses(draft);
  if (!read.ok)
    return { ok: false, field: 'statuses', message: fill(RULE_EDITOR.badEntry, { n: read.badLine }) };
  return { ok: true, answer: { kind: 'respond-bulk', status, statuses: read.statuses, ...delay } };
}
