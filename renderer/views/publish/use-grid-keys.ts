/** The keyboard of a grid whose cells are fields: arrows go from cell to cell, F2 or Enter edits, Escape leaves as it was. */
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';

export interface CellPlace {
  readonly row: number;
  readonly column: number;
}

export interface GridKeys {
  /** The one cell that Tab comes to. */
  readonly at: CellPlace;
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
  /** A cell got the focus by mouse or Tab. */
  readonly onFocus: (place: CellPlace) => void;
}

export interface GridKeysOptions {
  readonly rows: number;
  readonly columns: number;
  /** Brings a row into sight, so that its cells exist. */
  readonly reveal: (row: number) => void;
  readonly cell: (place: CellPlace) => HTMLElement | null;
  /** Enter or F2 on a cell; true: it is edited elsewhere. */
  readonly onEdit?: (place: CellPlace) => boolean;
}

const PAGE = 10;

/** Where a key leads from `at`, perhaps beyond the grid. @param isWide Home and End go to the first and last row */
function placeAfter(
  key: string,
  isWide: boolean,
  { row, column }: CellPlace,
  { rows, columns }: Pick<GridKeysOptions, 'rows' | 'columns'>,
): CellPlace | undefined {
  const places: Readonly<Record<string, CellPlace>> = {
    ArrowDown: { row: row + 1, column },
    ArrowUp: { row: row - 1, column },
    ArrowRight: { row, column: column + 1 },
    ArrowLeft: { row, column: column - 1 },
    PageDown: { row: row + PAGE, column },
    PageUp: { row: row - PAGE, column },
    Home: isWide ? { row: 0, column } : { row, column: 0 },
    End: isWide ? { row: rows - 1, column } : { row, column: columns - 1 },
  };
  return places[key];
}

/** State and handlers for one grid. */
export function useGridKeys(parts: GridKeysOptions): GridKeys {
  const { rows, columns, reveal, cell, onEdit } = parts;
  const [at, setAt] = useState<CellPlace>({ row: 0, column: 1 });
  const wanted = useRef<CellPlace>(undefined);
  const isEditing = useRef(false);

  // The row may have to be drawn first.
  useEffect(() => {
    if (wanted.current === undefined) return;
    const found = cell(wanted.current);
    if (found === null) return;
    wanted.current = undefined;
    found.focus();
    if (found instanceof HTMLInputElement && found.type !== 'checkbox') found.select();
  });

  function go(row: number, column: number): void {
    const place = {
      row: Math.min(Math.max(row, 0), rows - 1),
      column: Math.min(Math.max(column, 0), columns - 1),
    };
    isEditing.current = false;
    // A new object each time: the effect runs also where the place is the same.
    setAt(place);
    reveal(place.row);
    wanted.current = place;
  }

  function whileEditing(event: KeyboardEvent<HTMLElement>): boolean {
    if (event.key === 'Escape') {
      isEditing.current = false;
      if (event.target instanceof HTMLInputElement) event.target.select();
      return true;
    }
    if (event.key !== 'Enter') return false;
    go(at.row + 1, at.column);
    return true;
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const { ctrlKey, key, metaKey, target } = event;
    if (event.altKey || ((ctrlKey || metaKey) && key !== 'Home' && key !== 'End')) return;
    const isField = target instanceof HTMLInputElement && target.type !== 'checkbox';
    const to = placeAfter(key, ctrlKey || metaKey, at, { rows, columns });
    if (isField && isEditing.current) {
      if (!whileEditing(event)) return;
    } else if (isField && (key === 'F2' || key === 'Enter')) {
      if (onEdit?.(at) !== true) {
        isEditing.current = true;
        target.setSelectionRange(target.value.length, target.value.length);
      }
    } else if (to === undefined) {
      // A character typed over the chosen cell begins to edit it.
      if (isField && key.length === 1) isEditing.current = true;
      // Enter on a check box would send the form.
      if (key === 'Enter' && target instanceof HTMLInputElement) event.preventDefault();
      return;
    } else go(to.row, to.column);
    event.preventDefault();
    event.stopPropagation();
  }

  return {
    at,
    onKeyDown,
    onFocus(place) {
      if (place.row === at.row && place.column === at.column) return;
      isEditing.current = false;
      setAt(place);
    },
  };
}
