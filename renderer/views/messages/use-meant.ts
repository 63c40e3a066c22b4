/** Hook for what the host says about an applied filter. */
import { useEffect, useState } from 'react';
import type { Result } from '../../../core/contract/console.ts';
import { withDay } from '../../format/clock-terms.ts';
import { useConsole } from '../../state/context.ts';

/** The answer of the host about a filter; undefined: not known yet, or not asked for, because the text is empty. */
export function useMeant(filter: string): Result<'filter.check'> | undefined {
  const { call } = useConsole();
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
  }, [call, filter]);
  return known?.filter === filter ? known : undefined;
}
