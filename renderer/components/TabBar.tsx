/** Tabs over panels. */
import { Tabs } from '@base-ui/react/tabs';
import { useState, type ReactElement, type ReactNode } from 'react';
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

/** Value that the panel of each opened tab was kept for. */
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

/** A row of tabs and the chosen panel. Of the other panels only those are made that are kept. */
export function TabBar({ label, tabs, value, onChange, end, fills = true }: TabBarProps): ReactElement {
  const opened = useOpened(tabs, value);
  const isKept = ({ id, keptFor }: TabDefinition): boolean => keptFor !== undefined && opened[id] === keptFor;
  return (
    <Tabs.Root
      className={cx(css.root, fills && css.fills)}
      value={value}
      onValueChange={(next) => {
        if (typeof next === 'string') onChange(next);
      }}
    >
      <div className={css.bar}>
        <Tabs.List className={css.list} aria-label={label} activateOnFocus>
          {tabs.map((tab) => (
            <Tabs.Tab key={tab.id} value={tab.id} className={css.tab}>
              {tab.title}
              {tab.amount !== undefined && <span className={css.amount}> {tab.amount}</span>}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {end}
      </div>
      {tabs.map((tab) => (
        <Tabs.Panel
          key={tab.id}
          value={tab.id}
          className={css.panel}
          keepMounted={isKept(tab)}
          // A kept panel would otherwise stay in sight beside the next one until its animations have ended.
          hidden={tab.id !== value}
        >
          {(tab.id === value || isKept(tab)) && tab.panel()}
        </Tabs.Panel>
      ))}
    </Tabs.Root>
  );
}
