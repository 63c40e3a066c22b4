/** `respond`: one HTTP answer to the whole request. */
import { afterDelay } from './answering.ts';
import type { Answering } from './answering.ts';

/** A string goes out as it is, any other value as JSON; the rule's own headers win. */
export function respond({ answer, reply, ports }: Answering<'respond'>): void {
  const { status, headers = {}, body, delayMs } = answer;
  const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
  const hasType = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
  const type = typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json';
  const all = text === undefined || hasType ? headers : { 'content-type': type, ...headers };
  afterDelay(delayMs, { reply, ports }, () => reply.send(status, all, text));
}
