/** The built-in views as tabs with their number of deliveries, and the saved views. */
import { Tabs } from '@base-ui/react/tabs';
import { EllipsisVertical, Star } from 'lucide-react';
import type { FocusEvent, ReactElement } from 'react';
import { ChoiceMenu } from '../../components/ChoiceMenu.tsx';
import { fill } from '../../copy/fill.ts';
import { ATTENTION_HINT, DROPPED_HINT, LIST, VIEWS } from '../../copy/messages.ts';
import { SAVED_VIEWS } from '../../copy/saved-views.ts';
import type { SavedView } from '../../../core/contract/view.ts';
import { withoutUndefined } from '../../../core/contract/without-undefined.ts';
import { count } from '../../format/quantity.ts';
import { amountText, viewAmount, withoutDelivery } from '../../format/view-amount.ts';
import { useConsole, useParam, useResource } from '../../state/context.ts';
import { useSelected } from '../../state/store.ts';
import css from './ViewTabs.module.css';

/** One tab per view; choosing one sets the filter. */
export function ViewTabs(): ReactElement {
  const { navigation, connection, messages, savedViews, readOnly } = useConsole();
  const { value: unsubscribed } = useResource(messages.unsubscribed);
  const filter = useParam('f') ?? '';
  const named = useParam('v');
  const groupBy = useParam('g');
  const runtime = useSelected(connection, (state) => state.runtime);
  const { value } = useResource(savedViews.list);
  const saved = value?.items ?? [];
  const builtIn = VIEWS.find((view) => view.filter === filter);
  const chosen =
    saved.find(({ savedViewId }) => savedViewId === named) ??
    (builtIn === undefined ? saved.find((view) => view.filter === filter) : undefined);
  return (
    <>
      <Tabs.Root
        value={chosen?.savedViewId ?? builtIn?.id ?? null}
        onValueChange={(id) => {
          const view = VIEWS.find((each) => each.id === id);
          if (view !== undefined)
            navigation.change({ f: view.filter, off: undefined, v: undefined, g: undefined });
          const own = saved.find(({ savedViewId }) => savedViewId === id);
          if (own !== undefined) {
            navigation.change({ f: own.filter, off: undefined, v: own.savedViewId, g: own.groupBy });
          }
        }}
      >
        <Tabs.List className={css.list} aria-label={LIST.views} activateOnFocus={false}>
          {VIEWS.map(({ id, title }) => {
            // The host's counts are of the live history, not of a recording.
            const n = readOnly === undefined ? viewAmount(id, runtime, unsubscribed?.total ?? 0) : 0;
            return (
              <Tabs.Tab
                key={id}
                value={id}
                className={css.tab}
                title={tabHint(id, n, withoutDelivery(id, runtime))}
                onFocus={intoSight}
              >
                {title}
                {n > 0 && <span className={css.amount}> {count(n)}</span>}
              </Tabs.Tab>
            );
          })}
          {saved.map(({ savedViewId, name }) => (
            <Tabs.Tab key={savedViewId} value={savedViewId} className={css.tab} onFocus={intoSight}>
              <Star aria-hidden size={11} className={css.star} />
              <bdi>{name}</bdi>
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Tabs.Root>
      {chosen !== undefined && <ViewMenu view={chosen} all={saved} filter={filter} groupBy={groupBy} />}
    </>
  );
}

/** Scrolls a narrow list of views, because its keys move the focus without that. */
function intoSight({ currentTarget }: FocusEvent<HTMLElement>): void {
  currentTarget.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

/** What a view has, and what its number counts. */
function tabHint(id: (typeof VIEWS)[number]['id'], n: number, without: number): string | undefined {
  // Held answers and messages held at their publish are counted beside deliveries, and the list names both.
  const what = amountText(id === 'held' ? undefined : id, n, without);
  const hasDeliveries = n !== without;
  const words = hasDeliveries ? fill(LIST.countsDeliveries, { what }) : what;
  const counts = n > 0 && id !== 'none' ? words : undefined;
  const hint = id === 'attention' ? ATTENTION_HINT : id === 'dropped' ? DROPPED_HINT : undefined;
  if (hint === undefined || counts === undefined) return hint ?? counts;
  return `${hint} ${counts}`;
}

interface ViewMenuProps {
  readonly view: SavedView;
  readonly all: readonly SavedView[];
  readonly filter: string;
  readonly groupBy: string | undefined;
}

/** Acts on the chosen view. */
function ViewMenu({ view, all, filter, groupBy }: ViewMenuProps): ReactElement {
  const { commands, savedViews, navigation } = useConsole();
  const index = all.indexOf(view);
  const entries = [
    {
      id: 'rename',
      title: SAVED_VIEWS.rename,
      run: () => commands.open({ kind: 'save-view', savedViewId: view.savedViewId }),
    },
    {
      id: 'update',
      title: SAVED_VIEWS.update,
      off: view.filter === filter && view.groupBy === groupBy ? SAVED_VIEWS.sameFilter : undefined,
      run() {
        const { groupBy: _before, ...rest } = view;
        void savedViews.save({ ...rest, filter, ...withoutUndefined({ groupBy }) });
      },
    },
    {
      id: 'left',
      title: SAVED_VIEWS.left,
      off: index === 0 ? SAVED_VIEWS.isFirst : undefined,
      run: () => void savedViews.move(view, -1),
    },
    {
      id: 'right',
      title: SAVED_VIEWS.right,
      off: index === all.length - 1 ? SAVED_VIEWS.isLast : undefined,
      run: () => void savedViews.move(view, 1),
    },
    {
      id: 'remove',
      title: SAVED_VIEWS.remove,
      run: () => {
        navigation.change({ v: undefined }, { replace: true });
        void savedViews.remove(view);
      },
    },
  ];
  return (
    <ChoiceMenu
      title=""
      icon={EllipsisVertical}
      label={fill(SAVED_VIEWS.menu, { name: view.name })}
      groups={[{ entries }]}
    />
  );
}
