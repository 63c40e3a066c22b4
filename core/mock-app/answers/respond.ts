/** `respond`: one HTTP answer to the whole request. */
import { tryParse } from '../../domain/json.ts';
import { fillTemplate, hasTemplate } from '../../domain/template.ts';
import { bodyText } from '../body-text.ts';
import { afterDelay } from './answering.ts';
import type { AnswerPorts, Answering } from './answering.ts';

/**
 * Answers a request. A string is sent unchanged, any other value as JSON, both with their variables filled
 * in; the rule's own headers take precedence.
 */
export function respond({ answer, reply, ports }: Answering<'respond'>): void {
  const { status, headers = {}, body, delayMs } = answer;
  const given = bodyText(body);
  const text = given === undefined || !hasTemplate(given) ? given : filled(given, ports);
  const hasType = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
  // A text that becomes JSON through its variables is sent as JSON.
  const isText = typeof body === 'string' && (text === given || tryParse(text ?? '') === undefined);
  const type = isText ? 'text/plain; charset=utf-8' : 'application/json';
  const all = text === undefined || hasType ? headers : { 'content-type': type, ...headers };
  afterDelay(delayMs, { reply, ports }, () => reply.send(status, all, text));
}

/** Fills the variables of a text. Unknown ones stay as they are, because an answer is sent in any case. */
function filled(text: string, { clock, counter, ids, random }: AnswerPorts): string {
  return fillTemplate(text, {
    nowMs: clock.now(),
    uuid: () => ids.uuid(),
    counter,
    random: () => random.next(),
    env: () => undefined,
    variable: () => undefined,
  });
}
