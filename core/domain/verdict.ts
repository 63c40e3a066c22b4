/**
 * Judges an app's answer to a delivery: the interface's two outcome tables row for row, and the rows that
 * Sidelight adds.
 */
import type { RuleId } from '../contract/delivery.ts';
import { grpcCode } from '../contract/grpc.ts';
import type { Differences } from '../contract/profile.ts';
import type { AppAnswer, BulkAnswer, GrpcAnswer, GrpcBulkAnswer, NoAnswer } from './answer.ts';

/** Outcomes of an attempt. `requeued`: no app refused the message; it waits again as if the attempt had not been made. */
export type Outcome = 'processed' | 'retry' | 'dropped' | 'requeued';

export interface Verdict {
  readonly outcome: Outcome;
  readonly rule: RuleId;
  readonly log?: 'warn' | 'error';
  /** The status word of the app's answer. */
  readonly word?: string;
  /** Set where the answer to a batch leaves out several entries, which share it. */
  readonly leftOut?: LeftOut;
}

/** Entries that the answer to a batch leaves out. The log has one warning for all of them, with the first one that it gets. */
export interface LeftOut {
  readonly entries: number;
  /** True: the log has the warning. */
  isLogged: boolean;
}

/** One row of a table; `A` is the answer that it tests. */
export interface VerdictRow<A> {
  readonly rule: RuleId;
  readonly when: (answer: A) => boolean;
  readonly outcome: Outcome;
  readonly log?: 'warn' | 'error';
}

/** A bulk answer for one of its entries; `said` undefined: the answer does not name the entry. */
export interface EntryAnswer {
  readonly answer: BulkAnswer;
  readonly said: string | undefined;
}

/**
 * Interface, "Single message delivery", in its order, but `invalid` comes before the catch-all `other`. The
 * first match decides.
 */
export const SINGLE: readonly VerdictRow<AppAnswer>[] = [
  { rule: 'single.2xx.empty', when: (a) => is2xx(a) && hasNoStatus(a), outcome: 'processed' },
  { rule: 'single.2xx.success', when: (a) => is2xx(a) && wordOf(a) === 'SUCCESS', outcome: 'processed' },
  { rule: 'single.2xx.retry', when: (a) => is2xx(a) && wordOf(a) === 'RETRY', outcome: 'retry' },
  { rule: 'single.2xx.drop', when: (a) => is2xx(a) && wordOf(a) === 'DROP', outcome: 'dropped', log: 'warn' },
  { rule: 'single.2xx.invalid', when: (a) => is2xx(a) && isUnreadable(a), outcome: 'processed' },
  { rule: 'single.2xx.other', when: is2xx, outcome: 'retry', log: 'error' },
  { rule: 'single.404', when: (a) => hasStatus(a, 404), outcome: 'dropped', log: 'error' },
  { rule: 'user.cancel', when: isCancelled, outcome: 'retry', log: 'warn' },
  { rule: 'policy.no-answer', when: (a) => a.kind === 'none', outcome: 'retry', log: 'warn' },
  { rule: 'single.other', when: () => true, outcome: 'retry', log: 'warn' },
];

/** The row of 404 for releases in which it means DROP, with the copy on the dead-letter topic. */
const NOT_FOUND_DROPS: VerdictRow<AppAnswer> = {
  rule: 'single.404.drop',
  when: (a) => hasStatus(a, 404),
  outcome: 'dropped',
  log: 'error',
};

/** The table of single delivery for releases in which 404 means DROP. */
const SINGLE_NOT_FOUND_DROPS = SINGLE.map((row) => (row.rule === 'single.404' ? NOT_FOUND_DROPS : row));

/** Differences between releases of the reference that verdicts depend on. */
export type VerdictRules = Pick<Differences, 'notFoundCopies'>;

/** The rules of the interface itself. */
export const INTERFACE_RULES: VerdictRules = { notFoundCopies: false };

/**
 * Interface, "Bulk delivery", for one entry; `bulk.2xx.other` is the reference's. The first match decides.
 */
export const BULK: readonly VerdictRow<EntryAnswer>[] = [
  { rule: 'bulk.2xx.success', when: (e) => is2xx(e.answer) && e.said === 'SUCCESS', outcome: 'processed' },
  { rule: 'bulk.2xx.retry', when: (e) => is2xx(e.answer) && e.said === 'RETRY', outcome: 'retry' },
  {
    rule: 'bulk.2xx.drop',
    when: (e) => is2xx(e.answer) && e.said === 'DROP',
    outcome: 'dropped',
    log: 'warn',
  },
  { rule: 'bulk.2xx.missing', when: (e) => is2xx(e.answer) && e.said === undefined, outcome: 'retry' },
  { rule: 'bulk.2xx.other', when: (e) => is2xx(e.answer), outcome: 'retry', log: 'error' },
  { rule: 'bulk.404', when: (e) => hasStatus(e.answer, 404), outcome: 'dropped', log: 'error' },
  { rule: 'user.cancel', when: (e) => isCancelled(e.answer), outcome: 'retry', log: 'warn' },
  { rule: 'policy.no-answer', when: (e) => e.answer.kind === 'none', outcome: 'retry', log: 'warn' },
  { rule: 'bulk.other', when: () => true, outcome: 'retry', log: 'warn' },
];

const UNIMPLEMENTED = grpcCode('UNIMPLEMENTED');

/** A gRPC app's answer to one event, also over a stream. The first match decides. */
export const GRPC: readonly VerdictRow<GrpcAnswer | NoAnswer>[] = [
  { rule: 'stream.closed', when: (a) => a.kind === 'none' && a.streamClosed === true, outcome: 'requeued' },
  { rule: 'grpc.success', when: (a) => isOk(a) && a.said === 'SUCCESS', outcome: 'processed' },
  { rule: 'grpc.retry', when: (a) => isOk(a) && a.said === 'RETRY', outcome: 'retry', log: 'warn' },
  { rule: 'grpc.drop', when: (a) => isOk(a) && a.said === 'DROP', outcome: 'dropped', log: 'warn' },
  {
    rule: 'grpc.unknown-status',
    when: (a) => isOk(a) && a.said !== undefined,
    outcome: 'retry',
    log: 'warn',
  },
  {
    rule: 'grpc.unimplemented',
    when: (a) => a.kind === 'grpc' && a.code === UNIMPLEMENTED,
    outcome: 'dropped',
    log: 'warn',
  },
  { rule: 'user.cancel', when: isCancelled, outcome: 'retry', log: 'warn' },
  { rule: 'policy.no-answer', when: (a) => a.kind === 'none', outcome: 'retry', log: 'warn' },
  { rule: 'grpc.error', when: () => true, outcome: 'retry', log: 'warn' },
];

/**
 * A gRPC app's answer to a batch, for one of its entries; `said` undefined: the answer does not name the
 * entry.
 */
export interface GrpcEntryAnswer {
  readonly answer: GrpcBulkAnswer | NoAnswer;
  readonly said: string | undefined;
}

/** A gRPC app's answer to a batch, for one entry. The first match decides. */
export const GRPC_BULK: readonly VerdictRow<GrpcEntryAnswer>[] = [
  { rule: 'grpc.bulk.success', when: (e) => wasRead(e) && e.said === 'SUCCESS', outcome: 'processed' },
  { rule: 'grpc.bulk.retry', when: (e) => wasRead(e) && e.said === 'RETRY', outcome: 'retry', log: 'warn' },
  { rule: 'grpc.bulk.drop', when: (e) => wasRead(e) && e.said === 'DROP', outcome: 'dropped', log: 'warn' },
  {
    rule: 'grpc.bulk.missing',
    when: (e) => wasRead(e) && e.said === undefined,
    outcome: 'retry',
    log: 'warn',
  },
  { rule: 'grpc.bulk.unknown-status', when: wasRead, outcome: 'retry', log: 'warn' },
  {
    rule: 'grpc.bulk.unimplemented',
    when: (e) => e.answer.kind === 'grpc' && e.answer.code === UNIMPLEMENTED,
    outcome: 'dropped',
    log: 'warn',
  },
  { rule: 'user.cancel', when: (e) => isCancelled(e.answer), outcome: 'retry', log: 'warn' },
  { rule: 'policy.no-answer', when: (e) => e.answer.kind === 'none', outcome: 'retry', log: 'warn' },
  { rule: 'grpc.bulk.error', when: () => true, outcome: 'retry', log: 'warn' },
];

/**
 * Answer to an input binding's event. Nothing is retried here, because the sender decides whether to send
 * again. Behaviour 8.2.
 */
export const BINDING: readonly VerdictRow<AppAnswer | GrpcAnswer>[] = [
  {
    rule: 'binding.2xx',
    when: (a) => (a.kind === 'grpc' ? a.code === 0 : is2xx(a)),
    outcome: 'processed',
  },
  { rule: 'binding.refused', when: () => true, outcome: 'dropped', log: 'warn' },
];

/** Verdict on the answer to a single delivery (table `SINGLE`). */
export function judgeSingle(answer: AppAnswer, { notFoundCopies }: VerdictRules = INTERFACE_RULES): Verdict {
  return judge(notFoundCopies ? SINGLE_NOT_FOUND_DROPS : SINGLE, answer, wordOf(answer));
}

/** Verdict on a gRPC app's answer to one event (table `GRPC`). */
export function judgeGrpc(answer: GrpcAnswer | NoAnswer): Verdict {
  return judge(GRPC, answer, answer.kind === 'grpc' ? answer.said : undefined);
}

/** Verdict per entry of a batch that a gRPC app was sent (table `GRPC_BULK`); otherwise as `judgeBulk`. */
export function judgeGrpcBulk(
  answer: GrpcBulkAnswer | NoAnswer,
  entryIds: readonly string[],
): { readonly verdicts: ReadonlyMap<string, Verdict>; readonly unknown: readonly string[] } {
  const said = answer.kind === 'grpc' ? answer.statuses : undefined;
  const verdicts = new Map<string, Verdict>();
  for (const entryId of entryIds) {
    const word = said?.get(entryId);
    verdicts.set(entryId, judge(GRPC_BULK, { answer, said: word }, word));
  }
  const unknown = [...(said?.keys() ?? [])].filter((entryId) => !verdicts.has(entryId));
  return { verdicts, unknown };
}

/** Verdict on the answer to an event of an input binding (table `BINDING`). */
export function judgeBinding(answer: AppAnswer | GrpcAnswer): Verdict {
  return judge(BINDING, answer, undefined);
}

/**
 * Verdict per entry of a batch (table `BULK`): one for each of `entryIds`, whatever the answer names.
 * `unknown` has the entryIds of the answer that are not in the batch; they are ignored, with a warning.
 */
export function judgeBulk(
  answer: BulkAnswer,
  entryIds: readonly string[],
): { readonly verdicts: ReadonlyMap<string, Verdict>; readonly unknown: readonly string[] } {
  const said =
    answer.kind === 'response' && is2xx(answer) && answer.payload.kind === 'statuses'
      ? answer.payload.statuses
      : undefined;
  const verdicts = new Map<string, Verdict>();
  for (const entryId of entryIds) {
    const word = said?.get(entryId);
    verdicts.set(entryId, judge(BULK, { answer, said: word }, word));
  }
  const unknown = said === undefined ? [] : [...said.keys()].filter((entryId) => !verdicts.has(entryId));
  return { verdicts, unknown };
}

function judge<A>(table: readonly VerdictRow<A>[], answer: A, word: string | undefined): Verdict {
  const row = table.find(({ when }) => when(answer));
  // The last row of every table always holds; without it an answer would leave a delivery in no state.
  if (row === undefined) throw new Error('a verdict table has no row that always holds');
  const { outcome, rule, log } = row;
  if (log === undefined && word === undefined) return { outcome, rule };
  return { outcome, rule, ...(log === undefined ? {} : { log }), ...(word === undefined ? {} : { word }) };
}

function hasStatus(answer: AppAnswer | BulkAnswer, status: number): boolean {
  return answer.kind === 'response' && answer.status === status;
}

function is2xx(answer: AppAnswer | BulkAnswer): boolean {
  return answer.kind === 'response' && answer.status >= 200 && answer.status <= 299;
}

function isOk(answer: GrpcAnswer | NoAnswer): answer is GrpcAnswer {
  return answer.kind === 'grpc' && answer.code === 0;
}

function wasRead({ answer }: GrpcEntryAnswer): boolean {
  return answer.kind === 'grpc' && answer.code === 0 && answer.statuses !== undefined;
}

function isCancelled(answer: AppAnswer | BulkAnswer | GrpcAnswer | GrpcBulkAnswer): boolean {
  return answer.kind === 'none' && answer.code === 'cancelled';
}

function isUnreadable(answer: AppAnswer): boolean {
  return answer.kind === 'response' && answer.payload.kind === 'invalid';
}

function hasNoStatus(answer: AppAnswer): boolean {
  if (answer.kind !== 'response' || answer.payload.kind === 'invalid') return false;
  return wordOf(answer) === undefined;
}

function wordOf(answer: AppAnswer): string | undefined {
  if (answer.kind !== 'response' || answer.payload.kind !== 'json') return undefined;
  return answer.payload.status === '' ? undefined : answer.payload.status;
}
