/** The head of an HTTP/1 message: its first line and its headers in their order and case. */

export interface Head {
  readonly startLine: string;
  /** Headers in their order, with each name as it was written and in lower case. */
  readonly headers: readonly Header[];
  /** Cache of `headerRecord`: one head after another of a connection is often the same. */
  record?: HeaderRecord;
}
type HeaderRecord = Readonly<Record<string, string>>;
type Header = readonly [name: string, value: string, key: string];

export interface RequestHead extends Head {
  readonly method: string;
  readonly target: string;
}

export interface ResponseHead extends Head {
  readonly status: number;
}

/**
 * Reads a head; undefined: it has an invalid header line.
 * @param bytes with the empty line at the end
 */
export function readHead(bytes: Buffer): Head | undefined {
  return readHeadText(bytes.toString('latin1'));
}

/** As `readHead`, of a text in which each character is a byte; the empty line at the end may be absent. */
export function readHeadText(text: string): Head | undefined {
  const headers: [name: string, value: string, key: string][] = [];
  let end = text.indexOf('\n');
  const startLine = withoutReturn(end < 0 ? text : text.slice(0, end));
  while (end >= 0) {
    const from = end + 1;
    end = text.indexOf('\n', from);
    const line = withoutReturn(end < 0 ? text.slice(from) : text.slice(from, end));
    if (line === '') continue;
    const last = headers.at(-1);
    if ((line.startsWith(' ') || line.startsWith('\t')) && last !== undefined) {
      last[1] = `${last[1]} ${line.trim()}`;
      continue;
    }
    const colon = line.indexOf(':');
    if (colon < 1) return undefined;
    const name = line.slice(0, colon).trim();
    headers.push([name, line.slice(colon + 1).trim(), name.toLowerCase()]);
  }
  return { startLine, headers };
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

const REQUEST_LINE = /^(\S+) (\S+) HTTP\/\d(?:\.\d)?$/;

/** The head as that of a request; undefined: its first line is not that of a request. */
export function requestOf(head: Head): RequestHead | undefined {
  const [, method, target] = REQUEST_LINE.exec(head.startLine) ?? [];
  if (method === undefined || target === undefined) return undefined;
  return { startLine: head.startLine, headers: head.headers, method, target };
}

/** The head as that of a response; undefined: its first line is not that of a response. */
export function responseOf(head: Head): ResponseHead | undefined {
  const status = /^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(head.startLine)?.[1];
  if (status === undefined) return undefined;
  return { startLine: head.startLine, headers: head.headers, status: Number(status) };
}

/**
 * The last value of a header; undefined: there is none.
 * @param name in lower case
 */
export function headerOf({ headers }: Head, name: string): string | undefined {
  for (let at = headers.length - 1; at >= 0; at -= 1) {
    const header = headers[at];
    if (header?.[2] === name) return header[1];
  }
  return undefined;
}

/** The headers by their names in lower case; values of headers with the same name are joined. */
export function headerRecord(head: Head): HeaderRecord {
  head.record ??= recordOf(head);
  return head.record;
}

function recordOf(head: Head): HeaderRecord {
  const all: Record<string, string> = {};
  for (const [, value, key] of head.headers) {
    // Setting a member of this name would set the prototype.
    if (key === '__proto__') return slowRecord(head);
    all[key] = Object.hasOwn(all, key) ? `${all[key] ?? ''}, ${value}` : value;
  }
  return all;
}

function slowRecord(head: Head): HeaderRecord {
  const all = new Map<string, string>();
  for (const [, value, key] of head.headers) {
    const before = all.get(key);
    all.set(key, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(all);
}

/** True when the last transfer encoding is `chunked`; undefined: there is no transfer encoding. */
export function isChunked(head: Head): boolean | undefined {
  const encodings = head.headers.filter(([, , key]) => key === 'transfer-encoding');
  if (encodings.length === 0) return undefined;
  return /(?:^|,)\s*chunked$/i.test(encodings.map(([, value]) => value).join(','));
}

/**
 * Bytes that `Content-Length` names; undefined: it is not there. `wrong`: it is no number, or there twice with different ones, so that
 * each end may see another end of the body.
 */
export function lengthOf({ headers }: Head): number | 'wrong' | undefined {
  let found: string | undefined;
  for (const [, value, key] of headers) {
    if (key !== 'content-length') continue;
    if (!/^\d{1,15}$/.test(value.trim()) || (found ?? value) !== value) return 'wrong';
    found = value;
  }
  return found === undefined ? undefined : Number(found);
}

/**
 * Whether the sender of a head closes the connection once the message is over.
 * @param isOld the message is of HTTP/1.0, where a connection closes unless its head says otherwise
 */
export function saysClose(head: Head, isOld: boolean): boolean {
  const words = (headerRecord(head)['connection'] ?? '').toLowerCase().split(',');
  const says = (word: string): boolean => words.some((one) => one.trim() === word);
  return says('close') || (isOld && !says('keep-alive'));
}

/** Headers that say how long the body is. */
const FRAMING = new Set(['content-length', 'transfer-encoding', 'trailer', 'expect']);

/** The head of a request for a body of another length: all other headers in their order and case. */
export function headForLength({ startLine, headers }: Head, length: number): Head {
  const kept = headers.filter(([, , key]) => !FRAMING.has(key));
  return { startLine, headers: [...kept, ['Content-Length', String(length), 'content-length']] };
}

/** A request with another body. Edited answers: `answers.ts`. */
export function requestWithBody(head: Head, body: Buffer): Buffer {
  const { startLine, headers } = headForLength(head, body.length);
  const lines = [startLine, ...headers.map(([name, value]) => `${name}: ${value}`)];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
}

/** Headers with which a client offers to go on in HTTP/2. */
const OFFER: ReadonlySet<string> = new Set(['upgrade', 'http2-settings']);

/** True when the only thing that a request offers is to go on in HTTP/2, which a server may overlook. */
export function offersHttp2(head: Head): boolean {
  return headerOf(head, 'upgrade')?.toLowerCase() === 'h2c';
}

/**
 * A head without the offer to go on in HTTP/2; every other byte stays. Some clients make it with each new connection, and a server
 * that overlooks it answers in HTTP/1.1, which can be followed.
 */
export function withoutOffer(bytes: Buffer): Buffer {
  let isDropped = false;
  const kept = bytes
    .toString('latin1')
    .split(/(?<=\n)/)
    .map((line) => {
      if (isDropped && /^[ \t]/.test(line)) return '';
      const [, name = '', value = '', end = ''] = /^([^:]+):(.*?)(\r?\n)$/s.exec(line) ?? [];
      const key = name.trim().toLowerCase();
      const others = value.split(',').map((word) => word.trim());
      const left = others.filter((word) => !OFFER.has(word.toLowerCase()));
      isDropped = OFFER.has(key) || (key === 'connection' && left.length === 0);
      if (isDropped) return '';
      return key === 'connection' && left.length < others.length ? `${name}: ${left.join(', ')}${end}` : line;
    });
  return Buffer.from(kept.join(''), 'latin1');
}
