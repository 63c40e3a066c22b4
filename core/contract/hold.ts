/** Holds: a condition that stops messages at a point of their life. */
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

export type HoldParams = Omit<Hold, 'holdId' | 'hits' | 'enabled'> & { readonly enabled?: boolean };
