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

  function move(key: string, wide: boolean): boolean {
    switch (key) {
      case 'ArrowDown':
        go(at.row + 1, at.column);
        return true;
      case 'ArrowUp':
        go(at.row - 1, at.column);
        return true;
      case 'ArrowRight':
        go(at.row, at.column + 1);
        return true;
      case 'ArrowLeft':
        go(at.row, at.column - 1);
        return true;
      case 'PageDown':
        go(at.row + PAGE, at.column);
        return true;
      case 'PageUp':
        go(at.row - PAGE, at.column);
        return true;
      case 'Home':
        go(wide ? 0 : at.row, wide ? at.column : 0);
        return true;
      case 'End':
        go(wide ? rows - 1 : at.row, wide ? at.column : columns - 1);
        return true;
      default:
        return false;
    }
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
    if (isField && isEditing.current) {
      if (!whileEditing(event)) return;
    } else if (isField && (key === 'F2' || key === 'Enter')) {
      if (onEdit?.(at) !== true) {
        isEditing.current = true;
        target.setSelectionRange(target.value.length, target.value.length);
      }
    } else if (!move(key, ctrlKey || metaKey)) {
      // A character typed over the chosen cell begins to edit it.
      if (isField && key.length === 1) isEditing.current = true;
      // Enter on a check box would send the form.
      if (key === 'Enter' && target instanceof HTMLInputElement) event.preventDefault();
      return;
    }
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
