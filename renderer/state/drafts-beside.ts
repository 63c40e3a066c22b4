/** The drafts of two windows beside each other: whether they are the same, and what fits into one window. */
import {
  EMPTY_SINGLE,
  MAX_TABS,
  readDrafts,
  type BulkDraft,
  type SingleDraft,
  type SingleTab,
} from './draft-shapes.ts';

/** What a person writes in drafts, without which tab is visible. */
export interface Written {
  readonly tabs: readonly SingleTab[];
  readonly bulk: BulkDraft;
}

/** Why drafts of another window do not fit beside one's own. */
export type Obstacle =
  /** Both together are too many by `over`. */
  | { readonly kind: 'tabs'; readonly over: number }
  /** Both have entries of a bulk list, of which there is one. */
  | { readonly kind: 'bulk' };

/** The drafts with rows and tabs numbered as after they are read: each window numbers its own. */
function renumbered({ tabs, bulk }: Written): Written {
  const read = readDrafts({ tabs, bulk });
  return { tabs: read.tabs, bulk: read.bulk };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Whether the same was written, whichever tab is visible. */
export function isSameWritten(one: Written, other: Written): boolean {
  return one === other || isSame(renumbered(one), renumbered(other));
}

/** The bulk list for one window: that of the window which changed it; undefined: both may have, and both have entries. */
function bulkOfBoth(own: BulkDraft, other: BulkDraft, known: BulkDraft | undefined): BulkDraft | undefined {
  if (isSame(own, other) || isSame(other, known) || other.entries.length === 0) return own;
  return isSame(own, known) || own.entries.length === 0 ? other : undefined;
}

export interface Beside {
  /** The own tabs, without those in which nothing was written. */
  readonly own: readonly SingleTab[];
  /** Drafts of the other window that these here do not have. */
  readonly others: readonly SingleDraft[];
  readonly bulk: BulkDraft;
  readonly obstacle: Obstacle | undefined;
}

/**
 * The drafts of another window beside one's own.
 * @param known what both began with; undefined: it is not known
 */
export function besideOwn(own: Written, other: Written, known: Written | undefined): Beside {
  const mine = renumbered(own);
  const theirs = renumbered(other);
  const texts = new Set(
    [EMPTY_SINGLE, ...mine.tabs.map(({ draft }) => draft)].map((draft) => JSON.stringify(draft)),
  );
  const others = theirs.tabs.flatMap(({ draft }) => (texts.has(JSON.stringify(draft)) ? [] : [draft]));
  const bulk = bulkOfBoth(mine.bulk, theirs.bulk, known && renumbered(known).bulk);
  const written = own.tabs.filter(({ draft }) => !isSame(draft, EMPTY_SINGLE));
  const over = written.length + others.length - MAX_TABS;
  const noRoom = over > 0 ? ({ kind: 'tabs', over } as const) : undefined;
  const obstacle = noRoom ?? (bulk === undefined ? ({ kind: 'bulk' } as const) : undefined);
  // Rows of the form keep their numbers.
  const kept = written.length + others.length > 0 ? written : own.tabs;
  return { own: kept, others, bulk: bulk === theirs.bulk ? other.bulk : own.bulk, obstacle };
}
