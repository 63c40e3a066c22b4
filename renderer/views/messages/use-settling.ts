/** Delays the first drawing of the screen until its content is known, so that nothing moves afterwards. */
import { useEffect, useState } from 'react';
import { RANGE_S } from '../../format/histogram.ts';
import type { Console } from '../../state/console.ts';
import { useConsole } from '../../state/context.ts';
import { useSelected } from '../../state/store.ts';
import { useWantedFilter } from './use-group-by.ts';

/** Whether the list is empty, or some of its rows are loaded. */
function hasRows({ messages: { store, rows } }: Console): boolean {
  const { status, total } = store.getState();
  if (status !== 'ready') return status === 'failed';
  const ends = [0, total - 1];
  return total === 0 || ends.some((at) => rows.rowAt(at) !== undefined || rows.groupAt(at) !== undefined);
}

/** Longest delay in ms; slower parts show that they load. */
const MAX_MS = 2000;

/** Longest delay in ms with a filter: the host may search for long, and the screen says that it searches. */
const SEARCH_MS = 200;

/** Whether rows, traffic or counts are still loading for the first time. */
export function useSettling(): boolean {
  const console = useConsole();
  const { connection, health, messages, readOnly } = console;
  const isSearch = useWantedFilter() !== '';
  const traffic = health.over(RANGE_S);
  useEffect(() => traffic.watch(), [traffic]);
  const hasTraffic = useSelected(
    traffic.store,
    ({ value, failure }) => value !== undefined || failure !== undefined,
  );
  const hasAmounts = useSelected(connection, ({ runtime }) => runtime !== undefined);
  const hasList = useSelected(messages.store, () => hasRows(console));
  const isThere = hasList && (readOnly !== undefined || (hasTraffic && hasAmounts));
  const [wasThere, setWasThere] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setWasThere(true), isSearch ? SEARCH_MS : MAX_MS);
    return () => clearTimeout(timer);
  }, [isSearch]);
  if (isThere && !wasThere) setWasThere(true);
  return !isThere && !wasThere;
}
