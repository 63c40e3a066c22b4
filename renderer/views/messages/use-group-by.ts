/** What the list is grouped by: what a person chose, or repeats by themselves while too many messages come to be read. */
import { useConsole, useParam } from '../../state/context.ts';
import { useSelected } from '../../state/store.ts';
import { filterFor } from './filter-for.ts';

export interface Grouped {
  readonly groupBy: string;
  /** Nobody chose it: the messages come too fast. */
  readonly isByItself: boolean;
}

/** The filter that the address asks for. */
export function useWantedFilter(): string {
  const { ui } = useConsole();
  const filter = useParam('f') ?? '';
  const off = useParam('off') !== undefined;
  const appId = useSelected(ui, (state) => state.appId);
  return filterFor(off ? '' : filter, appId);
}

export function useGroupBy(): Grouped {
  const { pace, readOnly, ui } = useConsole();
  const chosen = useParam('g') ?? '';
  const wanted = useWantedFilter();
  // A person who filters wants to see messages: how fast they came without the filter says nothing about that.
  const isFast = useSelected(pace.store, (state) => state.isFast && state.filter === wanted);
  const isWanted = useSelected(ui, (state) => state.collapseRepeats);
  const isByItself = chosen === '' && isFast && isWanted && readOnly === undefined;
  return { groupBy: isByItself ? 'repeats' : chosen, isByItself };
}
