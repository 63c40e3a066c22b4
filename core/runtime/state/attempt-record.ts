/** Builds records of attempts: bodies cut at the limit, as text if they are UTF-8. */
import type { Protocol } from '../../contract/grpc.ts';
import type { Attempt, LastAnswer, RecordedBody } from '../../contract/message.ts';
import type { Mutable } from '../../contract/mutable.ts';
import { startOf } from '../../domain/codec.ts';
import type { Codec, Wire } from '../../domain/codec.ts';
import type { Verdict } from '../../domain/verdict.ts';
import type { ReceivedAnswer } from '../../ports/app-channel.ts';
import { iso } from '../time/time.ts';

/** Maximum size of a recorded request or response body. */
const BODY_CAP_BYTES = 256 * 1024;
/** Maximum number of characters kept of a status word. */
const MAX_WORD_LENGTH = 100;

export interface StartedAttempt {
  readonly attemptId: string;
  /** The tapped app that another sidecar called; absent: the attempt is ours. */
  readonly tap?: string;
  readonly number: number;
  readonly startedMs: number;
  readonly startedMono: number;
  /** Deadline of the call; absent: none, or another sidecar makes the attempt. */
  readonly givesUpMs?: number;
  readonly protocol: Protocol;
  /** Request of the call. All entries of a batch share one object to save memory. */
  readonly request: Attempt['request'];
  readonly waitedMs?: number;
  readonly bulk?: { readonly entryId: string; readonly batchSize: number };
}

/** A body for the record: cut at the cap, base64 where it is not UTF-8. */
export function recordBody(body: Wire, codec: Codec): RecordedBody {
  if (typeof body === 'string') {
    if (body.length <= BODY_CAP_BYTES) return { body };
    return { body: startOf(body, BODY_CAP_BYTES), bodyTruncated: true };
  }
  // Most apps answer without a body.
  if (body.length === 0) return { body: '' };
  const cut = body.length > BODY_CAP_BYTES ? body.subarray(0, BODY_CAP_BYTES) : body;
  const truncated = cut === body ? {} : { bodyTruncated: true };
  // A cut may split a character; the text then ends with a replacement character.
  if (
    codec.isUtf8(body.length > BODY_CAP_BYTES ? body.subarray(0, BODY_CAP_BYTES - 4) : body) ||
    codec.isUtf8(cut)
  ) {
    return { body: codec.toText(cut), ...truncated };
  }
  return { body: codec.toBase64(cut), bodyBase64: true, ...truncated };
}

export function recordRequest(
  { method, url, headers, body }: Omit<Attempt['request'], 'body'> & { readonly body: Wire },
  codec: Codec,
): Attempt['request'] {
  // A shortcut, because nearly every call sends a text that needs no cut.
  if (typeof body === 'string' && body.length <= BODY_CAP_BYTES) return { method, url, headers, body };
  return { method, url, headers, ...recordBody(body, codec) };
}

/** Record of an answer; undefined: there was none. One object for all entries of a batch. */
export function recordResponse(answer: ReceivedAnswer, codec: Codec): Attempt['response'] {
  if (answer.kind === 'none') return undefined;
  const { status, statusText, headers, body, unread } = answer;
  if (statusText === undefined && unread === undefined && body?.length === 0)
    return { status, headers, body: '' };
  return {
    status,
    ...(statusText === undefined ? {} : { statusText }),
    headers,
    ...recordBody(body ?? answer.bodyStart ?? '', codec),
    ...(body === undefined || unread?.reason === 'cut-off' ? { bodyTruncated: true } : {}),
    ...(unread === undefined ? {} : { bodyError: unread.message }),
  };
}

/** Record of an attempt while its call is running. */
export function recordStart(started: StartedAttempt): Attempt {
  const { attemptId, number, request } = started;
  const attempt: Mutable<Attempt> = { attemptId, number, startedAt: iso(started.startedMs), request };
  if (started.tap !== undefined) attempt.tap = started.tap;
  if (started.protocol === 'grpc') attempt.protocol = started.protocol;
  if (started.bulk !== undefined) attempt.bulk = started.bulk;
  if (started.waitedMs !== undefined) attempt.waitedMs = started.waitedMs;
  return attempt;
}

/** The result of a call. */
export interface EndedCall {
  readonly answer: ReceivedAnswer;
  readonly response: Attempt['response'];
  /** Duration by the monotonic clock. */
  readonly durationMs: number;
  /** When it ended, if a tap saw that before it was reported; absent: now. */
  readonly atMs?: number;
}

/** Record of an attempt whose answer has arrived and been judged. */
export function recordAttempt(
  started: StartedAttempt,
  { answer, response, durationMs, verdict }: EndedCall & { readonly verdict: Verdict },
  answeredBy: Attempt['answeredBy'],
): Attempt {
  const attempt: Mutable<Attempt> = recordStart(started);
  attempt.endedAt = iso(started.startedMs + Math.round(durationMs));
  attempt.durationMs = Math.max(0, Math.round(durationMs * 10) / 10);
  if (response !== undefined) attempt.response = response;
  if (verdict.word !== undefined) Object.assign(attempt, wordRead(verdict));
  if (answer.kind === 'none') attempt.error = { code: answer.code, message: answer.message };
  else if (answer.timing !== undefined) attempt.timing = answer.timing;
  if (answeredBy !== undefined) attempt.answeredBy = answeredBy;
  return attempt;
}

/** Record of an attempt whose held answer a person has replaced. It keeps both answers; the status word is that of the judged one. */
export function rejudged(
  { word: _word, ...attempt }: Attempt,
  given: ReceivedAnswer,
  verdict: Verdict,
  codec: Codec,
): Attempt {
  const response = recordResponse(given, codec);
  const instead: Attempt['instead'] = {
    ...(response === undefined ? {} : { response }),
    ...(given.kind === 'none' ? { error: { code: given.code, message: given.message } } : {}),
  };
  return { ...attempt, instead, ...wordRead(verdict) };
}

function wordRead({ word }: Verdict): { readonly word?: string } {
  return word === undefined ? {} : { word: startOf(word, MAX_WORD_LENGTH) };
}

/** Time between the end of the attempt before and now, in ms. */
export function waitedSince(lastEndMs: number | undefined, nowMs: number): { waitedMs?: number } {
  return lastEndMs === undefined ? {} : { waitedMs: Math.max(0, nowMs - lastEndMs) };
}

/** Summary of the app's answer, for lists. */
export function lastAnswer(answer: ReceivedAnswer, verdict: Verdict): LastAnswer {
  if (answer.kind === 'none') return { error: answer.code };
  const { protocol, status, statusText } = answer;
  if (protocol !== 'grpc' && statusText === undefined && verdict.word === undefined) return { status };
  return {
    ...(protocol === 'grpc' ? { protocol } : {}),
    status,
    ...(statusText === undefined ? {} : { statusText }),
    ...wordRead(verdict),
  };
}
