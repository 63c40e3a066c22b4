/** Event types that were seen lately, as words to offer. */
import { useEffect, useState } from 'react';
import { useConsole } from '../state/context.ts';

const ASKED = 'type:';

/** Asked once, when the field is first drawn. */
export function useSeenTypes(): readonly string[] {
  const { call } = useConsole();
  const [types, setTypes] = useState<readonly string[]>([]);
  useEffect(() => {
    let isCurrent = true;
    call('filter.complete', { filter: ASKED, cursor: ASKED.length }).then(
      ({ items }) => {
        if (isCurrent) setTypes(items.map(({ label }) => label));
      },
      // Without an answer nothing is offered; the field works without.
      () => isCurrent && setTypes([]),
    );
    return () => {
      isCurrent = false;
    };
  }, [call]);
  return types;
}
