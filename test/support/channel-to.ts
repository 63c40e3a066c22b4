/** An app channel in front of a raw app, both closed after the test. */
import type { Socket } from 'node:net';

import { onTestFinished } from 'vitest';

import { createHttpAppChannel } from '../../core/adapters/http-app-channel/channel.ts';
import type { HttpAppChannelOptions } from '../../core/adapters/http-app-channel/channel.ts';
import type { AppCall, AppChannel, ReceivedAnswer } from '../../core/ports/app-channel.ts';
import { startRawApp } from './raw-app.ts';
import type { RawApp, RawRequest } from './raw-app.ts';

export const CALL: AppCall = { path: '/orders', headers: { 'content-type': 'text/plain' }, body: 'hi' };
export const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';

/** @param options those of the channel; `path` is appended to the app's address */
export async function channelTo(
  answer: (socket: Socket, request: RawRequest) => void,
  options: Omit<HttpAppChannelOptions, 'url'> & { readonly path?: string } = {},
): Promise<{ app: RawApp; channel: AppChannel }> {
  const { path = '', ...rest } = options;
  const app = await startRawApp(answer);
  const channel = createHttpAppChannel({ url: app.url + path, ...rest });
  onTestFinished(async () => {
    await channel.close();
    await app.close();
  });
  return { app, channel };
}

/** Answers every request with these bytes. */
export function replies(text: string | Buffer): (socket: Socket) => void {
  return (socket) => void socket.write(text);
}

/** Sends the usual call with what differs, and waits. */
export async function deliver(channel: AppChannel, call: Partial<AppCall> = {}): Promise<ReceivedAnswer> {
  return channel.deliver({ ...CALL, ...call }).answer;
}

/** undefined: no answer, or no body. */
export function bodyText(answer: ReceivedAnswer): string | undefined {
  if (answer.kind !== 'response' || answer.body === undefined) return undefined;
  return Buffer.from(answer.body).toString();
}

/** A whole answer with its content length. */
export function response(headers: readonly string[], body: Buffer | string, status = '200 OK'): Buffer {
  const bytes = Buffer.from(body);
  const head = [`HTTP/1.1 ${status}`, ...headers, `content-length: ${bytes.byteLength}`, '', ''].join('\r\n');
  return Buffer.concat([Buffer.from(head), bytes]);
}
