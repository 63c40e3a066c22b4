/** Grouping of the list: the user's choice, or repeats while messages come too fast to be read. */
import { useConsole, useParam } from '../../state/context.ts';
import { useSelected } from '../../state/store.ts';
import { filterFor } from '../../format/filter-for.ts';

export interface Grouped {
  readonly groupBy: string;
  /** True if the grouping was set automatically, because messages come too fast. */
  readonly isByItself: boolean;
}

/** The filter in the address. */
export function useWantedFilter(): string {
  const { ui } = useConsole();
  const filter = useParam('f') ?? '';
  const off = useParam('off') !== undefined;
  const appId = useSelected(ui, (state) => state.appId);
  return filterFor(off ? '' : filter, appId);
}

export function useGroupBy(): Grouped {
  const { listSpeed, messages, readOnly, ui } = useConsole();
  const chosen = useParam('g') ?? '';
  const wanted = useWantedFilter();
  // A person who filters wants to see messages, and the pace without the filter says nothing about them.
  const isFast = useSelected(listSpeed.store, (state) => state.isFast && state.filter === wanted);
  const isWanted = useSelected(ui, (state) => state.collapseRepeats);
  // A sorted list stands still, however fast messages come.
  const isSorted = useSelected(messages.store, ({ sort }) => sort !== undefined);
  const isByItself = chosen === '' && isFast && isWanted && !isSorted && readOnly === undefined;
  return { groupBy: isByItself ? 'repeats' : chosen, isByItself };
}
