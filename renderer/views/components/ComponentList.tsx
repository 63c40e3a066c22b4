/** The list of components, from which one is chosen by a click or by the arrow keys. */
import { CircleAlert, CircleCheck, CircleDashed, CircleSlash, Unplug, type LucideIcon } from 'lucide-react';
import { useId, type KeyboardEvent, type ReactElement } from 'react';
import type { ComponentRow } from '../../../core/contract/subscription.ts';
import { COMPONENTS } from '../../copy/topics.ts';
import { shownStanding, unusedBecause, type Shown } from '../../format/component.ts';
import css from './Components.module.css';
import { nameOf } from './component-words.ts';

const ICONS: Readonly<Record<Shown, LucideIcon>> = {
  ready: CircleCheck,
  initialising: CircleDashed,
  failed: CircleAlert,
  lost: Unplug,
  unused: CircleSlash,
};

function insteadOf({ insteadOf: type, state }: ComponentRow): string | undefined {
  return type === undefined || state !== 'ready' ? undefined : COMPONENTS.inMemory;
}

export interface ComponentListProps {
  readonly items: readonly ComponentRow[];
  /** Components that match the search. */
  readonly shown: readonly ComponentRow[];
  readonly chosen: ComponentRow | undefined;
  /** Apps of Sidelight; undefined: they are not known yet. */
  readonly appIds: readonly string[] | undefined;
  readonly onChoose: (item: ComponentRow) => void;
}

/** A list box: it has one stop for Tab; the arrows, Home and End choose. */
export function ComponentList({ items, shown, chosen, appIds, onChoose }: ComponentListProps): ReactElement {
  const id = useId();
  const currentIndex = chosen === undefined ? -1 : shown.indexOf(chosen);
  const optionId = (index: number): string => `${id}-${index}`;

  function onKeyDown(event: KeyboardEvent): void {
    const last = shown.length - 1;
    const steps: Readonly<Record<string, number>> = {
      ArrowUp: Math.max(0, currentIndex - 1),
      ArrowDown: Math.min(last, currentIndex + 1),
      Home: 0,
      End: last,
    };
    const to = steps[event.key];
    const item = to === undefined ? undefined : shown[to];
    if (to === undefined || item === undefined) return;
    event.preventDefault();
    onChoose(item);
    document.getElementById(optionId(to))?.scrollIntoView({ block: 'nearest' });
  }

  return (
    <div
      role="listbox"
      tabIndex={0}
      aria-label={COMPONENTS.list}
      aria-activedescendant={currentIndex < 0 ? undefined : optionId(currentIndex)}
      className={css.list}
      onKeyDown={onKeyDown}
    >
      {shown.map((item, index) => {
        const standing = shownStanding(item, appIds);
        const why = standing === 'unused' ? unusedBecause(item, appIds) : undefined;
        const Icon = ICONS[standing];
        const name = nameOf(item, items);
        return (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- keys belong to the list box
          <div
            key={`${name} ${item.file ?? ''} ${item.document ?? ''}`}
            id={optionId(index)}
            role="option"
            aria-selected={index === currentIndex}
            tabIndex={-1}
            className={css.item}
            onClick={() => onChoose(item)}
          >
            <Icon aria-hidden size={14} className={css.icon} data-state={standing} />
            <bdi className={css.name}>{name}</bdi>
            <code className={css.type} title={insteadOf(item)}>
              {item.insteadOf ?? item.type}
            </code>
            <span className={css.state} data-state={standing} title={why}>
              {(standing === 'unused' ? undefined : insteadOf(item)) ?? COMPONENTS.states[standing]}
              {item.problems.length > 0 && ` ${item.problems.length}`}
            </span>
          </div>
        );
      })}
    </div>
  );
}
