/** Menus: a button that opens one, and the items in it. */
import { Menu } from '@base-ui/react/menu';
import { ChevronDown, ChevronRight, type LucideIcon } from 'lucide-react';
import { useId, type ReactElement, type ReactNode } from 'react';
import { Button, type ButtonProps } from './Button.tsx';
import css from './ChoiceMenu.module.css';
import { Keys } from './Keys.tsx';

export interface MenuEntry {
  readonly id: string;
  readonly title: string;
  readonly icon?: LucideIcon;
  readonly run?: () => void;
  /** Why the item is disabled. */
  readonly off?: string | undefined;
  readonly keys?: readonly string[] | undefined;
  readonly note?: ReactNode;
  readonly entries?: readonly MenuEntry[];
}

export interface MenuGroup {
  readonly title?: string;
  readonly entries: readonly MenuEntry[];
}

export interface ChoiceMenuProps {
  /** Visible text; absent: only the icon, with the name `label`. */
  readonly title?: string;
  readonly icon?: LucideIcon;
  readonly kind?: ButtonProps['kind'];
  /** A function is called when the menu opens: most menus are never opened. */
  readonly groups: readonly MenuGroup[] | (() => readonly MenuGroup[]);
  readonly label?: string;
}

/** A button with a menu. */
export function ChoiceMenu({ title = '', icon, kind, groups, label }: ChoiceMenuProps): ReactElement {
  return (
    <Menu.Root>
      <Menu.Trigger
        render={
          <Button icon={icon} kind={kind} aria-label={label} hint={title === '' ? label : undefined}>
            {title} <ChevronDown aria-hidden size={12} className={css.caret} />
          </Button>
        }
      />
      <Menu.Portal>
        <Menu.Positioner sideOffset={4} align="start" className={css.positioner}>
          <Menu.Popup className={css.popup}>
            {typeof groups === 'function' ? <MadeGroups make={groups} /> : <MenuGroups groups={groups} />}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

function MadeGroups({ make }: { readonly make: () => readonly MenuGroup[] }): ReactElement {
  return <MenuGroups groups={make()} />;
}

/** The groups of a menu, for menus and context menus. */
export function MenuGroups({ groups }: { readonly groups: readonly MenuGroup[] }): ReactElement {
  const shared = sharedReason(groups);
  const id = useId();
  return (
    <>
      {shared !== undefined && (
        <div id={id} className={css.shared}>
          {shared}
        </div>
      )}
      {groups.map((group, index) => (
        <Menu.Group key={group.title ?? `group ${index}`} className={css.group}>
          {group.title !== undefined && (
            <Menu.GroupLabel className={css.groupTitle}>{group.title}</Menu.GroupLabel>
          )}
          {group.entries.map((entry) => (
            <MenuItem
              key={entry.id}
              entry={entry}
              saidBy={shared !== undefined && entry.off === shared ? id : undefined}
            />
          ))}
        </Menu.Group>
      ))}
    </>
  );
}

/** The reason for which several entries of a menu are disabled; undefined: no two have the same one. */
export function sharedReason(groups: readonly MenuGroup[]): string | undefined {
  const reasons = groups.flatMap(({ entries }) => entries.flatMap(({ off }) => off ?? []));
  return reasons.find((reason, at) => reasons.indexOf(reason) !== at);
}

/** The reason without the title, which stands above it: "Drop: this delivery is dropped already." becomes "This delivery is dropped already." */
export function reasonOf(title: string, off: string): string {
  const reason = off.startsWith(`${title}: `) ? off.slice(title.length + 2) : off;
  return reason.charAt(0).toUpperCase() + reason.slice(1);
}

interface MenuItemProps {
  readonly entry: MenuEntry;
  /** Id of the element above that has the entry's reason. */
  readonly saidBy?: string | undefined;
}

function MenuItem({ entry, saidBy }: MenuItemProps): ReactElement {
  const { title, icon: Icon, run, off, keys, note, entries } = entry;
  if (entries !== undefined) {
    return (
      <Menu.SubmenuRoot>
        <Menu.SubmenuTrigger className={css.item}>
          <span className={css.title}>{title}</span>
          <ChevronRight aria-hidden size={12} />
        </Menu.SubmenuTrigger>
        <Menu.Portal>
          <Menu.Positioner sideOffset={2} className={css.positioner}>
            <Menu.Popup className={css.popup}>
              <MenuGroups groups={[{ entries }]} />
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.SubmenuRoot>
    );
  }
  return (
    <Menu.Item
      className={css.item}
      disabled={off !== undefined}
      aria-describedby={saidBy}
      {...(run === undefined ? {} : { onClick: run })}
    >
      {Icon !== undefined && <Icon aria-hidden size={14} />}
      <span className={css.title}>
        {title}
        {off !== undefined && saidBy === undefined && <span className={css.why}>{reasonOf(title, off)}</span>}
      </span>
      {note}
      {keys !== undefined && <Keys keys={keys} />}
    </Menu.Item>
  );
}
