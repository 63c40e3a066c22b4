/** What the list is grouped by: what a person chose, or repeats by themselves while too many messages come to be read. */
import { useConsole, useParam } from '../../state/context.ts';
import { useSelected } from '../../state/store.ts';

export interface Grouped {
  readonly groupBy: string;
  /** Nobody chose it: the messages come too fast. */
  readonly isByItself: boolean;
}

export function useGroupBy(): Grouped {
  const { pace, readOnly, ui } = useConsole();
  const chosen = useParam('g') ?? '';
  const isFast = useSelected(pace.store, (state) => state.isFast);
  const isWanted = useSelected(ui, (state) => state.collapseRepeats);
  const isByItself = chosen === '' && isFast && isWanted && readOnly === undefined;
  return { groupBy: isByItself ? 'repeats' : chosen, isByItself };
}
