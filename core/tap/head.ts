/** The head of an HTTP/1 message: its first line and its headers in their order and case. */

export interface Head {
  readonly startLine: string;
  /** In their order, names as they were written. */
  readonly headers: readonly (readonly [name: string, value: string])[];
}

export interface RequestHead extends Head {
  readonly method: string;
  readonly target: string;
}

export interface ResponseHead extends Head {
  readonly status: number;
}

/** Undefined: these are no lines of headers. @param bytes with the empty line at the end */
export function readHead(bytes: Buffer): Head | undefined {
  const [startLine = '', ...lines] = bytes.toString('latin1').split(/\r?\n/);
  const headers: [string, string][] = [];
  for (const line of lines) {
    if (line === '') continue;
    const last = headers.at(-1);
    if (/^[ \t]/.test(line) && last !== undefined) {
      last[1] = `${last[1]} ${line.trim()}`;
      continue;
    }
    const colon = line.indexOf(':');
    if (colon < 1) return undefined;
    headers.push([line.slice(0, colon).trim(), line.slice(colon + 1).trim()]);
  }
  return { startLine, headers };
}

/** Undefined: the first line is not that of a request. */
export function requestOf(head: Head): RequestHead | undefined {
  const [, method, target] = /^(\S+) (\S+) HTTP\/\d(?:\.\d)?$/.exec(head.startLine) ?? [];
  return method === undefined || target === undefined ? undefined : { ...head, method, target };
}

/** Undefined: the first line is not that of a response. */
export function responseOf(head: Head): ResponseHead | undefined {
  const status = /^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(head.startLine)?.[1];
  return status === undefined ? undefined : { ...head, status: Number(status) };
}

/** The last value of a header; undefined: there is none. @param name in lower case */
export function headerOf(head: Head, name: string): string | undefined {
  return head.headers.findLast(([one]) => one.toLowerCase() === name)?.[1];
}

/** Headers by their names in lower case; several of one name joined. */
export function headerRecord(head: Head): Record<string, string> {
  const all = new Map<string, string>();
  for (const [name, value] of head.headers) {
    const key = name.toLowerCase();
    const before = all.get(key);
    all.set(key, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(all);
}

/** True when the last transfer encoding is `chunked`; undefined: there is no transfer encoding. */
export function isChunked(head: Head): boolean | undefined {
  const encodings = head.headers.filter(([name]) => name.toLowerCase() === 'transfer-encoding');
  if (encodings.length === 0) return undefined;
  return /(?:^|,)\s*chunked$/i.test(encodings.map(([, value]) => value).join(','));
}

/** Bytes that `Content-Length` names; undefined: none, or no number. */
export function lengthOf(head: Head): number | undefined {
  const text = headerOf(head, 'content-length');
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** Headers that say how long the body is. */
const FRAMING = new Set(['content-length', 'transfer-encoding', 'trailer', 'expect']);

/** The head of the same message with another body: all other headers in their order and case. */
export function withBody(
  { startLine, headers }: Head,
  body: Buffer,
  alsoWithout: readonly string[] = [],
): Buffer {
  const kept = headers.filter(
    ([name]) => !FRAMING.has(name.toLowerCase()) && !alsoWithout.includes(name.toLowerCase()),
  );
  const lines = [
    startLine,
    ...kept.map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${body.length}`,
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
}
