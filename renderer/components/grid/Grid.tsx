/**
 * The grid of the console: roles, counts, keyboard row, fixed heads, and rows that are drawn only when
 * visible.
 */
import { ArrowDown, ArrowUp } from 'lucide-react';
import type { ComponentPropsWithRef, MouseEvent, ReactElement, ReactNode } from 'react';
import { Button } from '../Button.tsx';
import { cx } from '../class-names.ts';
import css from './Grid.module.css';
import type { GridItem, GridRows } from './rows.ts';

export interface GridProps extends Omit<ComponentPropsWithRef<'div'>, 'children' | 'role'> {
  readonly label: string;
  /** True: lines can be opened and closed. */
  readonly isTree?: boolean;
  /** True: the list that the screen is about, which has the keys while nothing in particular has the focus. */
  readonly isMain?: boolean;
  /** Number of all rows, drawn or not, without heads. */
  readonly count: number;
  readonly rows: GridRows;
  readonly head?: ReactNode;
  /** Index of the keyboard row. */
  readonly at?: number | undefined;
  /** Element id of the keyboard row. */
  readonly atId?: string | undefined;
  /** True: the grid fills its parent; otherwise it is as high as its rows, up to the limit of `className`. */
  readonly fills?: boolean;
  /** Keys of commands that work here; see keys/use-keys.ts. */
  readonly 'data-keys'?: string;
  readonly frameClass?: string | undefined;
  readonly line: (item: GridItem) => ReactNode;
  /** Button to the newest rows, shown while the last one is not visible. */
  readonly newest?:
    | {
        readonly title: string;
        readonly run: () => void;
        /** True: another button of the screen is the emphasised one. */
        readonly isQuiet?: boolean;
        /** True: the newest row is on the first line. */
        readonly isAbove?: boolean;
      }
    | undefined;
  /** Invisible content beside the rows. */
  readonly after?: ReactNode;
}

/** The grid. Its columns are `--columns`, a `grid-template-columns` that `style` or `className` sets. */
export function Grid(props: GridProps): ReactElement {
  const {
    label,
    isTree,
    isMain,
    count,
    rows,
    head,
    at,
    atId,
    fills,
    frameClass,
    line,
    newest,
    after,
    ...rest
  } = props;
  const { items, heightPx, isAtEnd } = rows;
  // A row that is not drawn has no element to refer to.
  const isDrawn = at !== undefined && items.some(({ index }) => index === at);
  return (
    <div className={cx(css.frame, fills === true && css.fills, frameClass)}>
      <div
        tabIndex={0}
        {...rest}
        role={isTree === true ? 'treegrid' : 'grid'}
        aria-label={label}
        data-main-list={isMain === true ? '' : undefined}
        aria-rowcount={count}
        aria-activedescendant={isDrawn ? atId : undefined}
        className={cx(css.grid, heightPx === undefined && css.flow, rest.className)}
      >
        {head}
        <div
          role="rowgroup"
          className={css.rows}
          style={heightPx === undefined ? undefined : { blockSize: heightPx }}
        >
          {items.map((item) => line(item))}
        </div>
      </div>
      {newest !== undefined && !isAtEnd && <NewestButton {...newest} />}
      {after}
    </div>
  );
}

/** Button in its own strip below the rows, so that it covers none. */
function NewestButton({ title, run, isQuiet, isAbove }: NonNullable<GridProps['newest']>): ReactElement {
  return (
    <Button
      icon={isAbove === true ? ArrowUp : ArrowDown}
      kind={isQuiet === true ? 'plain' : 'primary'}
      className={css.newest}
      onClick={(event) => {
        run();
        // The button disappears, so the grid gets the focus for the next keys.
        event.currentTarget.parentElement?.querySelector<HTMLElement>('[role$="grid"]')?.focus();
      }}
    >
      {title}
    </Button>
  );
}

export interface GridColumn {
  readonly id: string;
  readonly title: ReactNode;
  /** True: only screen readers get the title. */
  readonly isHidden?: boolean;
  readonly align?: 'end';
}

export interface GridHeadProps extends Omit<ComponentPropsWithRef<'div'>, 'role'> {
  /** Plain heads. */
  readonly columns?: readonly GridColumn[];
  /** Further heads. */
  readonly children?: ReactNode;
}

/** The heads, which stay while the rows scroll. */
export function GridHead({ columns = [], children, ...rest }: GridHeadProps): ReactElement {
  return (
    <div role="rowgroup" className={css.head}>
      <div {...rest} role="row" className={css.headRow}>
        {columns.map(({ id, title, isHidden, align }) => (
          <span key={id} role="columnheader" className={align === 'end' ? css.number : undefined}>
            {isHidden === true ? <span className="visually-hidden">{title}</span> : title}
          </span>
        ))}
        {children}
      </div>
    </div>
  );
}

export interface GridRowProps extends Omit<ComponentPropsWithRef<'div'>, 'role'> {
  readonly index: number;
  readonly top: number | undefined;
  readonly isCurrent?: boolean;
  /**
   * Whether the row is selected; absent: if it is the keyboard row; `none`: rows of this grid cannot be
   * selected.
   */
  readonly isSelected?: boolean | 'none';
}

/** One row; its children are the cells, with the role `gridcell`. */
export function GridRow(props: GridRowProps): ReactElement {
  const { index, top, isCurrent = false, isSelected = isCurrent, className, ...rest } = props;
  return (
    <div
      {...rest}
      role="row"
      data-index={index}
      aria-rowindex={index + 1}
      aria-selected={isSelected === 'none' ? undefined : isSelected}
      className={cx(css.row, top !== undefined && css.placed, isCurrent && css.current, className)}
      style={top === undefined ? undefined : { transform: `translateY(${top}px)` }}
    />
  );
}

/** Index of the clicked row; undefined: the click was beside the rows. */
export function rowAt({ target }: MouseEvent): number | undefined {
  const row = target instanceof Element ? target.closest('[role="row"][data-index]') : null;
  return row === null ? undefined : Number(row.getAttribute('data-index'));
}
