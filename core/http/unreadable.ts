/**
 * Handles requests that the HTTP parser cannot read: they get a documented body, or are read after all if
 * only their target is invalid.
 */
import { METHODS, ServerResponse } from 'node:http';
import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Profile } from '../contract/profile.ts';
import { closingAnswer, dropIfLate, whyUnreadable } from '../domain/http-edge.ts';
import type { EarlyAnswers, ParserError, Silence } from '../domain/http-edge.ts';
import { Partings } from '../domain/partings.ts';
import { Refusal } from '../domain/refusal.ts';
import { ReplayedConnection } from './replayed-connection.ts';
import { errorBody } from './errors.ts';
import type { Turns } from './order.ts';

/** Ends of connections, for all sidecars together. */
const partings = new Partings((run) => setImmediate(run), setTimeout);

const MAX_METHOD_LENGTH = Math.max(...METHODS.map((method) => method.length));

/** Answers for clients with unreadable requests, and the times after which their connections close. */
export interface UnreadableOptions {
  readonly profile: Profile;
  readonly silence: Pick<Silence, 'partingMs' | 'requestMs'>;
  /** Knows connections that are not read because too many of their requests wait. */
  readonly turns: Pick<Turns, 'holdsBack'>;
  readonly early: Pick<EarlyAnswers, 'has'>;
  /** gRPC address; undefined: there is none. */
  readonly grpcAddress?: () => string | undefined;
  /** Called for each client of HTTP/2. */
  readonly onHttp2?: () => void;
}

/**
 * Answers unreadable requests. A target with raw UTF-8 is no valid HTTP, but curl sends it and the reference
 * accepts it: its bytes are percent-encoded, and the connection is parsed again from that request on.
 */
export function answerUnreadable(
  server: () => Server,
  { profile, silence, turns, early, grpcAddress, onHttp2 }: UnreadableOptions,
): (error: ParserError, socket: Duplex) => void {
  const continued = new WeakSet<Duplex>();
  const refused = new WeakSet<Duplex>();
  const answer = (error: ParserError, socket: Duplex): void => {
    // The parser that gave up still runs its timer, but the new parser has its own.
    if (continued.has(socket)) return;
    dropIfLate(error, socket);
    const why = whyUnreadable(error, grpcAddress?.());
    if (why === undefined || !socket.writable) {
      socket.destroy();
      return;
    }
    const begun = error.code === 'HPE_INVALID_URL' ? begunRequest(error) : undefined;
    if (refused.has(socket)) return;
    if (begun !== undefined && encodedRequest(begun) !== undefined) {
      continued.add(socket);
      const again = new ReplayedConnection(socket, begun, encodedRequest);
      whenAnswered(socket, () => server().emit('connection', again));
      return;
    }
    if (why.isHttp2 === true) onHttp2?.();
    const isAnswered = early.has(socket);
    const refusal = new Refusal('ERR_MALFORMED_REQUEST', { reason: why.reason }, { variant: 'request' });
    const body = JSON.stringify(errorBody(refusal, profile, 'other').body);
    refused.add(socket);
    // The previous answer may have closed the connection; then the rest of the input is ignored.
    whenAnswered(socket, () => {
      const last = isAnswered ? '' : closingAnswer(why.status, body, Buffer.byteLength(body));
      partings.end(socket, last, silence.partingMs);
    });
  };
  return (error, socket) => {
    const late = (): void => answer(error, socket);
    const isHeldBack =
      error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && turns.holdsBack(socket, late, silence.requestMs);
    if (!isHeldBack) answer(error, socket);
  };
}

/** The unread rest of the packet from a request on that has a raw byte in its target; undefined: there is none. */
function begunRequest({ rawPacket, bytesParsed }: ParserError): Buffer | undefined {
  if (!Buffer.isBuffer(rawPacket) || bytesParsed === undefined) return undefined;
  // Any other character that a target cannot have is a mistake.
  if ((rawPacket[bytesParsed] ?? 0) < 0x80) return undefined;
  const text = rawPacket.toString('latin1', 0, bytesParsed);
  // The last blank before the mistake is the one behind the method. What comes before may be a body of any length.
  const blank = text.lastIndexOf(' ');
  if (blank === -1 || /\s/.test(text.slice(blank + 1))) return undefined;
  const before = text.slice(Math.max(0, blank - MAX_METHOD_LENGTH), blank);
  const word = METHODS.filter((one) => before.endsWith(one)).toSorted((a, b) => b.length - a.length)[0];
  return word === undefined ? undefined : rawPacket.subarray(blank - word.length);
}

/** Longest request line that is awaited: the parser's own limit for a head. */
const MAX_LINE_LENGTH = 16 * 1024;

/**
 * A request with its target encoded, and the bytes behind it. `incomplete`: the end of its line has not come.
 * Undefined: it does not begin with a request line.
 */
function encodedRequest(bytes: Buffer): Buffer | 'incomplete' | undefined {
  const text = bytes.toString('latin1');
  if (!text.includes('\n')) return text.length < MAX_LINE_LENGTH ? 'incomplete' : undefined;
  const line = /^[A-Z-]+ (\S+) HTTP\/1\.[01]\r?\n/.exec(text);
  const target = line?.[1];
  if (line === null || target === undefined) return undefined;
  const encoded = target.replaceAll(/[\u0080-\u00ff]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`);
  // A second parser reads the connection. It closes after this request, so that a third one is never needed.
  const head = `${line[0].replace(target, () => encoded)}Connection: close\r\n`;
  return Buffer.from(head + text.slice(line[0].length), 'latin1');
}

/**
 * Calls `go` when every complete earlier request of this connection has its answer, so that answers keep their order. A request that
 * arrived in part is the unreadable one, which gets no answer before `go`.
 */
function whenAnswered(socket: Duplex, go: () => void): void {
  const answer: unknown = '_httpMessage' in socket ? socket._httpMessage : undefined;
  if (!(answer instanceof ServerResponse) || !answer.req.complete) go();
  else answer.once('close', () => whenAnswered(socket, go));
}
