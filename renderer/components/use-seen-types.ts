/** Event types of recent messages, as suggestions. */
import { useEffect, useState } from 'react';
import { useConsole, useOpenings } from '../state/context.ts';

const ASKED = 'type:';

/** The types, requested once when the field is first drawn. */
export function useSeenTypes(): readonly string[] {
  const { call } = useConsole();
  const openings = useOpenings();
  const [types, setTypes] = useState<readonly string[]>([]);
  useEffect(() => {
    let isCurrent = true;
    call('filter.complete', { filter: ASKED, cursor: ASKED.length }).then(
      ({ items }) => {
        if (isCurrent) setTypes(items.map(({ label }) => label));
      },
      // The field works without suggestions if the host does not answer.
      () => isCurrent && setTypes([]),
    );
    return () => {
      isCurrent = false;
    };
  }, [call, openings]);
  return types;
}
