/** Why the app gave no answer: turns errors of the network and the HTTP client into the four codes that a verdict knows. */
import type { AttemptErrorCode } from '../../contract/message.ts';
import type { ReceivedAnswer } from '../../ports/app-channel.ts';
import { NotHttp } from './answer-head.ts';

/** Nothing was listening, or the way there was closed: the app never saw the call. */
const NEVER_CONNECTED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'EACCES',
  'EPERM',
  'EMFILE',
  'ENFILE',
  'EPROTO',
]);
/** The received bytes are not HTTP/2. */
export class NotHttp2 extends Error {}

/** The answer "none" with its reason. */
export function noAnswer(code: AttemptErrorCode, message: string): Extract<ReceivedAnswer, { kind: 'none' }> {
  return { kind: 'none', code, message };
}

/** `refused`: no connection came about. `timeout`: too late. `reset`: the connection broke, or what came was not HTTP. */
export function noAnswerOf(error: Error): ReceivedAnswer {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const message = error.message === '' ? code : error.message;
  if (code.startsWith('ERR_SSL') || code.startsWith('ERR_TLS'))
    return { ...noAnswer('refused', tlsText(error)), isForeign: true };
  if (NEVER_CONNECTED.has(code)) return noAnswer('refused', message);
  if (code === 'ETIMEDOUT') return noAnswer('timeout', message);
  if (error instanceof NotHttp)
    return { ...noAnswer('reset', `The answer is not HTTP: ${message}.`), isForeign: true };
  if (error instanceof NotHttp2) return { ...noAnswer('reset', message), isForeign: true };
  return noAnswer('reset', message);
}

/** The library's text is full of its own places and ends with a line break; its reason is short. */
function tlsText(error: Error): string {
  const reason = 'reason' in error && typeof error.reason === 'string' ? error.reason : '';
  return reason === '' ? error.message : `the TLS handshake failed: ${reason}`;
}
