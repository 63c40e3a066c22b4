/**
 * Tabs over panels. They are drawn anew with each message that is opened, so nothing is measured while they are: reading the place of a tab
 * lays the whole page out in the middle of the click.
 */
import {
  useEffect,
  useId,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  type RefObject,
} from 'react';
import { cx } from './class-names.ts';
import css from './TabBar.module.css';

export interface TabDefinition {
  readonly id: string;
  readonly title: string;
  /** A count after the title, which is part of the name. */
  readonly amount?: number | undefined;
  readonly panel: () => ReactNode;
  /**
   * The panel stays, hidden, behind other tabs once it was opened, for as long as this text stays the same: for panels whose content is
   * dear to make, or has a state that a person expects to find again. Absent: it is made each time.
   */
  readonly keptFor?: string | undefined;
}

export interface TabBarProps {
  readonly label: string;
  readonly tabs: readonly TabDefinition[];
  readonly value: string;
  readonly onChange: (id: string) => void;
  /** Content at the end of the tab row. */
  readonly end?: ReactNode;
  /** True: the panel fills the height and scrolls by itself. */
  readonly fills?: boolean;
}

/** For each tab that was opened what its panel was kept for. */
type Opened = Readonly<Record<string, string>>;

/** The tabs that were opened, with the present one. */
function useOpened(tabs: readonly TabDefinition[], value: string): Opened {
  const [opened, setOpened] = useState<Opened>({});
  const keptFor = tabs.find(({ id }) => id === value)?.keptFor;
  if (keptFor === undefined || opened[value] === keptFor) return opened;
  const next = { ...opened, [value]: keptFor };
  setOpened(next);
  return next;
}

/** Brings the chosen tab into sight where the row of tabs is narrow. The first tab of a new row is in sight. */
function useInSight(list: RefObject<HTMLDivElement | null>, at: number): void {
  const shown = useRef(0);
  useEffect(() => {
    if (at === shown.current) return;
    shown.current = at;
    list.current?.children[at]?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [list, at]);
}

/** Place of the tab to which a key leads, round and round; undefined: the key is none of tabs. */
export function tabAfter(key: string, at: number, count: number): number | undefined {
  const steps: Readonly<Record<string, number>> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 };
  const to = steps[key];
  return to === undefined ? undefined : (to + count) % count;
}

/** A row of tabs and the chosen panel. Of the other panels only those are made that are kept. */
export function TabBar({ label, tabs, value, onChange, end, fills = true }: TabBarProps): ReactElement {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const opened = useOpened(tabs, value);
  const at = tabs.findIndex((tab) => tab.id === value);
  useInSight(list, at);
  const isKept = (tab: TabDefinition): boolean => tab.keptFor !== undefined && opened[tab.id] === tab.keptFor;
  const drawn = tabs.filter((tab) => tab.id === value || isKept(tab));

  function onKeyDown(event: KeyboardEvent): void {
    const { key, altKey, ctrlKey, metaKey, shiftKey } = event;
    const to = altKey || ctrlKey || metaKey || shiftKey ? undefined : tabAfter(key, at, tabs.length);
    const next = to === undefined ? undefined : tabs[to];
    const button = to === undefined ? undefined : list.current?.children[to];
    if (next === undefined || !(button instanceof HTMLElement)) return;
    event.preventDefault();
    button.focus();
    onChange(next.id);
  }

  return (
    <div className={cx(css.root, fills && css.fills)}>
      <div className={css.bar}>
        {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- its tabs take the focus */}
        <div ref={list} role="tablist" aria-label={label} className={css.list} onKeyDown={onKeyDown}>
          {tabs.map((tab) => {
            const isActive = tab.id === value;
            return (
              <button
                key={tab.id}
                type="button"
                role="tab"
                id={`${id}-tab-${tab.id}`}
                tabIndex={isActive ? 0 : -1}
                aria-selected={isActive}
                aria-controls={drawn.includes(tab) ? `${id}-panel-${tab.id}` : undefined}
                data-active={isActive || undefined}
                className={css.tab}
                onClick={() => onChange(tab.id)}
              >
                {tab.title}
                {tab.amount !== undefined && <span className={css.amount}> {tab.amount}</span>}
              </button>
            );
          })}
        </div>
        {end}
      </div>
      {drawn.map((tab) => (
        <div
          key={tab.id}
          role="tabpanel"
          id={`${id}-panel-${tab.id}`}
          aria-labelledby={`${id}-tab-${tab.id}`}
          tabIndex={tab.id === value ? 0 : -1}
          hidden={tab.id !== value}
          className={css.panel}
        >
          {tab.panel()}
        </div>
      ))}
    </div>
  );
}
