/**
 * The column heads of the list. Each has a menu (width, position, sorting), can be dragged to another
 * position, and resized by its edge.
 */
import { Menu } from '@base-ui/react/menu';
import { ArrowDown, ArrowUp } from 'lucide-react';
import {
  memo,
  useRef,
  useState,
  type DragEvent,
  type KeyboardEvent,
  type PointerEvent,
  type ReactElement,
} from 'react';
import { MenuGroups } from '../../components/ChoiceMenu.tsx';
import { Hint } from '../../components/Hint.tsx';
import menu from '../../components/ChoiceMenu.module.css';
import { cx } from '../../components/class-names.ts';
import { GridHead, type GridColumn } from '../../components/grid/Grid.tsx';
import { COLUMN_CHOICE } from '../../copy/columns.ts';
import { COLUMNS, TOOK } from '../../copy/messages.ts';
import { fill } from '../../copy/fill.ts';
import type { Column } from '../../format/columns.ts';
import { moveColumn, setColumnWidth } from '../../state/columns.ts';
import { useConsole } from '../../state/context.ts';
import { useMembers, useSelected } from '../../state/store.ts';
import { columnMenu, turnList } from './column-menu.ts';
import css from './MessageList.module.css';
import { useGroupBy } from './use-group-by.ts';

export interface HeadRowProps {
  readonly columns: readonly Column[];
  readonly canSelect: boolean;
}

const GRID_KEYS = new Set([
  'ArrowUp',
  'ArrowDown',
  'ArrowLeft',
  'ArrowRight',
  'PageUp',
  'PageDown',
  'Home',
  'End',
  'Enter',
  'Escape',
  ' ',
  'x',
  '*',
]);

/** Columns with a fixed position: the unread mark and the check box. */
const MARKS: readonly GridColumn[] = [
  { id: 'unread', title: COLUMNS.unread, isHidden: true },
  { id: 'select', title: COLUMNS.select, isHidden: true },
];

/** Data type of a dragged column, which distinguishes it from other dragged texts. */
const DRAGGED = 'application/x-sidelight-column';

/**
 * One row of column heads, which stays while the rows scroll. One of them takes the Tab key, arrows go to the
 * others.
 */
export const HeadRow = memo(function HeadRow({ columns, canSelect }: HeadRowProps): ReactElement {
  const [at, setAt] = useState(0);

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>): void {
    // The grid's own keys do not apply to heads; keys of commands do.
    if (GRID_KEYS.has(event.key)) event.stopPropagation();
    const steps: Readonly<Record<string, number>> = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0 };
    const to = event.key === 'End' ? columns.length - 1 : steps[event.key];
    const buttons = event.currentTarget.querySelectorAll<HTMLElement>('[data-head]');
    const next = to === undefined ? undefined : buttons[to];
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
  }

  return (
    <GridHead columns={canSelect ? MARKS : MARKS.slice(0, 1)} onKeyDown={onKeyDown}>
      {columns.map((column, index) => (
        <Head
          key={column.id}
          column={column}
          drawn={columns}
          takesTab={index === Math.min(at, columns.length - 1)}
          onFocus={() => setAt(index)}
        />
      ))}
    </GridHead>
  );
});

/** What the head of a column says; Last call has two lengths of time in each cell. */
function headHint({ id, title }: Column, canSort: boolean): string {
  const hint = fill(canSort ? COLUMN_CHOICE.sortHint : COLUMN_CHOICE.menuHint, { column: title });
  return id === 'duration' ? `${TOOK.head}\n${hint}` : hint;
}

interface HeadProps {
  readonly column: Column;
  /** Every column of the list, in order. */
  readonly drawn: readonly Column[];
  readonly takesTab: boolean;
  readonly onFocus: () => void;
}

function Head({ column, drawn, takesTab, onFocus }: HeadProps): ReactElement {
  const console = useConsole();
  const { id, align } = column;
  const { sort, groupBy } = useMembers(console.messages.store, 'sort', 'groupBy');
  const [isTarget, setIsTarget] = useState(false);
  const [isOpen, setIsOpen] = useState(false);
  const newestFirst = useSelected(console.ui, (state) => state.newestFirst);
  const isOfTime = id === 'time' || id === 'number';
  const live = isOfTime ? (newestFirst ? 'descending' : 'ascending') : undefined;
  const sorted = sort === undefined ? (groupBy === '' ? live : undefined) : undefined;
  const direction = sort?.by === id ? (sort.isDown ? 'descending' : 'ascending') : sorted;
  const Arrow = direction === 'descending' ? ArrowDown : ArrowUp;
  // Repeats that share lines by themselves do not keep a person from sorting.
  const { isByItself } = useGroupBy();
  const groups = isByItself && !isOfTime ? '' : groupBy;
  const canSort = groups === '' && column.isUnsorted !== true;
  const hint = headHint(column, canSort);

  /**
   * Sorts by the column: first descending, then ascending, then back to the live order. For the time column
   * the live order is reversed instead, so the list goes on.
   */
  function sortOrOpen(): void {
    if (!canSort) setIsOpen(true);
    else if (isOfTime) turnList(console, sort === undefined ? !newestFirst : newestFirst);
    else if (sort?.by !== id) void console.messages.setSort({ by: id, isDown: true });
    else void console.messages.setSort(sort.isDown ? { by: id, isDown: false } : undefined);
  }

  function onDrop(event: DragEvent): void {
    setIsTarget(false);
    const dragged = event.dataTransfer.getData(DRAGGED);
    if (dragged === '') return;
    event.preventDefault();
    moveColumn(console.ui, dragged, id);
  }

  return (
    <span
      role="columnheader"
      aria-sort={direction}
      className={cx(css.headCell, align === 'end' && css.number, isTarget && css.dropHere)}
    >
      <Menu.Root
        open={isOpen}
        onOpenChange={(next, { event }) => {
          // A click sorts, or starts dragging; the arrow key opens the menu.
          const isArrow = event instanceof globalThis.KeyboardEvent && event.key.startsWith('Arrow');
          if (!next || isArrow) setIsOpen(next);
        }}
      >
        <Hint text={hint}>
          <Menu.Trigger
            data-head
            tabIndex={takesTab ? 0 : -1}
            draggable
            className={css.headButton}
            aria-description={hint}
            onFocus={onFocus}
            onClick={sortOrOpen}
            onContextMenu={(event) => {
              // The head has its own menu.
              event.preventDefault();
              event.stopPropagation();
              setIsOpen(true);
            }}
            onDragStart={(event) => event.dataTransfer.setData(DRAGGED, id)}
            onDragOver={(event) => {
              if (!event.dataTransfer.types.includes(DRAGGED)) return;
              event.preventDefault();
              setIsTarget(true);
            }}
            onDragLeave={() => setIsTarget(false)}
            onDrop={onDrop}
          >
            <HeadTitle column={column} />
            {(sort?.by === id || (id === 'time' && sorted === 'descending')) && (
              <Arrow aria-hidden size={11} className={css.sorted} />
            )}
          </Menu.Trigger>
        </Hint>
        <HeadMenu column={column} drawn={drawn} groupBy={groups} />
      </Menu.Root>
      <Grip id={id} />
    </span>
  );
}

function HeadTitle({ column: { id, title } }: Pick<HeadProps, 'column'>): ReactElement {
  if (id !== 'attempts') return <span className={css.headText}>{title}</span>;
  return <abbr title={COLUMNS.attempts}>{COLUMNS.attemptsShort}</abbr>;
}

interface HeadMenuProps extends Pick<HeadProps, 'column' | 'drawn'> {
  /** Grouping that keeps the column from being sorted; "": it can be sorted. */
  readonly groupBy: string;
}

/** Menu for width, position and sorting of one column. */
function HeadMenu({ column, drawn, groupBy }: HeadMenuProps): ReactElement {
  const console = useConsole();
  const sort = useSelected(console.messages.store, (state) => state.sort);
  return (
    <Menu.Portal>
      <Menu.Positioner sideOffset={2} align="start" className={menu.positioner}>
        <Menu.Popup className={menu.popup} aria-label={fill(COLUMN_CHOICE.menu, { column: column.title })}>
          <MenuGroups
            groups={columnMenu(
              console,
              column,
              drawn.map((each) => each.id),
              { sort, groupBy },
            )}
          />
        </Menu.Popup>
      </Menu.Positioner>
    </Menu.Portal>
  );
}

/** The edge of a column, which resizes it. */
function Grip({ id }: { readonly id: string }): ReactElement {
  const { ui } = useConsole();
  const from = useRef<{ readonly x: number; readonly width: number }>(undefined);

  function move(event: PointerEvent<HTMLSpanElement>): void {
    if (from.current === undefined) return;
    setColumnWidth(ui, id, from.current.width + event.clientX - from.current.x);
  }

  return (
    <span
      aria-hidden
      title={COLUMN_CHOICE.resize}
      className={css.grip}
      onPointerDown={(event) => {
        const { parentElement } = event.currentTarget;
        if (parentElement === null) return;
        from.current = { x: event.clientX, width: parentElement.getBoundingClientRect().width };
        event.currentTarget.setPointerCapture(event.pointerId);
        event.preventDefault();
      }}
      onPointerMove={move}
      // The end of a press, or of one that the browser took over for scrolling.
      onLostPointerCapture={() => {
        from.current = undefined;
      }}
    />
  );
}
