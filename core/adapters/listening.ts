/** Whether a program listens on a port, and on which other address of this machine. */
import { connect, isIP } from 'node:net';
import { connect as connectSecurely } from 'node:tls';

/** Other loopback addresses that a person may have meant: some programs listen on IPv4 or IPv6 only. */
const BESIDE: Readonly<Record<string, readonly string[]>> = {
  '127.0.0.1': ['[::1]'],
  localhost: ['127.0.0.1', '[::1]'],
  '[::1]': ['127.0.0.1'],
};

export interface SocketAddress {
  readonly host: string;
  readonly port: number;
}

/** True if the port accepts a connection within that time. Never rejects. */
export function accepts({ host, port }: SocketAddress, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: timeoutMs });
    const end = (isThere: boolean): void => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once('connect', () => end(true));
    socket.once('timeout', () => end(false));
    // A refused connection means that no program listens.
    socket.on('error', () => end(false));
  });
}

/**
 * True if the port accepts a connection within that time, as `accepts`. The handshake of TLS goes on to its end in the background, where the
 * time allows it: most servers log one that breaks off as an error. Never rejects.
 */
export function acceptsTls({ host, port }: SocketAddress, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const servername = isIP(host) === 0 ? host : '';
    const socket = connectSecurely({
      ...{ host, port, servername },
      rejectUnauthorized: false,
      ALPNProtocols: ['http/1.1'],
    });
    const timer = setTimeout(() => end(), timeoutMs);
    const end = (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(false);
    };
    socket.once('connect', () => {
      resolve(true);
      // A handshake that is under way keeps no program from ending.
      timer.unref();
      socket.unref();
    });
    // The server closes its side when it has read the end.
    socket.once('secureConnect', () => socket.end());
    socket.resume();
    socket.on('error', end);
    socket.once('close', end);
  });
}

/** Host of a URL for a socket: an IPv6 address has brackets in a URL and nowhere else. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** Other address of this machine on which a program listens at the same port; undefined: none, or the host is no loopback. */
export async function openBeside(
  { protocol, hostname }: URL,
  port: number,
  timeoutMs: number,
): Promise<string | undefined> {
  for (const host of BESIDE[hostname] ?? []) {
    const url = `${protocol}//${host}:${port}`;
    if (await accepts({ host: hostOf(new URL(url)), port }, timeoutMs)) return url;
  }
  return undefined;
}
