/** Requests that the tap does not pass on, and what it answers to them. */
import { headerOf } from './head.ts';
import type { RequestHead } from './head.ts';

/** Why a request may not pass; undefined: it may. */
export function whyRefused(request: RequestHead): string | undefined {
  if (request.method === 'PRI' && request.target === '*')
    return 'This is HTTP/2, and the tap passes HTTP/1.1 on this port. gRPC is tapped with --sidecar-grpc and --tap-grpc-port.';
  const protocol = headerOf(request, 'upgrade');
  if (protocol === undefined) return undefined;
  return `The tap does not pass an upgrade to ${protocol}: it could not read what passes after that. Connect to the real port.`;
}

/** The answer with the reason, after which the connection ends. */
export function refusalBytes(reason: string): Buffer {
  const body = Buffer.from(`${reason}\n`);
  const head = `HTTP/1.1 501 Not Implemented\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), body]);
}
