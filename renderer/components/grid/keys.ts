/** Keys of all grids: where they lead, and what they do in a tree. */
import type { KeyboardEvent } from 'react';

export interface Steps {
  /** Index of the keyboard row; undefined: none yet. */
  readonly at: number | undefined;
  readonly count: number;
  /** Rows that Page Up and Page Down move by. */
  readonly page: number;
  /** Row to which Arrow Down leads without a keyboard row; default: the last one. */
  readonly entry?: number;
}

/** The row to which a key leads; undefined: the key does not move, or there are no rows. */
export function stepOf(key: string, { at, count, page, entry = count - 1 }: Steps): number | undefined {
  const from = at ?? count;
  const steps: Readonly<Record<string, number>> = {
    ArrowUp: from - 1,
    ArrowDown: at === undefined ? entry : from + 1,
    PageUp: from - page,
    PageDown: from + page,
    Home: 0,
    End: count - 1,
  };
  const to = steps[key];
  return to === undefined || count === 0 ? undefined : Math.min(count - 1, Math.max(0, to));
}

/** Effect of Left and Right in a tree: open or close the line, or go to its first child or its parent. */
export type TreeMove = 'open' | 'close' | 'child' | 'parent';

/**
 * Effect of a key in a tree.
 * @param isOpen undefined: the line has no children
 */
export function treeMove(key: string, isOpen: boolean | undefined): TreeMove | undefined {
  if (key === 'ArrowRight' && isOpen !== undefined) return isOpen ? 'child' : 'open';
  if (key !== 'ArrowLeft') return undefined;
  return isOpen === true ? 'close' : isOpen === undefined ? 'parent' : undefined;
}

export interface RowKeys extends Steps {
  readonly go: (to: number, key: string) => void;
  /** Handles the grid's own keys; false: the key is not one of them. */
  readonly act?: (key: string) => boolean;
}

/**
 * Handles the keys of a grid that has the focus itself. Keys with Ctrl, Alt or Meta, and keys pressed inside
 * a row, are left to others.
 */
export function onRowKey(event: KeyboardEvent, { go, act, ...steps }: RowKeys): void {
  if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
  const to = stepOf(event.key, steps);
  if (to !== undefined) go(to, event.key);
  else if (act?.(event.key) !== true) return;
  event.preventDefault();
  event.stopPropagation();
}
