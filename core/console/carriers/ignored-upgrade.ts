/** Ignores an upgrade, as a server may (RFC 9110 §7.8): Java's HTTP client offers HTTP/2 with each first request. */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

/** An upgrade to anything else may be answered as if it had not been offered. */
export function isForWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket';
}

/**
 * Returns the request to the server without its upgrade. Node has read the request up to the end of its headers and released the
 * connection, so the server reads it again from a connection that looks new to it.
 */
export function ignoreUpgrade(server: Server, request: IncomingMessage, socket: Duplex, rest: Buffer): void {
  const { method, url, httpVersion, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    if (OF_UPGRADES.has(name.toLowerCase())) continue;
    lines.push(`${name}: ${name.toLowerCase() === 'connection' ? withoutUpgrade(value) : value}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), rest]));
  server.emit('connection', socket);
}

const OF_UPGRADES: ReadonlySet<string> = new Set(['upgrade', 'http2-settings']);

/** The Connection header without its upgrade. */
function withoutUpgrade(value: string): string {
  const words = value.split(',').map((word) => word.trim());
  return words.filter((word) => !OF_UPGRADES.has(word.toLowerCase())).join(', ');
}
