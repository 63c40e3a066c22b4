/** Whether somebody listens at a port, and at which other address of this machine. */
import { connect } from 'node:net';

/** Addresses of this machine that a person may have meant: some programs listen on one of the two families alone. */
const BESIDE: Readonly<Record<string, readonly string[]>> = {
  '127.0.0.1': ['[::1]'],
  localhost: ['127.0.0.1', '[::1]'],
  '[::1]': ['127.0.0.1'],
};

export interface SocketAddress {
  readonly host: string;
  readonly port: number;
}

/** True when the port accepts a connection in that time. Never rejects. */
export function accepts({ host, port }: SocketAddress, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: timeoutMs });
    const end = (isThere: boolean): void => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once('connect', () => end(true));
    socket.once('timeout', () => end(false));
    // A refused connection is the answer "no".
    socket.on('error', () => end(false));
  });
}

/** Where a socket to this URL is opened to: an IPv6 address is in brackets in a URL, and without them everywhere else. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** The address on which somebody listens at the same port, though not at this host; undefined: nobody, or the host is no loopback. */
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
