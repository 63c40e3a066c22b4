/** How often an app got a delivery, the reason for each further call, and the attempts left. */
import { judgedAnswer } from '../../core/contract/answerer.ts';
import { isEndedState } from '../../core/contract/delivery.ts';
import type { DeliveryState, RuleId } from '../../core/contract/delivery.ts';
import type { Attempt, Delivery, MessageDetail, Transition } from '../../core/contract/message.ts';
import { withoutUndefined } from '../../core/contract/without-undefined.ts';
import { fill } from '../copy/fill.ts';
import { CALLS } from '../copy/why.ts';
import { attemptsByOutcome, beganBy, wasAnsweredWhenCut } from './cause.ts';
import { count } from './quantity.ts';
import { answerText } from './row.ts';

const CUT_BY_RESTART = 'restart.requeued';

/** One call of the app; `because` is the reason for a repeated call, undefined for the first. */
export interface CallReason {
  /** Number of its attempt; a call that a restart cut has the number of the next one. */
  readonly n: number;
  readonly because: Transition | undefined;
}

/**
 * Every call of a delivery, from its transitions. They include a call that a restart cut, of which there is
 * no attempt: it may have reached the app.
 */
export function callsOf({ transitions }: Pick<Delivery, 'transitions'>): readonly CallReason[] {
  const calls: CallReason[] = [];
  let cut = 0;
  for (const [index, transition] of transitions.entries()) {
    if (transition.rule === CUT_BY_RESTART) cut += 1;
    if (transition.to !== 'attempting') continue;
    const n = calls.length + 1 - cut;
    calls.push({ n, because: calls.length === 0 ? undefined : reasonBefore(transitions, index) });
  }
  return calls;
}

/**
 * How often the app got a delivery, in words.
 * @param message other programs may be in the same group of its broker
 */
export function callsText(
  delivery: Pick<Delivery, 'transitions' | 'attempts' | 'state'>,
  message: Pick<MessageDetail, 'broker'> = {},
): string {
  const here = message.broker === undefined ? '' : CALLS.here;
  const n = callsOf(delivery).length;
  if (n === 0) return fill(isEndedState(delivery.state) ? CALLS.never : CALLS.none, { here });
  const reached = n - delivery.attempts.filter(missesApp).length;
  const cut = delivery.transitions.filter(
    ({ rule, note }) => rule === CUT_BY_RESTART && !wasAnsweredWhenCut(note),
  ).length;
  const unknown = delivery.attempts.filter(mayMissApp).length;
  if (unknown > 0) return withUnknown(n, unknown + cut, reached - unknown - cut);
  if (cut > 0) {
    const sure = reached - cut;
    return sure === 0 ? CALLS.perhaps : fill(CALLS.atLeast, { n: count(sure), here });
  }
  if (reached === n) return fill(n === 1 ? CALLS.once : CALLS.many, { n: count(n), here });
  if (n === 1) return CALLS.onceNotReached;
  return reached === 0
    ? fill(CALLS.noneReached, { n: count(n) })
    : fill(CALLS.someReached, { n: count(n), reached: count(reached) });
}

/** How often the app got a delivery of a recording, which has no call that was running then. */
export function callsThen(
  delivery: Pick<Delivery, 'transitions' | 'attempts' | 'state' | 'heldAt'>,
  message: Pick<MessageDetail, 'broker'> = {},
): string {
  const here = message.broker === undefined ? '' : CALLS.here;
  const calls = callsOf(delivery);
  if (calls.length === 0 && !isEndedState(delivery.state)) return fill(CALLS.noneThen, { here });
  const isRunning = delivery.state === 'attempting' && delivery.heldAt !== 'response';
  if (!isRunning) return callsText(delivery, message);
  const running = fill(CALLS.runningThen, { n: calls.at(-1)?.n });
  const before = delivery.transitions.slice(0, -1);
  if (calls.length < 2) return running;
  return `${running} ${callsText({ ...delivery, transitions: before }, message)}`;
}

/**
 * How many calls reached the app, if not all of them are known to.
 * @param unknown number of those that may have
 */
function withUnknown(n: number, unknown: number, sure: number): string {
  if (n === 1) return CALLS.onceUnknown;
  const facts = { n: count(n), reached: count(sure), unknown: count(unknown) };
  if (unknown === n) return fill(CALLS.allUnknown, facts);
  return fill(sure === 0 ? CALLS.noneSure : CALLS.someUnknown, facts);
}

/**
 * Whether nobody knows if a call reached the app: it began, and ended without an answer. A rule of a mock app that
 * gave no answer had the call.
 */
function mayMissApp({ response, error, answeredBy }: Attempt): boolean {
  return (
    response === undefined && error !== undefined && error.code !== 'refused' && answeredBy === undefined
  );
}

/** Whether a call found no program at the address, or a rule or a person answered it in front of a tapped app. */
function missesApp({ error, tap, answeredBy }: Attempt): boolean {
  return error?.code === 'refused' || (tap !== undefined && answeredBy !== undefined);
}

/** A repeated call, or several in a row for the same reason. */
export interface CallsAgain {
  /** Numbers of the first and the last call. */
  readonly from: number;
  readonly to: number;
  readonly because: Transition | undefined;
  /** The attempt whose answer is the reason; undefined: there is another reason. */
  readonly after: Attempt | undefined;
  /** The attempt that ended last before a person's act made the call; undefined: an answer made it, or there was none. */
  readonly before?: Attempt | undefined;
  /** Whether the answer to this attempt, `after` or `before`, was that of a batch and left the entry out. */
  readonly isLeftOut?: true;
}

/** Rules for an entry that the answer to its batch does not name. */
const LEFT_OUT: ReadonlySet<RuleId> = new Set<RuleId>(['bulk.2xx.missing', 'grpc.bulk.missing']);

/** Number of equal calls from which they are listed together. */
const A_ROW = 3;

/** The calls after the first; those with the same reason are listed together. */
export function callsAgain(
  delivery: Pick<Delivery, 'transitions' | 'attempts'>,
  calls: readonly CallReason[],
): readonly CallsAgain[] {
  const ended = attemptsByOutcome(delivery);
  const rows: CallsAgain[][] = [];
  for (const { n, because } of calls) {
    // An attempt that a person cut is listed as their act.
    const isAct = because?.cause === 'user';
    const after = because === undefined || isAct ? undefined : ended.get(because);
    const end = isAct && !ended.has(because) ? lastEndedBefore(because, ended) : undefined;
    const before = end?.[1];
    const rule = (end === undefined ? because : end[0])?.rule;
    const isLeftOut = rule !== undefined && LEFT_OUT.has(rule) ? true : undefined;
    const one = { from: n, to: n, because, after, ...withoutUndefined({ before, isLeftOut }) };
    const row = rows.at(-1);
    const last = row?.at(-1);
    if (row !== undefined && last !== undefined && isSame(last, one)) row.push(one);
    else rows.push([one]);
  }
  return rows.flatMap((row) => {
    const [first] = row;
    return first === undefined || row.length < A_ROW ? row : [{ ...first, to: first.from + row.length - 1 }];
  });
}

/**
 * The answer that decided, with its status word: "200 RETRY". An answer that a person gave instead decides in
 * place of the app's. Undefined: there was none.
 */
export function judgedText(attempt: Attempt): string | undefined {
  const { response } = judgedAnswer(attempt);
  if (response === undefined) return undefined;
  const { status, statusText } = response;
  return answerText({ status, ...withoutUndefined({ statusText, word: attempt.word }) });
}

function lastEndedBefore(
  { sequence }: Transition,
  ended: ReadonlyMap<Transition, Attempt>,
): readonly [Transition, Attempt] | undefined {
  let last: readonly [Transition, Attempt] | undefined;
  for (const each of ended) if (each[0].sequence < sequence) last = each;
  return last;
}

function isSame(one: CallsAgain, other: CallsAgain): boolean {
  return (
    one.after !== undefined &&
    other.after !== undefined &&
    judgedText(one.after) === judgedText(other.after) &&
    one.because?.rule === other.because?.rule &&
    one.because?.to === other.because?.to
  );
}

/**
 * The last reason for a repeated call: a person's act, a restart or an answer. Releasing a hold is no reason.
 */
function reasonBefore(transitions: readonly Transition[], index: number): Transition | undefined {
  for (let at = index - 1; at >= 0; at -= 1) {
    const each = transitions[at];
    if (each === undefined || each.to === 'attempting') return undefined;
    const isPassing = each.cause === 'policy' && !each.rule.startsWith('policy.no-answer');
    if (each.to === 'held' || each.from === 'held' || isPassing) continue;
    return each;
  }
  return undefined;
}

/** States after which the policy of the moment decides, which a person may have changed since the last attempt. */
const UNDECIDED: ReadonlySet<DeliveryState> = new Set(['held', 'queued', 'retrying', 'attempting']);

type Limited = Pick<Delivery, 'attempts' | 'maxAttempts' | 'policy' | 'state'>;

/** Number of the last attempt that is allowed, also after a person opened the delivery again; 0: no limit. */
export function lastAllowed(delivery: Limited): number {
  return UNDECIDED.has(delivery.state) ? lastAttemptNow(delivery) : delivery.maxAttempts;
}

/** Attempts left; undefined: there is no limit. */
export function attemptsLeft(delivery: Limited): number | undefined {
  const { attempts, state } = delivery;
  const last = lastAllowed(delivery);
  if (last === 0) return undefined;
  // A delivery that waits for its next attempt gets it, also if the policy has allowed fewer since.
  return Math.max(state === 'retrying' ? 1 : 0, last - (attempts.at(-1)?.number ?? 0));
}

/** Number of the last attempt that the policy allows now, which may have changed since the last outcome; 0: no limit. */
export function lastAttemptNow({ policy, maxAttempts }: Pick<Delivery, 'policy' | 'maxAttempts'>): number {
  return policy === undefined ? maxAttempts : (policy.lastAttempt ?? 0);
}

/** Number of attempts before the round that runs at this sequence. A round begins when a person retries what had ended. */
export function attemptsBeforeRound(
  delivery: Pick<Delivery, 'attempts' | 'transitions'>,
  sequence: number,
): number {
  const began = delivery.transitions.findLast(
    (each) => each.rule === 'user.retry' && each.from !== 'retrying' && each.sequence < sequence,
  );
  if (began === undefined) return 0;
  const earlier = delivery.attempts.findLast(
    (attempt) => (beganBy(delivery, attempt)?.sequence ?? Infinity) < began.sequence,
  );
  return earlier?.number ?? 0;
}

/**
 * The transition that best explains the state of a delivery. The beginning of an attempt explains nothing.
 */
export function tellingTransition({ transitions }: Pick<Delivery, 'transitions'>): Transition | undefined {
  const last = transitions.at(-1);
  if (last === undefined || last.to !== 'attempting' || transitions.length < 2) return last;
  const before = transitions.at(-2);
  return before?.rule === 'policy.accepted' ? last : before;
}
