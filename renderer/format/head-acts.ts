/** Which act a state asks for: one that is loud, one beside it; the rest is under "More". */
import { isOnTheWay } from '../../core/contract/acts.ts';
import type { Act } from '../../core/contract/acts.ts';
import type { DeliveryState } from '../../core/contract/delivery.ts';
import type { Stage } from '../../core/contract/message.ts';

export type HeadAct = Act | 'replay' | 'editReplay' | 'editRelease' | 'subscribe';

export interface HeadActs {
  /** The one filled button; undefined: nothing is asked for. */
  readonly first: HeadAct | undefined;
  readonly second: HeadAct;
}

const AGAIN: HeadActs = { first: 'retry', second: 'editReplay' };
const ENDED: HeadActs = { first: 'editReplay', second: 'replay' };
const HELD: HeadActs = { first: 'release', second: 'editRelease' };

const BY_STATE: Readonly<Record<DeliveryState, HeadActs>> = {
  queued: { first: undefined, second: 'hold' },
  held: HELD,
  attempting: { first: undefined, second: 'cancel' },
  retrying: { first: 'retry', second: 'hold' },
  processed: ENDED,
  expired: ENDED,
  dropped: AGAIN,
  parked: AGAIN,
  'dead-lettered': AGAIN,
};

const BY_STAGE: Readonly<Record<Stage, HeadActs>> = {
  held: HELD,
  waiting: { first: undefined, second: 'replay' },
  refused: ENDED,
  dropped: ENDED,
  expired: ENDED,
};

/**
 * The two acts of a message.
 * @param state of the chosen delivery; undefined: the message has none
 * @param isAnswerHeld a hold keeps back the app's answer: the delivery is attempting, and can be released
 * @param isObserved its sidecar is not ours: it alone retries, holds and ends what it delivers
 */
export function headActs(
  state: DeliveryState | undefined,
  stage: Stage | undefined,
  isAnswerHeld: boolean,
  isObserved = false,
): HeadActs {
  if (isAnswerHeld) return HELD;
  const acts = byState(state, stage);
  return isObserved && !isOnTheWayOf(acts) ? ENDED : acts;
}

/** Whether a tap can do what a state asks for. */
function isOnTheWayOf({ first }: HeadActs): boolean {
  return first === 'release' && isOnTheWay(first);
}

function byState(state: DeliveryState | undefined, stage: Stage | undefined): HeadActs {
  if (state !== undefined) return BY_STATE[state];
  return stage === undefined ? { first: 'subscribe', second: 'replay' } : BY_STAGE[stage];
}
