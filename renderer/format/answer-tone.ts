/** What an answer means at a glance: beside its words, lists and attempts colour it. */
import type { LastAnswer } from '../../core/contract/message.ts';
import { statusLine } from '../copy/http-status.ts';
import { answerText } from './row.ts';

export type AnswerTone = 'good' | 'retry' | 'drop' | 'fault';

/** @returns undefined where there was no answer and no error yet */
export function answerTone(answer: LastAnswer | undefined): AnswerTone | undefined {
  if (answer === undefined) return undefined;
  const { protocol, status, word, error } = answer;
  if (status === undefined) return error === undefined ? undefined : 'fault';
  const isTaken = protocol === 'grpc' ? status === 0 : status >= 200 && status < 300;
  if (!isTaken) return 'fault';
  if (word === 'DROP') return 'drop';
  return word === undefined || word === 'SUCCESS' ? 'good' : 'retry';
}

/** "200 RETRY", "503 Service Unavailable", "UNAVAILABLE", "no answer": a refusal says its reason in words. */
export function answerWords(answer: LastAnswer | undefined): string {
  const { protocol, status, statusText, word } = answer ?? {};
  const isRefusal = protocol !== 'grpc' && status !== undefined && status >= 400;
  return isRefusal && statusText === undefined && word === undefined
    ? statusLine(status)
    : answerText(answer);
}
