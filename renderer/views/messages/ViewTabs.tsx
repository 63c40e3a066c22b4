/** The views that are always there, as tabs with how many deliveries each holds. */
import { Tabs } from '@base-ui/react/tabs';
import type { ReactElement } from 'react';
import { LIST, VIEWS } from '../../copy/messages.ts';
import type { RuntimeChanged } from '../../../core/contract/console.ts';
import { count } from '../../format/quantity.ts';
import { useConsole, useParam } from '../../state/context.ts';
import { useSelected } from '../../state/store.ts';
import css from './ViewTabs.module.css';

function amountOf(id: (typeof VIEWS)[number]['id'], runtime: RuntimeChanged | undefined): number {
  if (runtime === undefined) return 0;
  const { counts } = runtime;
  switch (id) {
    case 'attention':
      return counts.parked + counts['dead-lettered'] + counts.expired;
    case 'held':
      return runtime.holds;
    case 'retrying':
      return counts.retrying;
    case 'dead-lettered':
      return counts['dead-lettered'];
    case 'all':
    case 'none':
      return 0;
  }
}

/** One tab per view; choosing one sets the filter. */
export function ViewTabs(): ReactElement {
  const { places, connection } = useConsole();
  const filter = useParam('f') ?? '';
  const runtime = useSelected(connection, (state) => state.runtime);
  const active = VIEWS.find((view) => view.filter === filter);
  return (
    <Tabs.Root
      value={active?.id ?? null}
      onValueChange={(id) => {
        const view = VIEWS.find((each) => each.id === id);
        if (view !== undefined) places.change({ f: view.filter, off: undefined });
      }}
    >
      <Tabs.List className={css.list} aria-label={LIST.views} activateOnFocus={false}>
        {VIEWS.map(({ id, title }) => {
          const n = amountOf(id, runtime);
          return (
            <Tabs.Tab key={id} value={id} className={css.tab}>
              {title}
              {n > 0 && <span className={css.amount}> {count(n)}</span>}
            </Tabs.Tab>
          );
        })}
      </Tabs.List>
    </Tabs.Root>
  );
}
