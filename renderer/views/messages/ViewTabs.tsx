/** The built-in views as tabs with their number of deliveries, and the saved views. */
import { Tabs } from '@base-ui/react/tabs';
import { EllipsisVertical, Star } from 'lucide-react';
import { useLayoutEffect, useRef, useState, type ReactElement, type RefObject } from 'react';
import { ChoiceMenu } from '../../components/ChoiceMenu.tsx';
import { cx } from '../../components/class-names.ts';
import { useIsNarrow } from '../../components/use-narrow.ts';
import { fill } from '../../copy/fill.ts';
import { ATTENTION_HINT, DROPPED_HINT, LIST, VIEWS } from '../../copy/messages.ts';
import { SAVED_VIEWS } from '../../copy/saved-views.ts';
import type { SavedView } from '../../../core/contract/view.ts';
import { withoutUndefined } from '../../../core/contract/without-undefined.ts';
import { fittingTabs, type Line } from '../../format/fitting.ts';
import { count } from '../../format/quantity.ts';
import { amountText, viewAmount, withoutDelivery } from '../../format/view-amount.ts';
import { useConsole, useParam, useResource } from '../../state/context.ts';
import { useSelected } from '../../state/store.ts';
import css from './ViewTabs.module.css';

/** A view as a tab, or as an entry of the menu of those without room. */
interface ViewTab {
  readonly id: string;
  readonly title: string;
  readonly n: number;
  readonly hint?: string | undefined;
  readonly isSaved: boolean;
  readonly open: () => void;
}

/** The built-in views with their numbers, then the saved ones. */
function useTabs(saved: readonly SavedView[]): readonly ViewTab[] {
  const { navigation, connection, messages, readOnly } = useConsole();
  const { value: unsubscribed } = useResource(messages.unsubscribed);
  const runtime = useSelected(connection, (state) => state.runtime);
  const builtIn = VIEWS.map(({ id, title, filter }): ViewTab => {
    // The host's counts are of the live history, not of a recording.
    const n = readOnly === undefined ? viewAmount(id, runtime, unsubscribed?.total ?? 0) : 0;
    const hint = tabHint(id, n, withoutDelivery(id, runtime));
    const open = (): void => navigation.change({ f: filter, off: undefined, v: undefined, g: undefined });
    return { id, title, n, hint, isSaved: false, open };
  });
  const own = saved.map(({ savedViewId: id, name, filter, groupBy }): ViewTab => {
    const open = (): void => navigation.change({ f: filter, off: undefined, v: id, g: groupBy });
    return { id, title: name, n: 0, isSaved: true, open };
  });
  return [...builtIn, ...own];
}

/** One tab per view; choosing one sets the filter. In a narrow window those without room are in a menu. */
export function ViewTabs(): ReactElement {
  const { savedViews } = useConsole();
  const filter = useParam('f') ?? '';
  const named = useParam('v');
  const groupBy = useParam('g');
  const { value } = useResource(savedViews.list);
  const saved = value?.items ?? [];
  const tabs = useTabs(saved);
  const builtIn = VIEWS.find((view) => view.filter === filter);
  const chosen =
    saved.find(({ savedViewId }) => savedViewId === named) ??
    (builtIn === undefined ? saved.find((view) => view.filter === filter) : undefined);
  const active = chosen?.savedViewId ?? builtIn?.id ?? null;
  const place = tabs.findIndex(({ id }) => id === active);
  const { line, widths, shown } = useFitting(place);
  const others = shown === undefined ? [] : tabs.filter((_, at) => !shown.has(at));
  return (
    <>
      <Tabs.Root
        ref={line}
        className={css.line}
        value={active}
        onValueChange={(id) => tabs.find((tab) => tab.id === id)?.open()}
      >
        <Tabs.List className={css.list} aria-label={LIST.views} activateOnFocus={false}>
          {tabs.map((tab, at) => (shown?.has(at) === false ? null : <OneTab key={tab.id} tab={tab} />))}
        </Tabs.List>
        {others.length > 0 && <OtherViews tabs={others} />}
        <Widths ref={widths} tabs={tabs} chosen={place} />
      </Tabs.Root>
      {chosen !== undefined && <ViewMenu view={chosen} all={saved} filter={filter} groupBy={groupBy} />}
    </>
  );
}

function OneTab({ tab: { id, title, n, hint, isSaved } }: { readonly tab: ViewTab }): ReactElement {
  return (
    <Tabs.Tab value={id} className={css.tab} title={hint}>
      {isSaved && <Star aria-hidden size={STAR_PX} className={css.star} />}
      {isSaved ? <bdi>{title}</bdi> : title}
      {n > 0 && <span className={css.amount}> {count(n)}</span>}
    </Tabs.Tab>
  );
}

/** The views that have no room as tabs, each with its number. */
function OtherViews({ tabs }: { readonly tabs: readonly ViewTab[] }): ReactElement {
  const n = tabs.length;
  return (
    <ChoiceMenu
      title={fill(LIST.moreViews, { n })}
      label={fill(LIST.moreViewsLabel, { n })}
      groups={[
        {
          entries: tabs.map(({ id, title, n: amount, isSaved, open }) => ({
            id,
            title,
            run: open,
            ...(isSaved ? { icon: Star } : {}),
            note: amount > 0 ? <span className={css.amount}>{count(amount)}</span> : undefined,
          })),
        },
      ]}
    />
  );
}

/** Of the row of tabs, at both sides. */
const BORDERS_PX = 2;
const STAR_PX = 11;
/** Width of the button of the other views with a number of two digits, and the space before it. */
const MORE_PX = 104;

interface Fitting {
  readonly line: RefObject<HTMLDivElement | null>;
  readonly widths: RefObject<HTMLDivElement | null>;
  /** Places of the tabs that have room; undefined: it is not measured, because a wide window has room for a second line. */
  readonly shown: ReadonlySet<number> | undefined;
}

/**
 * Measures which tabs have room in a narrow window, whenever its width or one of theirs changes.
 * @param chosen place of the tab that stays in any case
 */
function useFitting(chosen: number): Fitting {
  const isNarrow = useIsNarrow();
  const line = useRef<HTMLDivElement>(null);
  const widths = useRef<HTMLDivElement>(null);
  const [measured, setMeasured] = useState<Line>();
  useLayoutEffect(() => {
    const [room, all] = [line.current, widths.current];
    if (room === null || all === null || !isNarrow) return undefined;
    const measure = (): void => {
      const tabs = [...all.children].map((tab) => tab.getBoundingClientRect().width);
      setMeasured({ tabs, room: room.clientWidth - BORDERS_PX, more: MORE_PX });
    };
    const sizes = new ResizeObserver(measure);
    sizes.observe(room);
    sizes.observe(all);
    return () => sizes.disconnect();
  }, [isNarrow]);
  return { line, widths, shown: isNarrow && measured ? fittingTabs(measured, chosen) : undefined };
}

interface WidthsProps {
  readonly ref: RefObject<HTMLDivElement | null>;
  readonly tabs: readonly ViewTab[];
  readonly chosen: number;
}

/**
 * All tabs once more, out of sight and without a text that a reader or a search could find, so that those can be measured that are not
 * shown.
 */
function Widths({ ref, tabs, chosen }: WidthsProps): ReactElement {
  return (
    <div aria-hidden className={css.widths}>
      <div ref={ref} className={css.measured}>
        {tabs.map(({ id, title, n, isSaved }, at) => (
          <span
            key={id}
            className={cx(css.tab, isSaved && css.saved)}
            data-active={at === chosen || undefined}
            data-text={n > 0 ? `${title} ${count(n)}` : title}
          />
        ))}
      </div>
    </div>
  );
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
