/** Selected messages after a click or a key; a range may include rows that are not loaded. */
import type { MessageRow } from '../../core/contract/message.ts';
import type { MessagesState, SelectionChange, UpTo } from './messages-state.ts';
import type { RowWindow } from './row-window.ts';

/** Longest range that is read; for more there is "Select all" with a filter. */
const MAX_RANGE_LENGTH = 10_000;
const AT_ONCE = 500;

/** Reads rows of the view, beginning at an index. Rejects RpcFailure. */
export type ReadRows = (from: number, count: number) => Promise<readonly MessageRow[]>;

type Selected = Pick<MessagesState, 'selected' | 'allSelected'>;

/** Number of selected messages, loaded or not. */
export function selectedCount({
  selected,
  allSelected,
  upTo,
  later,
  total,
  groupBy,
  sort,
}: MessagesState): number {
  if (!allSelected) return selected.size;
  // Lines of a grouped list are not messages, and what comes does not enter a sorted one.
  return groupBy === '' && sort === undefined ? Math.max(selected.size, total - later) : upTo.count;
}

/** The filter for everything that is selected: what came later matches it no more. */
export function filterOfAll({ filter, upTo }: Pick<MessagesState, 'filter' | 'upTo'>): string {
  const bound = `time:<=${upTo.at}`;
  return filter === '' ? bound : `(${filter}) ${bound}`;
}

/** Ids of the loaded messages of a selection of everything. */
export function loadedUpTo({ number }: UpTo, rows: RowWindow): ReadonlySet<string> {
  return new Set(rows.ids().filter((id) => (rows.rowOf(id)?.number ?? Infinity) <= number));
}

/** The selection after a change that needs no rows of the host. */
export function selectionAfter(
  change: Exclude<SelectionChange, { kind: 'range' | 'all' }>,
  before: Selected,
): Selected {
  switch (change.kind) {
    case 'none':
      return { selected: new Set(), allSelected: false };
    case 'only':
      return { selected: new Set([change.messageId]), allSelected: false };
    case 'toggle': {
      const selected = new Set(before.selected);
      if (!selected.delete(change.messageId)) selected.add(change.messageId);
      return { selected, allSelected: false };
    }
  }
}

interface Span {
  readonly from: number;
  readonly end: number;
}

function spanOf(
  { from, to }: Extract<SelectionChange, { kind: 'range' }>,
  rows: RowWindow,
): Span | undefined {
  const a = rows.indexOf(from);
  const b = rows.indexOf(to);
  if (a === undefined || b === undefined) return undefined;
  const first = Math.min(a, b);
  return { from: first, end: Math.min(Math.max(a, b) + 1, first + MAX_RANGE_LENGTH) };
}

/** Ids of the messages between two lines; undefined: not all of them are loaded. */
export function loadedBetween(
  change: Extract<SelectionChange, { kind: 'range' }>,
  rows: RowWindow,
): readonly string[] | undefined {
  const span = spanOf(change, rows);
  if (span === undefined) return [change.to];
  const ids: string[] = [];
  for (let index = span.from; index < span.end; index += 1) {
    const id = rows.rowAt(index)?.messageId;
    if (id !== undefined) ids.push(id);
    else if (rows.groupAt(index) === undefined) return undefined;
  }
  return ids;
}

/** Reads the ids of a range from the host. Rejects RpcFailure. */
export async function idsBetween(
  change: Extract<SelectionChange, { kind: 'range' }>,
  rows: RowWindow,
  read: ReadRows,
): Promise<readonly string[]> {
  const span = spanOf(change, rows);
  if (span === undefined) return [change.to];
  const ids: string[] = [];
  for (let from = span.from; from < span.end; from += AT_ONCE) {
    const found = await read(from, Math.min(AT_ONCE, span.end - from));
    ids.push(...found.map(({ messageId }) => messageId));
  }
  return ids;
}
