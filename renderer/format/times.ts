/** How often an app got a delivery, what led to each further call, and how many attempts are left. */
import type { Delivery, Transition } from '../../core/contract/message.ts';

/** One call of the app; `because` is what sent it back, undefined for the first. */
export interface CallReason {
  readonly n: number;
  readonly because: Transition | undefined;
}

/**
 * Every call of a delivery, from its transitions: also one that a restart cut, of which no attempt is kept.
 * A call that was cut before its answer may have reached the app.
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

/** What last made the delivery go again: a person's act, a restart or an answer; releasing a hold is not a reason. */
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

/** Attempts used since the delivery was last opened again by a person; a call that a restart cut does not count. */
export function attemptsInRound({ transitions }: Pick<Delivery, 'transitions'>): number {
  const opened = transitions.findLastIndex(({ rule }) => rule === 'user.retry');
  return transitions
    .slice(opened + 1)
    .reduce(
      (n, { to, rule }) => n + (to === 'attempting' ? 1 : 0) - (rule === 'restart.requeued' ? 1 : 0),
      0,
    );
}

/** Attempts that are left of a round; undefined: there is no limit. */
export function attemptsLeft(delivery: Pick<Delivery, 'transitions' | 'maxAttempts'>): number | undefined {
  if (delivery.maxAttempts === 0) return undefined;
  return Math.max(0, delivery.maxAttempts - attemptsInRound(delivery));
}

/** The transition that says best why a delivery stands where it stands: an attempt that begins says nothing by itself. */
export function tellingTransition({ transitions }: Pick<Delivery, 'transitions'>): Transition | undefined {
  const last = transitions.at(-1);
  if (last === undefined || last.to !== 'attempting' || transitions.length < 2) return last;
  const before = transitions.at(-2);
  return before?.rule === 'policy.accepted' ? last : before;
}
