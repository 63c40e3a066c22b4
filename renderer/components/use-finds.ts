/** Asks the host whether a filter finds anything. */
import { useEffect, useState } from 'react';
import { filterFor } from '../format/filter-for.ts';
import { useConsole, useOpenings } from '../state/context.ts';
import { useSelected } from '../state/store.ts';

/** Whether the filter finds a message on the screen's list; false: it does not, there is none, or it is not known yet. */
export function useFinds(typed: string | undefined): boolean {
  const { call, recordingId, ui } = useConsole();
  const appId = useSelected(ui, (state) => state.appId);
  const filter = typed === undefined ? undefined : filterFor(typed, appId);
  const openings = useOpenings();
  const [known, setKnown] = useState<{ readonly filter: string; readonly isFound: boolean }>();
  useEffect(() => {
    if (filter === undefined) return undefined;
    let isCurrent = true;
    const of = recordingId === undefined ? {} : { recordingId };
    call('messages.list', { ...of, filter, limit: 1 }).then(
      ({ total }) => isCurrent && setKnown({ filter, isFound: total > 0 }),
      // Nothing is known without an answer, which the connection bar reports.
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [call, recordingId, filter, openings]);
  return known !== undefined && known.filter === filter && known.isFound;
}
