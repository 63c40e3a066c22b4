/**
 * The keyboard of a grid whose cells are fields: arrows move between cells, F2 or Enter edits, Escape
 * cancels.
 */
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { stepOf } from './keys.ts';

export interface CellPosition {
  readonly row: number;
  readonly column: number;
}

export interface CellKeys {
  /** The cell that Tab reaches. */
  readonly at: CellPosition;
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
  /** Notes that a cell got the focus by mouse or Tab. */
  readonly onFocus: (to: CellPosition) => void;
}

export interface CellKeysOptions {
  readonly rows: number;
  readonly columns: number;
  /** Rows that Page Up and Page Down move by. */
  readonly page: number;
  /** Scrolls a row into view, so that its cells exist. */
  readonly reveal: (row: number) => void;
  readonly cell: (to: CellPosition) => HTMLElement | null;
  /** Called for Enter or F2 on a cell; true: it is edited elsewhere. */
  readonly onEdit?: (to: CellPosition) => boolean;
}

/**
 * The cell to which a key leads from `at`.
 * @param isWide Home and End go to the first and last row
 */
function cellAfter(
  key: string,
  isWide: boolean,
  { row, column }: CellPosition,
  { rows, columns, page }: Pick<CellKeysOptions, 'rows' | 'columns' | 'page'>,
): CellPosition | undefined {
  const sideways: Readonly<Record<string, number>> = {
    ArrowRight: column + 1,
    ArrowLeft: column - 1,
    ...(!isWide && { Home: 0, End: columns - 1 }),
  };
  const across = sideways[key];
  if (across !== undefined) return { row, column: Math.min(columns - 1, Math.max(0, across)) };
  const to = stepOf(key, { at: row, count: rows, page });
  return to === undefined ? undefined : { row: to, column };
}

/** State and handlers for one grid. */
export function useCellKeys(options: CellKeysOptions): CellKeys {
  const { rows, reveal, cell, onEdit } = options;
  const [at, setAt] = useState<CellPosition>({ row: 0, column: 1 });
  const wanted = useRef<CellPosition>(undefined);
  const isEditing = useRef(false);

  // The row may not be drawn yet.
  useEffect(() => {
    if (wanted.current === undefined) return;
    const found = cell(wanted.current);
    if (found === null) return;
    wanted.current = undefined;
    found.focus();
    if (found instanceof HTMLInputElement && found.type !== 'checkbox') found.select();
  });

  function go(to: CellPosition): void {
    isEditing.current = false;
    // A new object each time makes the effect run even for the same position.
    setAt({ ...to });
    reveal(to.row);
    wanted.current = to;
  }

  function whileEditing(event: KeyboardEvent<HTMLElement>): boolean {
    if (event.key === 'Escape') {
      isEditing.current = false;
      if (event.target instanceof HTMLInputElement) event.target.select();
      return true;
    }
    if (event.key !== 'Enter') return false;
    go({ row: Math.min(rows - 1, at.row + 1), column: at.column });
    return true;
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const { ctrlKey, key, metaKey, target } = event;
    if (event.altKey || ((ctrlKey || metaKey) && key !== 'Home' && key !== 'End')) return;
    const isField = target instanceof HTMLInputElement && target.type !== 'checkbox';
    const to = cellAfter(key, ctrlKey || metaKey, at, options);
    if (isField && isEditing.current) {
      if (!whileEditing(event)) return;
    } else if (isField && (key === 'F2' || key === 'Enter')) {
      if (onEdit?.(at) !== true) {
        isEditing.current = true;
        target.setSelectionRange(target.value.length, target.value.length);
      }
    } else if (to === undefined) {
      // A character typed on a selected cell starts editing.
      if (isField && key.length === 1) isEditing.current = true;
      // Enter on a check box would submit the form.
      if (key === 'Enter' && target instanceof HTMLInputElement) event.preventDefault();
      return;
    } else go(to);
    event.preventDefault();
    event.stopPropagation();
  }

  return {
    at,
    onKeyDown,
    onFocus(to) {
      if (to.row === at.row && to.column === at.column) return;
      isEditing.current = false;
      setAt(to);
    },
  };
}
