/** Holds: a condition that stops messages at a point of their life. */
import type { MessageRow, RecordedBody } from './message.ts';

export const HOLD_POINTS = ['publish', 'delivery', 'response'] as const;
export type HoldPoint = (typeof HOLD_POINTS)[number];

export interface Hold {
  readonly holdId: string;
  readonly name?: string;
  readonly at: HoldPoint;
  readonly filter: string;
  readonly enabled: boolean;
  /** Catch the next n only. */
  readonly times?: number;
  readonly releaseAfterMs?: number;
  readonly hits: number;
}

/** One thing that is held: a message before its fan-out, a delivery before an attempt, or the app's answer. */
export interface HeldItem {
  readonly row: MessageRow;
  /** Absent: the message is held at publish. */
  readonly deliveryId?: string;
  readonly heldAt: HoldPoint;
  /** The hold that caught it; absent: it was held by hand. */
  readonly heldBy?: string;
  /** When it was caught. */
  readonly since: string;
  /** Id of the delivery's entry in the batch whose answer is held; absent for the answer to a single delivery. */
  readonly entryId?: string;
  /** What the app answered, where that is held. */
  readonly answer?: { readonly status: number } & RecordedBody;
}

export type HoldParams = Omit<Hold, 'holdId' | 'hits' | 'enabled'> & { readonly enabled?: boolean };

/** Members to change; null takes a member away. `times` counts from 0 again, and so does a hold that is switched on again. */
export type HoldChange = Partial<Pick<Hold, 'at' | 'filter' | 'enabled'>> & {
  readonly name?: string | null;
  readonly times?: number | null;
  readonly releaseAfterMs?: number | null;
};
