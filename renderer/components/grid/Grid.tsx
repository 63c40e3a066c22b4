/** The one grid of the console: roles, counts, the row of the keyboard, heads that stay, and rows that are drawn where they are seen. */
import { ArrowDown } from 'lucide-react';
import type { ComponentPropsWithRef, MouseEvent, ReactElement, ReactNode } from 'react';
import { Button } from '../Button.tsx';
import { cx } from '../class-names.ts';
import css from './Grid.module.css';
import type { GridItem, GridRows } from './rows.ts';

export interface GridProps extends Omit<ComponentPropsWithRef<'div'>, 'children' | 'role'> {
  readonly label: string;
  /** Lines open and close. */
  readonly isTree?: boolean;
  /** All rows, drawn or not; heads do not count. */
  readonly count: number;
  readonly rows: GridRows;
  readonly head?: ReactNode;
  /** Row of the keyboard. */
  readonly at?: number | undefined;
  /** Element id of the row of the keyboard. */
  readonly atId?: string | undefined;
  /** Fills the element it stands in; otherwise it is as high as its rows, up to what `className` allows. */
  readonly fills?: boolean;
  /** Keys of commands that work here; see keys/use-keys.ts. */
  readonly 'data-keys'?: string;
  readonly frameClass?: string | undefined;
  readonly line: (item: GridItem) => ReactNode;
  /** A way to the newest rows, while the last one is out of sight. */
  readonly newest?: { readonly title: string; readonly run: () => void } | undefined;
  /** Stands beside the rows, unseen. */
  readonly after?: ReactNode;
}

/** Columns are `--columns`, a `grid-template-columns` that `style` or `className` sets. */
export function Grid(props: GridProps): ReactElement {
  const { label, isTree, count, rows, head, at, atId, fills, frameClass, line, newest, after, ...rest } =
    props;
  const { items, heightPx, isAtEnd } = rows;
  // A row that is not drawn cannot be pointed at.
  const isDrawn = at !== undefined && items.some(({ index }) => index === at);
  return (
    <div className={cx(css.frame, fills === true && css.fills, frameClass)}>
      <div
        tabIndex={0}
        {...rest}
        role={isTree === true ? 'treegrid' : 'grid'}
        aria-label={label}
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

/** Stands in a strip of its own below the rows, so that it covers none. */
function NewestButton({ title, run }: NonNullable<GridProps['newest']>): ReactElement {
  return (
    <Button
      icon={ArrowDown}
      kind="primary"
      className={css.newest}
      onClick={(event) => {
        run();
        // The button goes away, and the keys of the grid are wanted next.
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
  /** The title is for screen readers only. */
  readonly isHidden?: boolean;
  readonly align?: 'end';
}

export interface GridHeadProps extends Omit<ComponentPropsWithRef<'div'>, 'role'> {
  /** Heads without tools of their own. */
  readonly columns?: readonly GridColumn[];
  /** Heads that come after them. */
  readonly children?: ReactNode;
}

/** The heads: they stay while the rows scroll. */
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
  /** Whether the row is selected; absent: the row of the keyboard is; `none`: rows of this grid cannot be selected. */
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

/** The place of the row that was clicked; undefined: the click was beside the rows. */
export function rowAt({ target }: MouseEvent): number | undefined {
  const row = target instanceof Element ? target.closest('[role="row"][data-index]') : null;
  return row === null ? undefined : Number(row.getAttribute('data-index'));
}
