/** Tone of an answer, which lists and attempts show as a colour beside its words. */
import type { DeliveryState } from '../../core/contract/delivery.ts';
import type { LastAnswer } from '../../core/contract/message.ts';
import { statusLine } from '../copy/http-status.ts';
import { answerText } from './row.ts';

export type AnswerTone = 'good' | 'retry' | 'drop' | 'fault';

/**
 * States after an answer with a good code and without a status word that was no success: it left out its entry of a batch, or its
 * status was no word.
 */
const NOT_TAKEN: ReadonlySet<DeliveryState> = new Set(['retrying', 'parked', 'dead-lettered']);

/**
 * Tone of an answer.
 * @param ledTo state after it; undefined: not known yet
 * @returns undefined: there is no answer and no error yet
 */
export function answerTone(answer: LastAnswer | undefined, ledTo?: DeliveryState): AnswerTone | undefined {
  if (answer === undefined) return undefined;
  const { protocol, status, word, error } = answer;
  if (status === undefined) return error === undefined ? undefined : 'fault';
  const isTaken = protocol === 'grpc' ? status === 0 : status >= 200 && status < 300;
  if (!isTaken) return 'fault';
  if (word === 'DROP') return 'drop';
  if (word === undefined) return ledTo !== undefined && NOT_TAKEN.has(ledTo) ? 'retry' : 'good';
  return word === 'SUCCESS' ? 'good' : 'retry';
}

/**
 * An answer in words: "200 RETRY", "503 Service Unavailable", "UNAVAILABLE", "no answer"; a refused
 * connection has its reason.
 */
export function answerWords(answer: LastAnswer | undefined): string {
  const { protocol, status, statusText, word } = answer ?? {};
  const isRefusal = protocol !== 'grpc' && status !== undefined && status >= 400;
  return isRefusal && statusText === undefined && word === undefined
    ? statusLine(status)
    : answerText(answer);
}
