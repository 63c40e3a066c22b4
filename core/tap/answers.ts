/** Turns HTTP answers that pass into the runtime's form, and an answer that a person or a rule gives into bytes. */
import { isHeaderName, isHeaderValue } from '../contract/header-field.ts';
import type { AttemptErrorCode } from '../contract/message.ts';
import { byteCount } from '../contract/size-text.ts';
import type { MaybePromise } from '../domain/maybe-promise.ts';
import type { ReceivedAnswer } from '../ports/app-channel.ts';
import { responseBodyLength } from './body-length.ts';
import type { BegunAnswer, NoReply } from './exchange.ts';
import { headerOf, headerRecord, saysClose } from './head.ts';
import type { ResponseHead } from './head.ts';

/**
 * Undoes the content encoding of a body, of which only the beginning has come if `isCut`. `why` says why the body could not be decoded, or
 * not to its end: `bytes` is then what could.
 */
export type Decode = (
  bytes: Uint8Array,
  contentEncoding: string | undefined,
  isCut?: boolean,
) => Promise<
  | { readonly bytes: Uint8Array; readonly why?: string }
  | { readonly why: string; readonly reason: 'encoding' | 'too-large' }
>;

/** @param body undefined: the body was too large to be read */
export function receivedAnswer(
  head: ResponseHead,
  body: Buffer | undefined,
  decode: Decode,
): MaybePromise<ReceivedAnswer> {
  const answer = { kind: 'response', status: head.status, headers: headerRecord(head) } as const;
  if (body === undefined) {
    const unread = { reason: 'too-large', message: 'The body is too large for the tap to read.' } as const;
    return { ...answer, body: undefined, unread };
  }
  const encoding = headerOf(head, 'content-encoding');
  if (encoding === undefined) return { ...answer, body };
  return decode(body, encoding).then((decoded): ReceivedAnswer => {
    if (!('bytes' in decoded))
      return { ...answer, body: undefined, unread: { reason: decoded.reason, message: decoded.why } };
    const { bytes, why } = decoded;
    if (why === undefined) return { ...answer, body: bytes };
    const read = bytes.length > 0 ? bytes : undefined;
    return { ...answer, body: read, bodyStart: bytes, unread: { reason: 'cut-off', message: why } };
  });
}

/**
 * An answer that ended before it was complete. Its status has reached the sidecar, and decides there whatever became of the body. A status
 * word that is whole in what came decides too: the sidecar reads a body, decoded as it comes, only to the end of its first value.
 */
export function cutAnswer({ head, body }: BegunAnswer, decode: Decode): MaybePromise<ReceivedAnswer> {
  const came = body === undefined ? '' : ` after ${byteCount(body.length)}`;
  const cut = (read: Uint8Array | undefined): ReceivedAnswer => ({
    kind: 'response',
    status: head.status,
    headers: headerRecord(head),
    body: read !== undefined && read.length > 0 ? read : undefined,
    ...(body === undefined ? {} : { bodyStart: body }),
    unread: { reason: 'cut-off', message: `The body ended${came} before it was complete.` },
  });
  const encoding = headerOf(head, 'content-encoding');
  if (encoding === undefined || body === undefined || body.length === 0) return cut(body);
  return decode(body, encoding, true).then((decoded) => cut('bytes' in decoded ? decoded.bytes : undefined));
}

const NO_ANSWER_OF_APP: Partial<Readonly<Record<NoReply['by'], string>>> = {
  client: 'the sidecar closed the connection before the app answered',
  both: 'the sidecar ended its side of the connection, and the app then closed its own without an answer',
};

/** Records that no answer came from the app, with the reason. */
export function noAnswer({ by, code, message }: NoReply): ReceivedAnswer {
  const reason = NO_ANSWER_OF_APP[by] ?? message;
  return { kind: 'none', code: code satisfies AttemptErrorCode, message: reason };
}

const PHRASES: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'No Content',
  400: 'Bad Request',
  404: 'Not Found',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

/** Headers about the transfer of the body: the tap writes its own, so these are left out. */
const FRAMING_HEADERS = new Set([
  'content-length',
  'transfer-encoding',
  'connection',
  'content-encoding',
  'trailer',
]);

/**
 * A whole HTTP answer as bytes; invalid headers are left out. Undefined: there is no answer, and the connection is cut instead.
 * @param before the app's own answer, which this one replaces; undefined: the app gave none
 */
export function answerBytes(answer: ReceivedAnswer, before?: ResponseHead): Buffer | undefined {
  if (answer.kind === 'none') return undefined;
  const hasBody = answer.status !== 204 && answer.status !== 304;
  const body = hasBody ? Buffer.from(answer.body ?? '') : Buffer.alloc(0);
  const headers = Object.entries(answer.headers).filter(
    ([name, value]) => !FRAMING_HEADERS.has(name.toLowerCase()) && isHeaderName(name) && isHeaderValue(value),
  );
  const lines = [
    `HTTP/1.1 ${answer.status} ${PHRASES[answer.status] ?? 'Answer'}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(hasBody ? [`Content-Length: ${body.length}`] : []),
    // The client would use the connection again while the app closes it.
    ...(before !== undefined && endsConnection(before) ? ['Connection: close'] : []),
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
}

/** Whether the server closes the connection after this answer to a POST. */
function endsConnection(head: ResponseHead): boolean {
  if (responseBodyLength(head, 'POST').kind === 'to-end') return true;
  return saysClose(head, head.startLine.startsWith('HTTP/1.0'));
}
