/** A plain table with column heads; a wide one scrolls inside its own frame. */
import { ArrowDown, ArrowUp } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { cx } from './class-names.ts';
import { useIsNarrow } from './use-narrow.ts';
import css from './DataTable.module.css';

export interface TableRow {
  readonly id: string;
  readonly cells: readonly ReactNode[];
  readonly isBad?: boolean | undefined;
  readonly isChosen?: boolean | undefined;
  /** Content below this row, over the whole width. */
  readonly below?: ReactNode;
}

/** Columns by which a person may sort, and the present one. */
export interface TableSort {
  /** Indexes of these columns, from 0. */
  readonly columns: readonly number[];
  readonly by: number | undefined;
  readonly isDown: boolean;
  readonly onSort: (column: number) => void;
}

export interface DataTableProps {
  readonly label: string;
  readonly columns: readonly ReactNode[];
  readonly rows: readonly TableRow[];
  /** Indexes of columns with numbers, from 0. */
  readonly numeric?: readonly number[];
  /** Indexes of columns whose cells never break, from 0. */
  readonly whole?: readonly number[];
  /** Indexes of columns that are shown under their row in a narrow window, from 0. */
  readonly folded?: readonly number[];
  readonly dense?: boolean;
  readonly sort?: TableSort | undefined;
}

/** Column heads and rows of ready-made cells. */
export function DataTable({
  label,
  columns,
  rows,
  numeric = [],
  whole = [],
  folded = [],
  dense,
  sort,
}: DataTableProps): ReactElement {
  const isNarrow = useIsNarrow();
  const isFolded = (index: number): boolean => isNarrow && folded.includes(index);
  const wide = columns.filter((_column, index) => !isFolded(index)).length;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolled region must take the focus
    <div className={css.frame} tabIndex={0} role="group" aria-label={label}>
      <table className={cx(css.table, dense === true && css.dense)} aria-label={label}>
        <thead>
          <tr>
            {columns.map((column, index) =>
              isFolded(index) ? null : (
                // oxlint-disable-next-line react/no-array-index-key -- columns never move
                <Head key={index} index={index} isNumber={numeric.includes(index)} sort={sort}>
                  {column}
                </Head>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => [
            <tr
              key={row.id}
              className={cx(row.isBad === true && css.bad, row.isChosen === true && css.chosen)}
              aria-current={row.isChosen === true ? 'true' : undefined}
            >
              {row.cells.map((cell, index) =>
                isFolded(index) ? null : (
                  // oxlint-disable-next-line react/no-array-index-key -- cells never move
                  <td
                    key={index}
                    className={cx(numeric.includes(index) && css.number, whole.includes(index) && css.whole)}
                  >
                    {cell}
                  </td>
                ),
              )}
            </tr>,
            wide === columns.length ? null : (
              <tr key={`${row.id} folded`} className={css.below}>
                <td colSpan={wide}>
                  <dl className={css.folded}>
                    {row.cells.map((cell, index) =>
                      !isFolded(index) || cell === '' ? null : (
                        // oxlint-disable-next-line react/no-array-index-key -- cells never move
                        <div key={index}>
                          <dt>{columns[index]}</dt>
                          <dd>{cell}</dd>
                        </div>
                      ),
                    )}
                  </dl>
                </td>
              </tr>
            ),
            row.below === undefined || row.below === null ? null : (
              <tr key={`${row.id} below`} className={css.below}>
                <td colSpan={wide}>{row.below}</td>
              </tr>
            ),
          ])}
        </tbody>
      </table>
    </div>
  );
}

interface HeadProps {
  readonly index: number;
  readonly isNumber: boolean;
  readonly sort: TableSort | undefined;
  readonly children: ReactNode;
}

/** The head of a column; a button with an arrow where a person may sort by it. */
function Head({ index, isNumber, sort, children }: HeadProps): ReactElement {
  const isBy = sort?.by === index;
  const Arrow = sort?.isDown === true ? ArrowDown : ArrowUp;
  return (
    <th
      scope="col"
      className={isNumber ? css.number : undefined}
      aria-sort={isBy ? (sort.isDown ? 'descending' : 'ascending') : undefined}
    >
      {sort?.columns.includes(index) === true ? (
        <button type="button" className={css.sort} onClick={() => sort.onSort(index)}>
          {children}
          {isBy && <Arrow aria-hidden size={12} />}
        </button>
      ) : (
        children
      )}
    </th>
  );
}
