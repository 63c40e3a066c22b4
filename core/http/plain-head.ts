/**
 * Reads the head of a publish in the form that nearly every client writes. The grammar is far narrower than
 * that of HTTP; all other forms are left to the server's parser, which knows the whole grammar.
 */

export interface PlainHead {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bodyBytes: number;
  /** Length of the head in bytes, with the empty line at its end. */
  readonly bytes: number;
}

/** End of the last header. */
const HEAD_END = '\r\n\r\n';
/** Longest head in bytes, half of what the server's parser accepts. */
const MAX_HEAD_LENGTH = 8 * 1024;
/** Maximum number of headers. The server's parser drops those after a thousand. */
const MAX_FIELDS = 100;
const REQUEST_LINE = /^POST (\/[\w.~!$&'()*+,;=:@/?%-]*) HTTP\/1\.1$/;
/** A header with at most one blank before the value, and none after it. */
const FIELD = /^([A-Za-z][A-Za-z0-9-]*): ?((?:[!-~](?:[ -~]*[!-~])?)?)$/;
const LENGTH = /^[1-9]\d{0,8}$/;
/** Headers that change the meaning of the body or the connection. */
const OTHERWISE = ['transfer-encoding', 'expect', 'upgrade', 'trailer', 'proxy-connection'] as const;

/** Reads the heads of one connection. A client often sends an equal head again, which is not parsed again. */
export class PlainHeadReader {
  /** The last plain head with the empty line at its end; one character for each byte. */
  #text = '';
  #head: PlainHead | undefined;

  /** The plain head at the beginning of the bytes. Undefined: it is not plain, or not complete. */
  read(bytes: Buffer): PlainHead | undefined {
    if (this.#head !== undefined && bytes.toString('latin1', 0, this.#head.bytes) === this.#text)
      return this.#head;
    const begin = bytes.toString('latin1', 0, MAX_HEAD_LENGTH);
    const end = begin.indexOf(HEAD_END);
    const head = end === -1 ? undefined : headOf(begin.slice(0, end));
    if (head === undefined) return undefined;
    this.#text = bytes.toString('latin1', 0, head.bytes);
    this.#head = head;
    return head;
  }
}

/**
 * Parses a head.
 * @param text without the empty line at its end
 */
function headOf(text: string): PlainHead | undefined {
  const [first = '', ...lines] = text.split('\r\n');
  const url = REQUEST_LINE.exec(first)?.[1];
  if (url === undefined || lines.length > MAX_FIELDS) return undefined;
  const fields = new Map<string, string>();
  for (const line of lines) {
    const [, name, value] = FIELD.exec(line) ?? [];
    if (name === undefined || value === undefined) return undefined;
    const key = name.toLowerCase();
    // For a repeated header, the server's parser decides which one counts.
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
