/** Columns of the list that a person made out of payload paths. */
import type { UiStore } from './ui.ts';

/** So many columns of a person's own stand in the list at most. */
export const MOST_DATA_COLUMNS = 5;

/** Whether a column's id is a payload path. */
export function isDataColumn(id: string): boolean {
  return /^data[.[]/.test(id);
}

/** Why the path cannot become a column; undefined when it can. */
export function whyNoColumn(columns: readonly string[], path: string): 'there' | 'full' | undefined {
  if (columns.includes(path)) return 'there';
  return columns.filter(isDataColumn).length >= MOST_DATA_COLUMNS ? 'full' : undefined;
}

/** Puts the path at the end of the columns; does nothing where `whyNoColumn` has a reason. */
export function addDataColumn(ui: UiStore, path: string): void {
  const { columns } = ui.getState();
  if (whyNoColumn(columns, path) === undefined) ui.setState({ columns: [...columns, path] });
}
