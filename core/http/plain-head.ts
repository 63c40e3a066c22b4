/**
 * Reads the head of a publish as nearly every client writes it. The grammar is far narrower than that of HTTP: whatever is written in
 * another way is left to the parser of the server, which knows all of it.
 */

export interface PlainHead {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bodyBytes: number;
  /** Length of the head in bytes, with the empty line at its end. */
  readonly bytes: number;
}

/** What follows the last header. */
const HEAD_END = '\r\n\r\n';
/** Half of what the parser of the server takes. */
const LONGEST_HEAD = 8 * 1024;
/** The parser of the server forgets what comes after a thousand. */
const MOST_FIELDS = 100;
const REQUEST_LINE = /^POST (\/[\w.~!$&'()*+,;=:@/?%-]*) HTTP\/1\.1$/;
/** One blank at most before the value, and none behind it. */
const FIELD = /^([A-Za-z][A-Za-z0-9-]*): ?((?:[!-~](?:[ -~]*[!-~])?)?)$/;
const LENGTH = /^[1-9]\d{0,8}$/;
/** Headers that give the body or the connection another meaning. */
const OTHERWISE = ['transfer-encoding', 'expect', 'upgrade', 'trailer', 'proxy-connection'] as const;

/** Reads the heads of one connection. A client often sends the same head again, which then is not read again. */
export class PlainHeadReader {
  /** The last plain head with the empty line at its end; one character for each byte. */
  #text = '';
  #head: PlainHead | undefined;

  /** The head that the bytes begin with. Undefined: it is no plain head, or has not come as a whole. */
  read(bytes: Buffer): PlainHead | undefined {
    if (this.#head !== undefined && bytes.toString('latin1', 0, this.#head.bytes) === this.#text)
      return this.#head;
    const begin = bytes.toString('latin1', 0, LONGEST_HEAD);
    const end = begin.indexOf(HEAD_END);
    const head = end === -1 ? undefined : headOf(begin.slice(0, end));
    if (head === undefined) return undefined;
    this.#text = bytes.toString('latin1', 0, head.bytes);
    this.#head = head;
    return head;
  }
}

/** @param text without the empty line at its end */
function headOf(text: string): PlainHead | undefined {
  const [first = '', ...lines] = text.split('\r\n');
  const url = REQUEST_LINE.exec(first)?.[1];
  if (url === undefined || lines.length > MOST_FIELDS) return undefined;
  const fields = new Map<string, string>();
  for (const line of lines) {
    const [, name, value] = FIELD.exec(line) ?? [];
    if (name === undefined || value === undefined) return undefined;
    const key = name.toLowerCase();
    // Which of two counts is a question for the parser of the server.
    if (fields.has(key)) return undefined;
    fields.set(key, value);
  }
  const length = fields.get('content-length') ?? '';
  if (!LENGTH.test(length) || !fields.has('host') || !staysOpen(fields.get('connection'))) return undefined;
  if (OTHERWISE.some((name) => fields.has(name))) return undefined;
  const bytes = text.length + HEAD_END.length;
  return { url, headers: Object.fromEntries(fields), bodyBytes: Number(length), bytes };
}

function staysOpen(connection: string | undefined): boolean {
  return connection === undefined || connection.toLowerCase() === 'keep-alive';
}
