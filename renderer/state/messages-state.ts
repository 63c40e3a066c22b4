/** State and functions of the message list. */
import type { RowRange } from './read-ahead.ts';
import type { StoreApi } from 'zustand/vanilla';
import type { ConsoleEvent, Params, Result } from '../../core/contract/console.ts';
import type { MessageRow } from '../../core/contract/message.ts';
import type { RpcFailure } from '../client/rpc-client.ts';
import type { OwnColumns } from './column-values.ts';
import type { Previews } from './previews.ts';
import type { ResourceStore } from './resource.ts';
import type { RowWindow } from './row-window.ts';

export interface Sort {
  /** A column, or a path into the payload. */
  readonly by: string;
  readonly isDown: boolean;
}

/** Messages of an act on many: named ones, or those that match a filter, up to a highest number. */
export type What =
  | { readonly messageIds: readonly string[] }
  | { readonly filter: string; readonly upTo?: number };

/** The end of a selection of everything. */
export interface UpTo {
  /** Highest number that a selected message can have. */
  readonly number: number;
  /** Number of selected messages, as far as this page knows it. */
  readonly count: number;
  /** True: the messages of that moment are selected by their ids, and none that matches since then. */
  readonly isFixed: boolean;
}

export interface MessagesState {
  readonly status: 'idle' | 'loading' | 'ready' | 'failed';
  readonly failure: RpcFailure | undefined;
  /** Order of a paused list that is not by time. */
  readonly sort: Sort | undefined;
  /** Time of the sort in milliseconds since 1970; 0: it is not sorted. */
  readonly sortedAt: number;
  /** Highest number that a message of the sorted list can have; 0: it is not sorted. */
  readonly sortedUpTo: number;
  /** The filter of the shown rows. */
  readonly filter: string;
  /** Grouping, as `view.open` takes it; '': not grouped. */
  readonly groupBy: string;
  /** Whether a group is open; its messages count in `total`, as the groups do. */
  readonly hasOpenGroups: boolean;
  readonly total: number;
  /** Number that grows with every change of the rows, which are outside the store. */
  readonly version: number;
  readonly follow: boolean;
  readonly paused: boolean;
  /** Messages that came into the list since this page was opened. */
  readonly arrived: number;
  /** Newer rows that came since following stopped or the view was paused. */
  readonly newer: number;
  /** The new messages that had come when the newest row was last in sight. */
  readonly seen: number;
  /** True while another view is being opened; until then the rows of the old one are shown. */
  readonly isOpening: boolean;
  readonly progress: { readonly done: number; readonly of: number } | undefined;
  /** Id of the keyboard row: a message id, or `groupLine` of a group. */
  readonly current: string | undefined;
  readonly selected: ReadonlySet<string>;
  /**
   * Number that grows with each jump to a row, so that the row scrolls into view even if it is current
   * already.
   */
  readonly goneTo: number;
  /** True: everything that matched the filter when it was selected is selected, loaded or not. */
  readonly allSelected: boolean;
  /** The end of that selection: later ones are not selected. */
  readonly upTo: UpTo;
  /** Messages of the list that came since that moment. */
  readonly later: number;
  /** True while the host is asked what a selection is; until then no act on many begins. */
  readonly isSelecting: boolean;
  /** Rows with a higher number are new since the person looked; 0: nothing to mark. */
  readonly lookedAt: number;
  /** Highest number of a message so far. */
  readonly newestNumber: number;
}

/** State of the list before its first view is open. */
export const FIRST: MessagesState = {
  status: 'idle',
  failure: undefined,
  sort: undefined,
  sortedAt: 0,
  sortedUpTo: 0,
  filter: '',
  groupBy: '',
  hasOpenGroups: false,
  total: 0,
  version: 0,
  follow: true,
  paused: false,
  arrived: 0,
  newer: 0,
  seen: 0,
  isOpening: false,
  progress: undefined,
  current: undefined,
  goneTo: 0,
  selected: new Set(),
  allSelected: false,
  upTo: { number: 0, count: 0, isFixed: false },
  later: 0,
  isSelecting: false,
  lookedAt: 0,
  newestNumber: 0,
};

export interface Messages {
  readonly store: StoreApi<MessagesState>;
  readonly rows: RowWindow;
  readonly own: OwnColumns;
  readonly previews: Previews;
  /** Opens the view of a filter; until then the rows of the old one are shown. A grouped view takes no sort. */
  open(filter: string, groupBy?: string, sort?: Sort): Promise<void>;
  /** The last view that was requested. Until it is open, or if it failed, the rows of another one are shown. */
  readonly asked: { readonly filter: string; readonly groupBy: string; readonly sort?: Sort | undefined };
  /** Opens or closes a group of a grouped list; without `groupId` all. Rejects RpcFailure. */
  expand(groupId: string | undefined, isOpen: boolean): Promise<void>;
  /**
   * Makes a message, or the next match of a further filter, the keyboard row; returns its id. Rejects
   * RpcFailure.
   */
  goTo(wanted: Omit<Params<'view.find'>, 'viewId'>): Promise<string | undefined>;
  /** Id of the line at an index, which is loaded if needed; undefined: it is gone. Rejects RpcFailure. */
  idAt(index: number): Promise<string | undefined>;
  /** The line of the group around the message on a line, loaded if needed. Rejects RpcFailure. */
  groupOver(index: number): Promise<number | undefined>;
  /**
   * Loads missing rows of `from..to`.
   * @param first rows that are loaded before the others
   * @param sight rows that are in sight
   */
  ensure(from: number, to: number, first?: RowRange, sight?: RowRange): void;
  setFollow(follow: boolean): void;
  /** Notes that a person has the newest row in sight. */
  newestInSight(): void;
  setPaused(paused: boolean): void;
  /** Sorts a paused list; undefined: by time again. */
  setSort(sort: Sort | undefined): Promise<void>;
  setCurrent(messageId: string | undefined): void;
  /** The visible row that keeps its position when another view opens; undefined: there is none. */
  readonly eye: string | undefined;
  setEye(messageId: string | undefined): void;
  select(change: SelectionChange): void;
  /** Notes that the window lost the focus: later rows are new since then. */
  markLooked(): void;
  /** Marks all messages as read. Rejects RpcFailure. */
  markAllRead(): Promise<void>;
  isUnread(row: MessageRow): boolean;
  /** Marks a message as read, or as unread. Rejects RpcFailure. */
  markRead(row: Pick<MessageRow, 'messageId'>, read?: boolean): Promise<void>;
  /** Number of unread messages, in `total`; requested at most every 3 s. */
  readonly unread: ResourceStore<Result<'messages.list'>>;
  /** Number of messages without a subscription, in `total`; requested at most every 3 s. */
  readonly unsubscribed: ResourceStore<Result<'messages.list'>>;
  onEvents(events: readonly ConsoleEvent[]): void;
  /**
   * Opens the view again after a restart of the host or a lost connection: sorted and paused as it was.
   * @param ticks false: ticked rows are ticked no more, because their messages may be gone
   */
  reopen(ticks?: boolean): void;
  dispose(): void;
}

export type SelectionChange =
  | { readonly kind: 'only' | 'toggle'; readonly messageId: string }
  /** A row that a person adds to the others; `opened`: id of the open row of the list. */
  | { readonly kind: 'add'; readonly messageId: string; readonly opened: string | undefined }
  | { readonly kind: 'range'; readonly from: string; readonly to: string }
  | { readonly kind: 'all' }
  | { readonly kind: 'none' };
