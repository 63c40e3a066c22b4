/**
 * Reads the values of a term as its key requires: numbers, sizes, durations, fixed words, JSON values, text
 * with `*`.
 */
import { readFilterCode } from '../../contract/grpc.ts';
import type { Comparison, FilterValue } from './ast.ts';
import type { KeySpec } from './keys.ts';
import { nearest } from './mistakes.ts';

/** A value as written. */
export interface WrittenValue {
  /** Text without quotes and escapes. */
  readonly text: string;
  readonly quoted: boolean;
}

/** A value that was read, or the mistake. `skip`: number of correct characters before the wrong ones. */
export type ReadValue =
  | { readonly ok: true; readonly value: FilterValue }
  | { readonly ok: false; readonly expected: string; readonly skip?: number; readonly suggestion?: string };

type Measure = (text: string) => number | undefined;

const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;
const SIZE = /^(.*?)(b|kb|mb)?$/i;
const DURATION = /^(.*?)(ms|s|m|h|d)$/;
const MOMENT = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/;
const STATUS_CLASS = /^([1-9])xx$/i;

const BYTES: Readonly<Record<string, number>> = { b: 1, kb: 1024, mb: 1024 * 1024 };
const MILLISECONDS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Comparisons that the values of a key support. */
export function comparisonsOf(spec: KeySpec): readonly Comparison[] {
  const isText = spec.reads === 'text' || spec.reads === 'word' || spec.reads === 'answer';
  return isText ? ['=', '!='] : ['=', '!=', '>', '>=', '<', '<='];
}

/**
 * Reads one value. Sizes are in bytes, durations in ms, `5xx` is a range. Console design: the table of keys
 * and the grammar's `value`.
 */
export function readValue(spec: KeySpec, op: Comparison, written: WrittenValue): ReadValue {
  const isOrder = op !== '=' && op !== '!=';
  switch (spec.reads) {
    case 'text':
      return { ok: true, value: textValue(written) };
    case 'word':
      return readWord(spec, written);
    case 'number':
      return readMeasure(spec, numberOf, isOrder, written.text);
    case 'status':
      return readStatus(spec, isOrder, written.text);
    case 'answer':
      return readAnswer(spec, written);
    case 'size':
      return readMeasure(spec, (text) => measured(text, SIZE, BYTES), isOrder, written.text);
    case 'duration':
      return readMeasure(spec, (text) => measured(text, DURATION, MILLISECONDS), isOrder, written.text);
    case 'moment':
      return readMeasure(spec, momentOf, isOrder, written.text);
    case 'data':
      return readData(spec, isOrder, written);
    case 'meta':
      return readMeta(isOrder, written);
  }
}

/** Whether a key takes a value, or a list of them, as they are written behind its operator. */
export function takesValue(spec: KeySpec, op: string, value: string): boolean {
  const sign = op === ':' ? '=' : op.replace(':', '');
  const known = comparisonsOf(spec).find((each) => each === sign);
  if (known === undefined) return false;
  const values = value.match(/"(?:\\.|[^"\\])*"|[^,"]+/g) ?? [];
  return values.every((each) => {
    const quoted = each.startsWith('"');
    return readValue(spec, known, { text: quoted ? each.slice(1, -1) : each, quoted }).ok;
  });
}

/** A text value; outside quotes `*` stands for any run of characters. */
export function textValue({
  text,
  quoted,
}: WrittenValue): Extract<FilterValue, { kind: 'string' | 'pattern' }> {
  return !quoted && text.includes('*') ? { kind: 'pattern', value: text } : { kind: 'string', value: text };
}

function readWord(spec: KeySpec, written: WrittenValue): ReadValue {
  const value = textValue(written);
  if (value.kind === 'pattern') return { ok: true, value };
  const offered = spec.words ?? [];
  // All words are in lower case, but a person may write them as a chip shows them.
  const word = value.value.toLowerCase();
  if (offered.includes(word) || spec.moreWords?.includes(word))
    return { ok: true, value: { ...value, value: word } };
  // A word with a sign in front asks for all others, so the word alone is the opposite of it.
  const suggestion = /^[!-]/.test(word) ? undefined : nearest(word, offered);
  return { ok: false, expected: spec.expects, ...(suggestion === undefined ? {} : { suggestion }) };
}

function readStatus(spec: KeySpec, isOrder: boolean, text: string): ReadValue {
  const code = isOrder ? undefined : readFilterCode(text);
  if (code !== undefined) return { ok: true, value: { kind: 'number', value: code } };
  const [, hundreds] = STATUS_CLASS.exec(text) ?? [];
  if (hundreds === undefined || isOrder) return readMeasure(spec, numberOf, isOrder, text);
  const from = Number(hundreds) * 100;
  return { ok: true, value: { kind: 'range', from, to: from + 99 } };
}

/** Reads a code or a status word. A text in quotes is always a word. */
function readAnswer(spec: KeySpec, written: WrittenValue): ReadValue {
  const code = written.quoted ? undefined : readStatus(spec, false, written.text);
  // A range whose ends are exchanged is a mistake, and no word.
  if (code !== undefined && (code.ok || code.skip !== undefined)) return code;
  return { ok: true, value: textValue(written) };
}

function readMeasure(spec: KeySpec, measure: Measure, isOrder: boolean, text: string): ReadValue {
  const value = measure(text);
  if (value !== undefined) return { ok: true, value: { kind: 'number', value } };
  if (isOrder) return { ok: false, expected: spec.expects };
  return readRange(text, measure) ?? { ok: false, expected: spec.expects };
}

/** Reads a range; undefined: the text is not two measures with ".." between them. */
function readRange(text: string, measure: Measure): ReadValue | undefined {
  const dots = text.indexOf('..');
  if (dots === -1) return undefined;
  const from = measure(text.slice(0, dots));
  const to = measure(text.slice(dots + 2));
  if (from === undefined || to === undefined) return undefined;
  if (to < from) return { ok: false, expected: `at least ${text.slice(0, dots)}`, skip: dots + 2 };
  return { ok: true, value: { kind: 'range', from, to } };
}

function readData(spec: KeySpec, isOrder: boolean, written: WrittenValue): ReadValue {
  if (!written.quoted) {
    const number = numberOf(written.text);
    if (number !== undefined) return { ok: true, value: { kind: 'number', value: number } };
    const other = isOrder ? undefined : (jsonWord(written.text) ?? readRange(written.text, numberOf));
    if (other !== undefined) return other;
  }
  const value = textValue(written);
  const noOrder = isOrder && (value.kind === 'pattern' || isJsonWord(written));
  return noOrder ? { ok: false, expected: 'a number or a text' } : { ok: true, value };
}

function readMeta(isOrder: boolean, written: WrittenValue): ReadValue {
  if (!written.quoted) {
    const number = isOrder ? numberOf(written.text) : undefined;
    if (number !== undefined) return { ok: true, value: { kind: 'number', value: number } };
    const range = isOrder ? undefined : readRange(written.text, numberOf);
    if (range !== undefined) return range;
  }
  const value = textValue(written);
  if (isOrder && value.kind === 'pattern') return { ok: false, expected: 'a number or a text' };
  return { ok: true, value };
}

function jsonWord(text: string): ReadValue | undefined {
  if (text === 'null') return { ok: true, value: { kind: 'null' } };
  if (text === 'true' || text === 'false')
    return { ok: true, value: { kind: 'boolean', value: text === 'true' } };
  return undefined;
}

function isJsonWord({ text, quoted }: WrittenValue): boolean {
  return !quoted && jsonWord(text) !== undefined;
}

function measured(text: string, form: RegExp, units: Readonly<Record<string, number>>): number | undefined {
  const [, digits, unit] = form.exec(text) ?? [];
  const number = digits === undefined ? undefined : numberOf(digits);
  const factor = units[(unit ?? 'b').toLowerCase()];
  return number === undefined || factor === undefined ? undefined : finite(number * factor);
}

/** Reads a moment: date and time with zone, or milliseconds since 1970. */
function momentOf(text: string): number | undefined {
  return MOMENT.test(text) ? finite(Date.parse(text)) : numberOf(text);
}

/** Reads a number; undefined: it is none, or one that JSON cannot hold. */
function numberOf(text: string): number | undefined {
  return NUMBER.test(text) ? finite(Number(text)) : undefined;
}

function finite(value: number): number | undefined {
  // Adding 0 turns -0 into 0: JSON has no -0, so the filter would change when it is sent.
  return Number.isFinite(value) ? value + 0 : undefined;
}
