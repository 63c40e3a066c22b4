/** The acts that a state suggests: the main one and a second one; all others are under "More". */
import { isOnTheWay } from '../../core/contract/acts.ts';
import type { Act } from '../../core/contract/acts.ts';
import type { DeliveryState } from '../../core/contract/delivery.ts';
import type { Stage } from '../../core/contract/message.ts';

export type HeadAct = Act | 'replay' | 'editReplay' | 'editRelease' | 'reroute' | 'subscribe';

export interface HeadActs {
  /** The act of the filled button; undefined: none is needed. */
  readonly first: HeadAct | undefined;
  readonly second: HeadAct;
}

const AGAIN: HeadActs = { first: 'retry', second: 'editReplay' };
/** A retry would go to a route that the app may no longer serve. */
const ELSEWHERE: HeadActs = { first: 'reroute', second: 'retry' };
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
 * @param isObserved another sidecar delivers it, so only that one retries, holds and ends it
 * @param keepsOldRoute its subscription no longer has the route that it keeps
 */
export function headActs(
  state: DeliveryState | undefined,
  stage: Stage | undefined,
  isAnswerHeld: boolean,
  isObserved = false,
  keepsOldRoute = false,
): HeadActs {
  if (isAnswerHeld) return HELD;
  if (keepsOldRoute && (state === 'dropped' || state === 'parked')) return ELSEWHERE;
  const acts = byState(state, stage);
  return isObserved && !isOnTheWayOf(acts) ? ENDED : acts;
}

/** Whether a tap can do the suggested act. */
function isOnTheWayOf({ first }: HeadActs): boolean {
  return first === 'release' && isOnTheWay(first);
}

function byState(state: DeliveryState | undefined, stage: Stage | undefined): HeadActs {
  if (state !== undefined) return BY_STATE[state];
  return stage === undefined ? { first: 'subscribe', second: 'replay' } : BY_STAGE[stage];
}
