/** Saved columns of the message list: for each app its own order, widths and payload paths. */
import { ALL_COLUMNS, COLUMN_PX, DEFAULT_COLUMNS, isOwnColumn } from '../format/columns.ts';
import { csvColumnsOf } from '../format/csv-columns.ts';
import type { ColumnSet, UiState, UiStore } from './ui.ts';

/** Maximum number of own columns of a list. */
export const MAX_OWN = 5;

/** The columns of the chosen app; those of all apps if it has none of its own. */
export function columnsOf(state: UiState): ColumnSet {
  return state.columnsByApp[state.appId] ?? state;
}

/** The columns of an export as the list shows them. */
export function exportedColumns(state: UiState): ReturnType<typeof csvColumnsOf> {
  return csvColumnsOf(columnsOf(state).columns);
}

/** Saves columns for the chosen app. */
function setColumns(ui: UiStore, change: (now: ColumnSet) => Partial<ColumnSet>): void {
  ui.setState((state) => {
    const { columns, columnWidths } = columnsOf(state);
    const now = { columns, columnWidths };
    const next = { ...now, ...change(now) };
    return state.appId === ''
      ? { columns: next.columns, columnWidths: next.columnWidths }
      : { columnsByApp: { ...state.columnsByApp, [state.appId]: next } };
  });
}

/** Restores the default columns. */
export function resetColumns(ui: UiStore): void {
  setColumns(ui, () => ({ columns: DEFAULT_COLUMNS, columnWidths: {} }));
}

/** Sets a width in px within the bounds; undefined: the default. */
export function setColumnWidth(ui: UiStore, id: string, px: number | undefined): void {
  setColumns(ui, ({ columnWidths }) => {
    const { [id]: _before, ...rest } = columnWidths;
    if (px === undefined) return { columnWidths: rest };
    const width = Math.min(COLUMN_PX.most, Math.max(COLUMN_PX.least, Math.round(px)));
    return { columnWidths: { ...rest, [id]: width } };
  });
}

/** Moves a column before another one; undefined: to the end. */
export function moveColumn(ui: UiStore, id: string, before: string | undefined): void {
  if (id === before) return;
  setColumns(ui, ({ columns }) => {
    const next = columns.filter((each) => each !== id);
    const index = before === undefined ? -1 : next.indexOf(before);
    next.splice(index < 0 ? next.length : index, 0, id);
    return { columns: next };
  });
}

/**
 * Moves a column by one position, unless it is at the edge.
 * @param drawn ids of the visible columns in order: a step skips those that are not drawn
 */
export function stepColumn(ui: UiStore, id: string, step: -1 | 1, drawn?: readonly string[]): void {
  setColumns(ui, ({ columns }) => {
    const seen = drawn ?? columns;
    const index = seen.indexOf(id);
    const neighbour = seen[index + step];
    if (index < 0 || neighbour === undefined) return {};
    const next = columns.filter((each) => each !== id);
    next.splice(next.indexOf(neighbour) + (step < 0 ? 0 : 1), 0, id);
    return { columns: next };
  });
}

/** Shows or hides a column. */
export function showColumn(ui: UiStore, id: string, isShown: boolean): void {
  setColumns(ui, ({ columns }) => {
    const others = columns.filter((each) => each !== id);
    return { columns: isShown ? [...others, id] : others };
  });
}

/** Result of adding an own column. */
export type Added = 'added' | 'there' | 'full' | 'not-a-path';

/**
 * Adds a column with a value of the payload.
 * @param path in the filter language: `data.items[0].sku`
 */
export function addOwnColumn(ui: UiStore, path: string): Added {
  const { columns } = columnsOf(ui.getState());
  if (!isOwnColumn(path)) return 'not-a-path';
  if (columns.includes(path)) return 'there';
  if (columns.filter(isOwnColumn).length >= MAX_OWN) return 'full';
  showColumn(ui, path, true);
  return 'added';
}

/** Ids of hidden columns, in the order of the menu. */
export function hiddenColumns(columns: readonly string[]): readonly string[] {
  return ALL_COLUMNS.map(({ id }) => id).filter((id) => !columns.includes(id));
}
