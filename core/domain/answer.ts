/** Reads an app's answer: the status word of a single delivery, the statuses of a batch. */
import type { AttemptErrorCode } from '../contract/message.ts';
import { STATUS_WORDS } from '../contract/status-words.ts';
import { findPart, skipSpace } from '../contract/json-scan.ts';
import { memberInAnyCase } from '../contract/member-in-any-case.ts';
import { firstValue, hasMoreValues, isObject } from './json.ts';
import type { FirstValue } from './json.ts';

/** Largest answer of an app that is read: a larger one counts as unreadable. */
export const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/**
 * Body of an answer. `empty`: no body. `invalid`: not readable, or over the size limit. `json` without
 * `status`: the app named none.
 */
export type AnswerPayload =
  | { readonly kind: 'empty' }
  | { readonly kind: 'invalid' }
  | { readonly kind: 'json'; readonly status?: string };

/** Stands for an answer that did not come, with the reason. */
export interface NoAnswer {
  readonly kind: 'none';
  readonly code: AttemptErrorCode;
  /** True if the stream that carried the call ended. */
  readonly streamClosed?: true;
}

/** The answer of a gRPC app to one event. `said` undefined: an error, or a reply that cannot be read. */
export interface GrpcAnswer {
  readonly kind: 'grpc';
  readonly code: number;
  readonly said?: string;
}

/**
 * The answer of a gRPC app to a batch, with statuses by entry id; undefined: an error, or a reply that cannot
 * be read.
 */
export interface GrpcBulkAnswer {
  readonly kind: 'grpc';
  readonly code: number;
  readonly statuses?: ReadonlyMap<string, string>;
}

export type AppAnswer =
  | { readonly kind: 'response'; readonly status: number; readonly payload: AnswerPayload }
  | NoAnswer;

/** Statuses by entryId; undefined: the entry is named without a status. */
export type BulkPayload =
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'statuses'; readonly statuses: ReadonlyMap<string, string | undefined> };

export type BulkAnswer =
  | { readonly kind: 'response'; readonly status: number; readonly payload: BulkPayload }
  | NoAnswer;

/**
 * Reads the answer to a single delivery. `body` undefined: it was cut off, over the size limit, or could not
 * be decoded. Only the first JSON value counts. The member is `status` in this spelling, else in any letter
 * case. Behaviour 5.2.
 */
export function readAnswer(status: number, body: string | undefined): AppAnswer {
  return { kind: 'response', status, payload: readPayload(body) };
}

/**
 * Reads the answer to a bulk delivery. `body` undefined: it was cut off, over the size limit, or could not be
 * decoded. Behaviour 6.3.
 */
export function readBulkAnswer(status: number, body: string | undefined): BulkAnswer {
  return { kind: 'response', status, payload: readStatuses(body) };
}

/**
 * Reads the answer of a gRPC app to one event.
 * @param body the reply as JSON; for an error its text, which is not read
 */
export function readGrpcAnswer(code: number, body: string | undefined): GrpcAnswer {
  const reply = code === 0 ? replyOf(body) : undefined;
  return reply === undefined
    ? { kind: 'grpc', code }
    : { kind: 'grpc', code, said: describeStatus(reply['status']) };
}

/**
 * Reads the answer of a gRPC app to a batch. If an entry is named twice, its last status counts; an entry
 * without a status is SUCCESS.
 */
export function readGrpcBulkAnswer(code: number, body: string | undefined): GrpcBulkAnswer {
  const reply = code === 0 ? replyOf(body) : undefined;
  const list = reply?.['statuses'] ?? [];
  if (reply === undefined || !Array.isArray(list)) return { kind: 'grpc', code };
  const statuses = new Map<string, string>();
  for (const entry of list as readonly unknown[]) {
    if (!isObject(entry)) return { kind: 'grpc', code };
    const { entry_id: entryId } = entry;
    if (typeof entryId === 'string') statuses.set(entryId, describeStatus(entry['status']));
  }
  return { kind: 'grpc', code, statuses };
}

/** Parses a reply, in which absent members have their zero value. undefined: the text is no JSON object. */
function replyOf(body: string | undefined): Readonly<Record<string, unknown>> | undefined {
  if (body === undefined) return undefined;
  if (body.trim() === '') return {};
  const first = firstValue(body);
  return first !== undefined && isObject(first.value) ? first.value : undefined;
}

/** The name of a status; a number that has no name is returned as a text. */
function describeStatus(status: unknown): string {
  if (status === undefined || status === null) return STATUS_WORDS[0];
  if (typeof status === 'number') return STATUS_WORDS[status] ?? String(status);
  return typeof status === 'string' ? status : JSON.stringify(status);
}

/** Most values of an answer that are parsed: many may come at the same moment, and more of them take long. */
const MAX_VALUES = 100_000;
/** Most values of an answer that is a list: an entry of a batch counts nine. */
export const MAX_LIST_VALUES = 400_000;

/**
 * Deepest answer to a delivery that is read, as by the reference: of what is in it only the outermost levels are looked at, so its depth costs
 * no reader anything.
 */
const ANSWER_DEPTH = 10_000;

/** The first value of an answer that is a list; undefined: it is none, or has too many parts. */
export function listValueIn(body: string, deepest?: number): FirstValue | undefined {
  return hasMoreValues(body, MAX_LIST_VALUES) ? undefined : firstValue(body, deepest);
}

/** The first value of an answer; of one with too many parts its status alone, which is found without a parse. */
function valueIn(body: string): { readonly value: unknown } | undefined {
  return hasMoreValues(body, MAX_VALUES) ? statusIn(body) : firstValue(body, ANSWER_DEPTH);
}

/** An object with the members of an answer that are named `status` in any case; undefined: the answer is no whole object. */
function statusIn(body: string): { readonly value: unknown } | undefined {
  const value: Record<string, unknown> = {};
  let endOfLast = 0;
  findPart(body, 0, ({ name, start, end }) => {
    endOfLast = end;
    if (name.length === STATUS.length && name.toLowerCase() === STATUS) {
      const text = body.slice(start, end);
      // Anything but a text is no status, whatever it is.
      value[name] = text === 'null' ? null : text.startsWith('"') && (firstValue(text)?.value ?? false);
    }
    return false;
  });
  return body[skipSpace(body, endOfLast)] === '}' ? { value } : undefined;
}

const STATUS = 'status';

function readPayload(body: string | undefined): AnswerPayload {
  if (body === undefined) return { kind: 'invalid' };
  if (body === '') return { kind: 'empty' };
  const first = valueIn(body);
  if (first === undefined) return { kind: 'invalid' };
  if (first.value === null) return { kind: 'json' };
  if (!isObject(first.value)) return { kind: 'invalid' };
  const said = readWord(memberInAnyCase(first.value, 'status')?.value);
  if (said === undefined) return { kind: 'json' };
  return said === false ? { kind: 'invalid' } : { kind: 'json', status: said };
}

function readStatuses(body: string | undefined): BulkPayload {
  const first = body === undefined ? undefined : listValueIn(body, ANSWER_DEPTH);
  if (first === undefined) return { kind: 'unreadable' };
  const value = first.value ?? {};
  if (!isObject(value)) return { kind: 'unreadable' };
  const list = memberInAnyCase(value, 'statuses')?.value ?? [];
  if (!Array.isArray(list)) return { kind: 'unreadable' };
  const statuses = new Map<string, string | undefined>();
  for (const entry of list as readonly unknown[]) {
    if (entry === null) continue;
    if (!isObject(entry)) return { kind: 'unreadable' };
    const entryId = readWord(memberInAnyCase(entry, 'entryId')?.value);
    const said = readWord(memberInAnyCase(entry, 'status')?.value);
    if (entryId === false || said === false) return { kind: 'unreadable' };
    if (entryId !== undefined) statuses.set(entryId, said);
  }
  return { kind: 'statuses', statuses };
}

/** Reads the status word. undefined: absent, null or empty. false: not a string. */
function readWord(value: unknown): string | undefined | false {
  if (value === undefined || value === null || value === '') return undefined;
  return typeof value === 'string' ? value : false;
}
