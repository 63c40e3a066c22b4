/** Loads the comparison of two recordings while it is shown. */
import { useEffect, useState } from 'react';
import type { Compared, CompareResult } from '../../../core/contract/recording.ts';
import type { RpcFailure } from '../../client/rpc-client.ts';
import { useConsole, useOpenings } from '../../state/context.ts';
import { asFailure } from '../../state/resource.ts';

/** Value for the live history in the choice of a recording. */
export const LIVE = 'live';

/** Filter of the list: one kind, or all differences. */
export type Shown = Compared | 'differences';

/** Maximum number of lines that are loaded. */
const MAX_LINES = 500;

export interface Wanted {
  readonly before: string;
  readonly after: string;
  readonly filter: string;
  readonly shown: Shown;
  /** True: apps with different ids are matched by their subscriptions. */
  readonly matchesApps: boolean;
}

export interface Comparison {
  readonly result: CompareResult | undefined;
  readonly failure: RpcFailure | undefined;
  readonly again: () => void;
}

/**
 * Loads the comparison again for another pair or filter. If only the kind of lines changes, the old lines
 * stay until the new ones arrive.
 */
export function useComparison({ before, after, filter, shown, matchesApps }: Wanted): Comparison {
  const { call } = useConsole();
  const openings = useOpenings();
  const [asked, setAsked] = useState(0);
  const pair = JSON.stringify([before, after, filter, matchesApps, asked]);
  const [answer, setAnswer] = useState<{
    readonly pair: string;
    readonly result?: CompareResult;
    readonly failure?: RpcFailure;
  }>();
  const isPair = before !== after;
  useEffect(() => {
    if (!isPair) return undefined;
    let isCurrent = true;
    const kinds = shown === 'differences' ? (['changed', 'only-before', 'only-after'] as const) : [shown];
    call('recordings.compare', {
      ...(before === LIVE ? {} : { before }),
      ...(after === LIVE ? {} : { after }),
      ...(filter === '' ? {} : { filter }),
      ...(matchesApps ? {} : { matchApps: false }),
      show: [...kinds],
      limit: MAX_LINES,
    }).then(
      (result) => isCurrent && setAnswer({ pair, result }),
      (reason: unknown) => isCurrent && setAnswer({ pair, failure: asFailure(reason) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [call, openings, isPair, before, after, filter, shown, matchesApps, pair]);
  const own = answer?.pair === pair ? answer : undefined;
  return { result: own?.result, failure: own?.failure, again: () => setAsked((n) => n + 1) };
}
