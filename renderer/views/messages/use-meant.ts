/** Hook for what the host says about an applied filter. */
import { useEffect, useState } from 'react';
import type { Result } from '../../../core/contract/console.ts';
import { useFinds } from '../../components/use-finds.ts';
import { withDay } from '../../format/clock-terms.ts';
import { isStatusText, mustFind } from '../../format/offered-filter.ts';
import { useConsole, useOpenings } from '../../state/context.ts';

/** The answer of the host about a filter; undefined: not known yet, or not asked for, because the text is empty. */
export function useMeant(filter: string): Result<'filter.check'> | undefined {
  const { call } = useConsole();
  const openings = useOpenings();
  const [known, setKnown] = useState<{ readonly filter: string } & Result<'filter.check'>>();
  useEffect(() => {
    if (filter === '') return undefined;
    let isCurrent = true;
    call('filter.check', { filter }).then(
      (check) => isCurrent && setKnown({ filter, ...withDay(filter, check) }),
      // Nothing is known without an answer, which the connection bar reports.
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [call, filter, openings]);
  return known?.filter === filter ? known : undefined;
}

/**
 * The filter that is offered instead of one that finds nothing, or has a mistake.
 * @returns undefined: there is none, or it finds nothing either
 */
export function useOffered(filter: string, check: Result<'filter.check'> | undefined): string | undefined {
  const meant = check?.meant;
  const isAsked = check !== undefined && mustFind(filter, check);
  const isFound = useFinds(isAsked ? meant : undefined);
  return isAsked && !isFound ? undefined : meant;
}

/**
 * The status that was probably meant by a text that finds something all the same.
 * @param meant the filter that the host offers instead
 * @returns undefined: none, or no answer had it
 */
export function useMeantStatus(filter: string, meant: string | undefined): string | undefined {
  const status = isStatusText(filter, meant) ? meant : undefined;
  return useFinds(status) ? status : undefined;
}

/**
 * The filter that was probably meant by one that leaves nothing out, if that one leaves something out. The host is asked
 * once for each view: the counts of the list and of all messages are reported apart, so that while messages come they
 * differ from one moment to the next.
 * @param meant the filter that the host offers instead
 * @returns undefined: something is left out, nothing else is meant, or it is not known yet
 */
export function useMeantByAll(filter: string, meant: string | undefined): string | undefined {
  const { call } = useConsole();
  const openings = useOpenings();
  const [known, setKnown] = useState<{ readonly filter: string; readonly helps: boolean }>();
  useEffect(() => {
    if (meant === undefined) return undefined;
    let isCurrent = true;
    const leavesOut = async (text: string): Promise<boolean> =>
      (await call('messages.list', { filter: `NOT (${text})`, limit: 1 })).total > 0;
    const asked = leavesOut(filter).then((isLeft) => !isLeft && leavesOut(meant));
    asked.then(
      (helps) => isCurrent && setKnown({ filter, helps }),
      // Nothing is known without an answer, which the connection bar reports.
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [call, filter, meant, openings]);
  return known?.filter === filter && known.helps ? meant : undefined;
}
