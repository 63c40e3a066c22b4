/**
 * Acts that a delivery allows: the one table that the machine, the commands and the screens read. The acts
 * that a screen shows as buttons are in renderer/format/head-acts.ts.
 */
import type { DeliveryState } from './delivery.ts';

/** Acts of a person on deliveries. Replay is not among them: it applies to any message. */
export const DELIVERY_ACTS = ['retry', 'hold', 'release', 'drop', 'deadLetter', 'cancel'] as const;
export type Act = (typeof DELIVERY_ACTS)[number];

/**
 * State of a delivery as an act sees it; `answer-held`: the delivery is attempting, and a hold keeps back the
 * app's answer.
 */
type ActState = DeliveryState | 'answer-held';

/** States that a drop ends, and to which it can be undone. */
export const BEFORE_DROP = [
  'queued',
  'held',
  'retrying',
  'parked',
] as const satisfies readonly DeliveryState[];
export type BeforeDrop = (typeof BEFORE_DROP)[number];

/** States in which each act is possible. */
const ACT_STATES: Readonly<Record<Act, readonly ActState[]>> = {
  retry: ['retrying', 'parked', 'dropped', 'expired', 'dead-lettered'],
  hold: ['queued', 'retrying'],
  release: ['held', 'answer-held'],
  drop: BEFORE_DROP,
  deadLetter: ['queued', 'held', 'retrying', 'parked', 'dropped'],
  cancel: ['attempting'],
};

/** Facts that decide whether an act is possible. */
export interface ActOn {
  readonly state: DeliveryState;
  /** `response`: a hold keeps back the app's answer. `delivery`: a hold keeps back the attempt. */
  readonly heldAt?: 'delivery' | 'response';
}

/**
 * Whether Sidelight may do the act with a delivery that a tap observes. All other acts are up to the sidecar
 * that delivers.
 */
export function isOnTheWay(act: Act): boolean {
  return act === 'release';
}

/** Whether a delivery allows the act in its present state. */
export function allows(act: Act, { state, heldAt }: ActOn): boolean {
  const seen = state === 'attempting' && heldAt === 'response' ? 'answer-held' : state;
  return ACT_STATES[act].includes(seen);
}

/**
 * States that the act itself ends. A held answer is not among them: its verdict ends that state, not the
 * release.
 */
export function statesLeftBy(act: Act): readonly DeliveryState[] {
  return ACT_STATES[act].flatMap((seen) => (seen === 'answer-held' ? [] : [seen]));
}

/** States in which a delivery may allow the act. `allows` decides for a single delivery. */
export function statesToSearch(act: Act): readonly DeliveryState[] {
  return ACT_STATES[act].map((seen) => (seen === 'answer-held' ? 'attempting' : seen));
}
