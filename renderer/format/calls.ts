/** How often an app got a delivery, the reason for each further call, and the attempts left. */
import { ENDED_STATES } from '../../core/contract/delivery.ts';
import type { Attempt, Delivery, Transition } from '../../core/contract/message.ts';
import { withoutUndefined } from '../../core/contract/without-undefined.ts';
import { fill } from '../copy/fill.ts';
import { CALLS } from '../copy/why.ts';
import { attemptsByOutcome } from './cause.ts';
import { count } from './quantity.ts';

/** One call of the app; `because` is the reason for a repeated call, undefined for the first. */
export interface CallReason {
  readonly n: number;
  readonly because: Transition | undefined;
}

/**
 * Every call of a delivery, from its transitions. They include a call that a restart cut, of which there is
 * no attempt: it may have reached the app.
 */
export function callsOf({ transitions }: Pick<Delivery, 'transitions'>): readonly CallReason[] {
  const calls: CallReason[] = [];
  for (const [index, transition] of transitions.entries()) {
    if (transition.to !== 'attempting') continue;
    const n = calls.length + 1;
    calls.push({ n, because: n === 1 ? undefined : reasonBefore(transitions, index) });
  }
  return calls;
}

/** How often the app got a delivery, in words. A call that found nobody at its address did not reach the app. */
export function callsText(delivery: Pick<Delivery, 'transitions' | 'attempts' | 'state'>): string {
  const n = callsOf(delivery).length;
  if (n === 0) return hasEnded(delivery) ? CALLS.never : CALLS.none;
  const reached = n - delivery.attempts.filter(({ error }) => error?.code === 'refused').length;
  if (reached === n) return n === 1 ? CALLS.once : fill(CALLS.many, { n: count(n) });
  if (n === 1) return CALLS.onceNotReached;
  return reached === 0
    ? fill(CALLS.noneReached, { n: count(n) })
    : fill(CALLS.someReached, { n: count(n), reached: count(reached) });
}

function hasEnded({ state }: Pick<Delivery, 'state'>): boolean {
  return ENDED_STATES.some((each) => each === state);
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
}

/** Number of equal calls from which they are told together. */
const A_ROW = 3;

/** The calls after the first; those with the same reason are told together. */
export function callsAgain(
  delivery: Pick<Delivery, 'transitions' | 'attempts'>,
  calls: readonly CallReason[],
): readonly CallsAgain[] {
  const ended = attemptsByOutcome(delivery);
  const rows: CallsAgain[][] = [];
  for (const { n, because } of calls) {
    const after = because === undefined ? undefined : ended.get(because);
    const before = because?.cause === 'user' ? lastEndedBefore(because, ended) : undefined;
    const one = { from: n, to: n, because, after, ...withoutUndefined({ before }) };
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

function lastEndedBefore(
  { sequence }: Transition,
  ended: ReadonlyMap<Transition, Attempt>,
): Attempt | undefined {
  let last: Attempt | undefined;
  for (const [transition, attempt] of ended) if (transition.sequence < sequence) last = attempt;
  return last;
}

function isSame(one: CallsAgain, other: CallsAgain): boolean {
  return (
    one.after !== undefined &&
    other.after !== undefined &&
    one.after.response?.status === other.after.response?.status &&
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

/**
 * Attempts left; undefined: there is no limit. `maxAttempts` is the number of the last one that is allowed, also
 * after a person opened the delivery again.
 */
export function attemptsLeft({
  attempts,
  maxAttempts,
}: Pick<Delivery, 'attempts' | 'maxAttempts'>): number | undefined {
  if (maxAttempts === 0) return undefined;
  return Math.max(0, maxAttempts - (attempts.at(-1)?.number ?? 0));
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
