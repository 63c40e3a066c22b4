/** The order in which states need a person's attention; lists, groups, sorting and chips all use it. */
import { DELIVERY_STATES } from './delivery.ts';
import type { DeliveryState } from './delivery.ts';
import { ROW_STATES } from './words.ts';
import type { RowState, Stage } from './words.ts';

const RANKS: ReadonlyMap<string, number> = new Map(ROW_STATES.map((state, rank) => [state, rank]));

/** Rank of a state in the order of attention; 0 needs it most. */
export function rankOf(state: RowState): number {
  return RANKS.get(state) ?? ROW_STATES.length;
}

/** Facts that decide whether another consumer may have received a message without a delivery here. */
export interface MaybeElsewhere {
  /** The tap that showed it; undefined: Sidelight accepted it. */
  readonly tap?: string | undefined;
  /** Apps here to whose group a broker was to give it. */
  readonly expectedBy?: readonly string[] | undefined;
}

/** The state of a message that has no delivery and no stage. */
export function withoutDelivery({ tap, expectedBy }: MaybeElsewhere): 'none' | 'unseen' {
  return tap === undefined && expectedBy === undefined ? 'none' : 'unseen';
}

/** Facts that decide whether a message without a delivery is left over. */
export interface MaybeLeftOver extends MaybeElsewhere {
  readonly stage?: Stage | undefined;
  /** Its replay; undefined: there was none. */
  readonly replayedAs?: string | undefined;
}

/** Filter for messages that nobody got, and that nobody has replayed since. */
export const LEFT_OVER = 'state:none -is:replayed';

/** Filter for messages that nobody got when they were published, and that were replayed since. */
export const REPLAYED_SINCE = 'state:none is:replayed';

/** How a message without a delivery is counted: apart from the others if it was replayed since. */
export type CountedWithout = 'none' | 'replayed';

/** How a message without a delivery is counted; undefined: others may have got it, or it has a stage. */
export function countedWithout(row: MaybeLeftOver): CountedWithout | undefined {
  if (!nobodyGot(row)) return undefined;
  return row.replayedAs === undefined ? 'none' : 'replayed';
}

/** Whether nobody got a message without a delivery, and nobody has replayed it since. */
export function isLeftOver(row: MaybeLeftOver): boolean {
  return countedWithout(row) === 'none';
}

/** Whether nobody got a message without a delivery when it was published, and it was replayed since. */
export function isReplayedSince(row: MaybeLeftOver): boolean {
  return countedWithout(row) === 'replayed';
}

/** Whether nobody got a message without a delivery when it was published. */
export function nobodyGot(row: Omit<MaybeLeftOver, 'replayedAs'>): boolean {
  return row.stage === undefined && withoutDelivery(row) === 'none';
}

/** Stages in which a message ended before any delivery although nobody wanted that: its component refused it, or its TTL passed. */
export const UNPUBLISHED: readonly Stage[] = ['refused', 'expired'];

/** How a message counts that ended before any delivery: nobody wanted that, or a person dropped it. */
export type EndedEarly = 'unpublished' | 'droppedEarly';

/** How a message counts by its stage among those that ended before any delivery; undefined: it is none of them. */
export function endedEarly(stage: Stage | undefined): EndedEarly | undefined {
  if (stage === 'dropped') return 'droppedEarly';
  return stage !== undefined && UNPUBLISHED.includes(stage) ? 'unpublished' : undefined;
}

/** States of deliveries, the one that needs attention most first. */
export const ATTENTION_ORDER: readonly DeliveryState[] = DELIVERY_STATES.toSorted(
  (a, b) => rankOf(a) - rankOf(b),
);

/**
 * The delivery that needs attention most; of several in the same state the first; undefined without
 * deliveries.
 */
export function foremost<D extends { readonly state: DeliveryState }>(
  deliveries: readonly D[],
): D | undefined {
  let first: D | undefined;
  for (const each of deliveries) {
    if (first === undefined || rankOf(each.state) < rankOf(first.state)) first = each;
  }
  return first;
}
