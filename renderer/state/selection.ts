/** Selected messages after a click or a key; a range may include rows that are not loaded. */
import type { MessageRow } from '../../core/contract/message.ts';
import { MAX_ACT_IDS } from '../../core/contract/page-bounds.ts';
import type { MessagesState, SelectionChange, UpTo, What } from './messages-state.ts';
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
}: Pick<MessagesState, 'selected' | 'allSelected' | 'upTo'>): number {
  return allSelected && !upTo.isFixed ? upTo.count : selected.size;
}

/** Whether anything is selected, so that the acts on it stand below the list. */
export function hasSelection({ selected, allSelected }: Selected): boolean {
  return selected.size > 0 || allSelected;
}

/** What an act on everything selected takes: what came later is not reached. */
export function everythingOf({
  filter,
  upTo,
}: Pick<MessagesState, 'filter' | 'upTo'>): Extract<What, { readonly filter: string }> {
  return { filter, upTo: upTo.number };
}

/** Whether a selection has ended, or no longer is that of an act. */
export function isSelectionOf(
  what: What,
  {
    selected,
    allSelected,
    filter,
    upTo,
  }: Pick<MessagesState, 'selected' | 'allSelected' | 'filter' | 'upTo'>,
): boolean {
  if (!('messageIds' in what)) return allSelected && filter === what.filter && upTo.number === what.upTo;
  const ids = new Set(what.messageIds);
  return selected.size > 0 && [...selected].every((id) => ids.has(id));
}

/**
 * Ids of all rows of a list, oldest first; undefined: some are not loaded or are to be loaded again, or there are too many for one act
 * by ids.
 */
export function allIds(rows: RowWindow): readonly string[] | undefined {
  if (rows.total > MAX_ACT_IDS || rows.missing(0, rows.total) !== undefined) return undefined;
  const ids: string[] = [];
  for (let index = 0; index < rows.total; index += 1) {
    const row = rows.rowAt(index);
    if (row === undefined) return undefined;
    ids.push(row.messageId);
  }
  return ids;
}

type All = Pick<MessagesState, 'selected' | 'allSelected' | 'upTo' | 'later'>;
type AllOf = All & Pick<MessagesState, 'groupBy' | 'sort' | 'progress'>;

const NONE_OF_ALL = { selected: new Set<string>(), allSelected: false } as const;

/**
 * A selection of everything after the rows have changed; one of which nothing is left has ended.
 * @param isSearched whether a search found older messages meanwhile
 */
export function allAfter(state: AllOf, rows: RowWindow, isSearched: boolean): Partial<All> {
  const { upTo, groupBy, sort } = state;
  // A search that runs may find the selected messages later.
  if (upTo.isFixed) return state.progress === undefined ? fixedAfter(state.selected, rows) : {};
  const { ids, index } = loadedUpTo(upTo, rows);
  const selected = new Set(ids);
  // Lines of a grouped list are not messages.
  if (groupBy !== '') return rows.total > 0 || isSearched ? { selected } : NONE_OF_ALL;
  // What comes does not enter a sorted list.
  const least = Math.max(0, rows.total - (sort === undefined ? state.later : 0));
  const known = index === undefined || sort !== undefined ? undefined : index + 1;
  const counted = known ?? Math.max(ids.length, isSearched ? least : Math.min(upTo.count, least));
  if (counted === 0 && !isSearched) return NONE_OF_ALL;
  return {
    selected,
    upTo: { ...upTo, count: counted },
    ...(known === undefined ? {} : { later: rows.total - known }),
  };
}

/** Selected messages that left a list of which every row is loaded are not selected any more. */
function fixedAfter(selected: ReadonlySet<string>, rows: RowWindow): Partial<All> {
  const present = allIds(rows);
  if (present === undefined) return {};
  const left = new Set(present.filter((id) => selected.has(id)));
  return left.size === 0 ? NONE_OF_ALL : { selected: left };
}

/**
 * The loaded messages of a selection of everything, and the index of the last one in a list by time; without it: the end of the
 * selection is not loaded.
 */
function loadedUpTo(
  { number }: UpTo,
  rows: RowWindow,
): { readonly ids: readonly string[]; readonly index: number | undefined } {
  const ids: string[] = [];
  let last = -1;
  let next = rows.total;
  for (const [index, row] of rows.entries()) {
    if (row.number <= number) {
      ids.push(row.messageId);
      last = Math.max(last, index);
    } else next = Math.min(next, index);
  }
  return { ids, index: last + 1 === next ? last : undefined };
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
    case 'add': {
      const { messageId, opened } = change;
      const isFirst = before.selected.size === 0 && !before.allSelected;
      if (isFirst && opened !== undefined && opened !== messageId)
        return { selected: new Set([opened, messageId]), allSelected: false };
      return selectionAfter({ kind: 'toggle', messageId }, before);
    }
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
