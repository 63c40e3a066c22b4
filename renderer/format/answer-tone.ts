/** Tone of an answer, which lists and attempts show as a colour beside its words. */
import type { LastAnswer } from '../../core/contract/message.ts';
import { statusLine } from '../copy/http-status.ts';
import { answerText } from './row.ts';

export type AnswerTone = 'good' | 'retry' | 'drop' | 'fault';

/**
 * Tone of an answer.
 * @returns undefined: there is no answer and no error yet
 */
export function answerTone(answer: LastAnswer | undefined): AnswerTone | undefined {
  if (answer === undefined) return undefined;
  const { protocol, status, word, error } = answer;
  if (status === undefined) return error === undefined ? undefined : 'fault';
  const isTaken = protocol === 'grpc' ? status === 0 : status >= 200 && status < 300;
  if (!isTaken) return 'fault';
  if (word === 'DROP') return 'drop';
  return word === undefined || word === 'SUCCESS' ? 'good' : 'retry';
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
