/**
 * The head of an answer: its status, its headers, how long its body is, and whether the connection lives on after it. A head that the
 * reference reads is read here too, because its status decides: any version of HTTP and any text in the status line, lines that end with
 * LF alone, folded headers, blanks in the name of a header, one length given twice, a length beside chunks.
 */

/** The received bytes are not HTTP as the reference reads it. */
export class NotHttp extends Error {}

export interface AnswerHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes of the body; `rest`: all that comes until the connection ends. */
  readonly body: number | 'chunked' | 'rest';
  /** The connection may carry another request after this answer. */
  readonly keepsOpen: boolean;
  /** How long the idle connection may be kept, in ms; undefined: the app does not say. */
  readonly keptMs: number | undefined;
}

/** Status line of an answer; the text after the status is ignored, whatever characters it has. */
const STATUS_LINE = /^HTTP\/(\d\.\d) +([1-9]\d\d)(?: [^\n]*)?$/;
const FIELD =
  /^([!#$%&'*+\-.^_`|~0-9A-Za-z][!#$%&'*+\-.^_`|~0-9A-Za-z ]*):([\t\u0020-\u007e\u0080-\u00ff]*)$/;
const LINE_END = /\r?\n/;
const FOLDED = /^[\t ]/;
const BLANKS: ReadonlySet<number> = new Set([0x09, 0x20]);
const DIGITS = /^\d+$/;
const MAX_BODY_LENGTH = 2n ** 63n - 1n;
const LAST_IS_CHUNKED = /(?:^|,)[\t ]*chunked[\t ]*$/i;
const PROMISED_SECONDS = /timeout=(\d{1,9})/i;
/** Idle connections are closed this much before the app's own timeout, so that it does not close one while a request is on its way. */
const MARGIN_MS = 2_000;
const MAX_MS = 600_000;

/** Reads heads. Most answers of an app have the head of the one before, which then is not read again. */
export class HeadReader {
  #text = '';
  #head: AnswerHead | undefined;
  /** The last head unchanged, with the empty line at its end. */
  #whole = '';

  /** The last head, if the bytes begin with exactly the same one; `next`: where the body begins. */
  again(bytes: Buffer, from: number): { readonly head: AnswerHead; readonly next: number } | undefined {
    const next = from + this.#whole.length;
    if (this.#head === undefined || this.#whole === '' || bytes.length < next) return undefined;
    return bytes.toString('latin1', from, next) === this.#whole ? { head: this.#head, next } : undefined;
  }

  /** Notes the received text of the last head, for `again`. */
  cameAs(whole: string): void {
    this.#whole = whole;
  }

  /** @param text without the empty line at its end; one character for each byte. Throws NotHttp. */
  read(text: string): AnswerHead {
    if (this.#head !== undefined && text === this.#text) return this.#head;
    const head = headOf(text);
    this.#text = text;
    this.#whole = '';
    this.#head = { ...head, headers: sharedHeaders(this.#head?.headers, head.headers) };
    return this.#head;
  }
}

function headOf(text: string): AnswerHead {
  const [first = '', ...lines] = text.split(LINE_END);
  const [, version, digits] = STATUS_LINE.exec(first) ?? [];
  if (digits === undefined) throw new NotHttp('it does not begin with a status line');
  const fields = new Map<string, string>();
  for (const line of unfolded(lines)) {
    const { name, value } = fieldOf(line);
    const before = fields.get(name);
    fields.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  const status = Number(digits);
  const body = bodyOf(status, fields);
  const keptMs = keptOf(fields.get('keep-alive'));
  const keepsOpen = body !== 'rest' && mayStayOpen(status, version === '1.1', fields) && (keptMs ?? 1) > 0;
  return { status, headers: Object.fromEntries(fields), body, keepsOpen, keptMs };
}

/** Each header in one line: a line that begins with a blank continues the one before it. */
function unfolded(lines: readonly string[]): readonly string[] {
  if (!lines.some((line) => FOLDED.test(line))) return lines;
  const whole: string[] = [];
  for (const line of lines) {
    const before = FOLDED.test(line) ? whole.pop() : undefined;
    whole.push(before === undefined ? line : `${before} ${withoutBlanks(line)}`);
  }
  return whole;
}

/** A header in its line: its name in lower case, its value without the blanks around it. Throws NotHttp. */
export function fieldOf(line: string): { readonly name: string; readonly value: string } {
  const [, name, value] = FIELD.exec(line) ?? [];
  if (name === undefined || value === undefined) throw new NotHttp('a header cannot be read');
  return { name: name.toLowerCase(), value: withoutBlanks(value) };
}

/** The parts of a header between its commas. No pattern looks for the blanks around them: it would pass over thousands again and again. */
function partsOf(value: string): readonly string[] {
  return value.split(',').map(withoutBlanks);
}

/** The text without the tabs and blanks around it. Other white space, such as the byte A0, is part of a value. */
export function withoutBlanks(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && BLANKS.has(text.charCodeAt(from))) from += 1;
  while (to > from && BLANKS.has(text.charCodeAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

function bodyOf(status: number, fields: ReadonlyMap<string, string>): AnswerHead['body'] {
  const [length, coding] = [lengthOf(fields), fields.get('transfer-encoding')];
  if (isWithoutBody(status)) return 0;
  if (coding !== undefined) return LAST_IS_CHUNKED.test(coding) ? 'chunked' : 'rest';
  return length ?? 'rest';
}

/** The length that the head names; undefined: none, also where its place is empty. Some apps name it twice. */
function lengthOf(fields: ReadonlyMap<string, string>): number | undefined {
  const [length = '', ...others] = partsOf(fields.get('content-length') ?? '');
  if (length === '' && others.length === 0) return undefined;
  if (!DIGITS.test(length) || BigInt(length) > MAX_BODY_LENGTH || others.some((other) => other !== length))
    throw new NotHttp('its content-length is not a number');
  return Number(length);
}

function isWithoutBody(status: number): boolean {
  return status < 200 || status === 204 || status === 304;
}

function mayStayOpen(status: number, isNewest: boolean, fields: ReadonlyMap<string, string>): boolean {
  const words = partsOf((fields.get('connection') ?? '').toLowerCase());
  if (words.includes('close')) return false;
  // If a head has both a length and chunks, it is not certain where the next answer begins.
  if (fields.has('content-length') && fields.has('transfer-encoding')) return false;
  // An answer that may have no body and announces one may be followed by it.
  const announces = (fields.get('content-length') ?? '0') !== '0' || fields.has('transfer-encoding');
  if (isWithoutBody(status) && announces) return false;
  return isNewest || words.includes('keep-alive');
}

function keptOf(promise: string | undefined): number | undefined {
  const seconds = promise === undefined ? undefined : PROMISED_SECONDS.exec(promise)?.[1];
  return seconds === undefined ? undefined : Math.min(Number(seconds) * 1_000 - MARGIN_MS, MAX_MS);
}

/** The headers of an answer, or those of the one before where they are equal: headers are kept with each message, and such ones share one object. */
export function sharedHeaders(
  last: Readonly<Record<string, string>> | undefined,
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return last !== undefined && isSame(last, headers) ? last : headers;
}

function isSame(one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}
