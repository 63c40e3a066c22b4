/**
 * Which protocol a port speaks: it is sent the beginnings of HTTP/1 and HTTP/2, over TLS and without, until it answers one as its own. HTTP/2
 * is asked further whether it is gRPC.
 */
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { connect as connectTls, TLSSocket } from 'node:tls';
import type { PortProtocol } from '../contract/grpc.ts';

const EMPTY_SETTINGS = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]);
const PREFACE = Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), EMPTY_SETTINGS]);
/** Bytes of a frame's head: length, type, flags, stream. */
const HEAD = 9;
const SETTINGS = 4;
/** A request that asks for nothing. */
const OPTIONS = 'OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
const STATUS_LINE = 'HTTP/1.';

interface Beginning {
  /** What a port speaks that answers; for HTTP/2 by its kind. */
  readonly speaks: PortProtocol | Readonly<Record<'grpc' | 'plain' | 'unknown', PortProtocol>>;
  readonly isTls: boolean;
  /** The name under which both sides of TLS agree on this protocol; once they do, nothing has to be sent. */
  readonly alpn: string;
  readonly first: string | Buffer;
  /** How many bytes of the answer are looked at, and what they must be. */
  readonly length: number;
  readonly isIts: (answer: Buffer) => boolean;
}

const HTTP_1 = { alpn: 'http/1.1', first: OPTIONS, length: STATUS_LINE.length, isIts: isStatusLine };
const HTTP_2 = { alpn: 'h2', first: PREFACE, length: HEAD, isIts: isSettings };

/** TLS comes first: some of its servers tell a client without TLS in HTTP/1 what is wrong. */
const BEGINNINGS: readonly Beginning[] = [
  { speaks: 'https', isTls: true, ...HTTP_1 },
  {
    speaks: { grpc: 'grpcs', plain: 'http2-tls', unknown: 'some-http2-tls' },
    isTls: true,
    ...HTTP_2,
  },
  { speaks: 'http', isTls: false, ...HTTP_1 },
  { speaks: { grpc: 'grpc', plain: 'h2c', unknown: 'some-http2' }, isTls: false, ...HTTP_2 },
];

/** @param timeoutMs for each of the tries, connecting included. Never rejects: undefined when it answers none of them. */
export async function protocolOfPort(
  host: string,
  port: number,
  timeoutMs: number,
): Promise<PortProtocol | undefined> {
  for (const beginning of BEGINNINGS) {
    if (!(await answers(beginning, { host, port }, timeoutMs))) continue;
    const { speaks, isTls } = beginning;
    if (typeof speaks === 'string') return speaks;
    const { kindOfHttp2 } = await import('./http2-kind.ts');
    return speaks[(await kindOfHttp2({ host, port, isTls }, timeoutMs)) ?? 'unknown'];
  }
  return undefined;
}

function answers(
  { isTls, alpn, first, length, isIts }: Beginning,
  at: { readonly host: string; readonly port: number },
  timeoutMs: number,
): Promise<boolean> {
  return new Promise((resolve) => {
    const socket: Socket = isTls
      ? connectTls({ ...at, ALPNProtocols: [alpn], rejectUnauthorized: false })
      : connect(at);
    let received = Buffer.alloc(0);
    const timer = setTimeout(() => end(false), timeoutMs);
    const end = (isSo: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(isSo);
    };
    socket.once('connect', () => void (isTls || socket.write(first)));
    socket.once('secureConnect', () => {
      if (socket instanceof TLSSocket && socket.alpnProtocol === alpn) end(true);
      else socket.write(first);
    });
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      if (received.byteLength >= length) end(isIts(received));
    });
    socket.on('error', () => end(false));
    socket.on('end', () => end(false));
  });
}

function isStatusLine(answer: Buffer): boolean {
  return answer.subarray(0, STATUS_LINE.length).toString('latin1') === STATUS_LINE;
}

/** A server's first frame is SETTINGS, on stream 0. */
function isSettings(answer: Buffer): boolean {
  return answer[3] === SETTINGS && answer.readUInt32BE(5) === 0;
}
