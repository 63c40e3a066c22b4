/** Tabs over panels. */
import { Tabs } from '@base-ui/react/tabs';
import type { ReactElement, ReactNode } from 'react';
import { cx } from './class-names.ts';
import css from './TabBar.module.css';

export interface TabDefinition {
  readonly id: string;
  readonly title: string;
  /** A count after the title, which is part of the name. */
  readonly amount?: number | undefined;
  readonly panel: () => ReactNode;
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

/** A row of tabs and the chosen panel; the other panels are not made. */
export function TabBar({ label, tabs, value, onChange, end, fills = true }: TabBarProps): ReactElement {
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
        <Tabs.Panel key={tab.id} value={tab.id} className={css.panel}>
          {tab.id === value && tab.panel()}
        </Tabs.Panel>
      ))}
    </Tabs.Root>
  );
}
