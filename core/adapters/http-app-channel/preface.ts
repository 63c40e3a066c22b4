/** Whether a port speaks HTTP/2: the beginning of such a connection is sent, and the first frame of the answer is looked at. */
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

const EMPTY_SETTINGS = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]);
const PREFACE = Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), EMPTY_SETTINGS]);
/** Bytes of a frame's head: length, type, flags, stream. */
const HEAD = 9;
const SETTINGS = 4;

/** @param timeoutMs for connecting and for the answer together. Never rejects: no answer is no. */
export function speaksHttp2(host: string, port: number, isTls: boolean, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket: Socket = isTls
      ? connectTls({ host, port, ALPNProtocols: ['h2'], rejectUnauthorized: false })
      : connect({ host, port });
    let received = Buffer.alloc(0);
    const timer = setTimeout(() => end(false), timeoutMs);
    const end = (isSo: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(isSo);
    };
    socket.once(isTls ? 'secureConnect' : 'connect', () => socket.write(PREFACE));
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      if (received.byteLength >= HEAD) end(isSettings(received));
    });
    socket.on('error', () => end(false));
    socket.on('end', () => end(false));
  });
}

/** A server's first frame is SETTINGS, on stream 0. */
function isSettings(bytes: Buffer): boolean {
  return bytes[3] === SETTINGS && bytes.readUInt32BE(5) === 0;
}
