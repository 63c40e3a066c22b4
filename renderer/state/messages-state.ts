/** What the message list knows and what can be done with it. */
import type { RowRange } from './read-ahead.ts';
import type { StoreApi } from 'zustand/vanilla';
import type { ConsoleEvent, Params, Result } from '../../core/contract/console.ts';
import type { MessageRow } from '../../core/contract/message.ts';
import type { RpcFailure } from '../client/rpc-client.ts';
import type { OwnColumns } from './own-values.ts';
import type { Previews } from './previews.ts';
import type { ResourceStore } from './resource.ts';
import type { RowWindow } from './row-window.ts';

export interface Sort {
  /** A column, or a path into the payload. */
  readonly by: string;
  readonly isDown: boolean;
}

export interface MessagesState {
  readonly status: 'idle' | 'loading' | 'ready' | 'failed';
  readonly failure: RpcFailure | undefined;
  /** Order of a paused list that is not by time. */
  readonly sort: Sort | undefined;
  /** When it was sorted, in milliseconds since 1970; 0: it is not. */
  readonly sortedAt: number;
  /** The filter whose rows are shown. */
  readonly filter: string;
  /** What they are grouped by, as `view.open` takes it; '': not grouped. */
  readonly groupBy: string;
  readonly total: number;
  /** Grows with every change of the rows; rows themselves stand outside the store. */
  readonly version: number;
  readonly follow: boolean;
  readonly paused: boolean;
  /** Messages that have come into the list since this page was opened. */
  readonly arrived: number;
  /** Newer rows that came since following stopped or the view was paused. */
  readonly newer: number;
  /** Another view was asked for; the rows of the one before show until it is there. */
  readonly isOpening: boolean;
  readonly progress: { readonly done: number; readonly of: number } | undefined;
  /** Row the keyboard is on: a message id, or `groupLine` of a group. */
  readonly current: string | undefined;
  readonly selected: ReadonlySet<string>;
  /** How often a row was gone to: it comes into view each time, also when it is the current one already. */
  readonly goneTo: number;
  /** Everything that matches the filter is selected, loaded or not. */
  readonly allSelected: boolean;
  /** Rows with a higher number are new since the person looked; 0: nothing to mark. */
  readonly lookedAt: number;
  /** Rows up to this number count as read. */
  readonly readUpTo: number;
  /** Highest number seen. */
  readonly newestNumber: number;
}

/** The list before its first view is open. */
export const FIRST: MessagesState = {
  status: 'idle',
  failure: undefined,
  sort: undefined,
  sortedAt: 0,
  filter: '',
  groupBy: '',
  total: 0,
  version: 0,
  follow: true,
  paused: false,
  arrived: 0,
  newer: 0,
  isOpening: false,
  progress: undefined,
  current: undefined,
  goneTo: 0,
  selected: new Set(),
  allSelected: false,
  lookedAt: 0,
  readUpTo: 0,
  newestNumber: 0,
};

export interface Messages {
  readonly store: StoreApi<MessagesState>;
  readonly rows: RowWindow;
  readonly own: OwnColumns;
  readonly previews: Previews;
  /** Opens the view of a filter; the rows of the one before show until it is there. */
  open(filter: string, groupBy?: string): Promise<void>;
  /** Opens or closes a group of a grouped list; without `groupId` all of them. Rejects RpcFailure. */
  expand(groupId: string | undefined, isOpen: boolean): Promise<void>;
  /** Makes a message, or the next one that matches a further filter, the row of the keyboard; gives its id. Rejects RpcFailure. */
  goTo(wanted: Omit<Params<'view.find'>, 'viewId'>): Promise<string | undefined>;
  /** Id of the line at an index, which is read where it is not held; undefined: it is gone. Rejects RpcFailure. */
  idAt(index: number): Promise<string | undefined>;
  /** The line of the group that the message on a line is in, read from the host when it is not held. Rejects RpcFailure. */
  groupOver(index: number): Promise<number | undefined>;
  /** Asks for rows of `from..to` that are not there. @param first those that are read before the others */
  ensure(from: number, to: number, first?: RowRange): void;
  setFollow(follow: boolean): void;
  setPaused(paused: boolean): void;
  /** Sorts a paused list; undefined: by time again. */
  setSort(sort: Sort | undefined): Promise<void>;
  setCurrent(messageId: string | undefined): void;
  /** The row in sight that keeps its place when another view opens; undefined: there is none. */
  readonly eye: string | undefined;
  setEye(messageId: string | undefined): void;
  select(change: SelectionChange): void;
  /** The window lost the focus: later rows are new since then. */
  markLooked(): void;
  /** Rejects RpcFailure. */
  markAllRead(): Promise<void>;
  isUnread(row: MessageRow): boolean;
  /** The person has seen this message, or wants it to count as unseen. Rejects RpcFailure. */
  markRead(row: Pick<MessageRow, 'messageId'>, read?: boolean): Promise<void>;
  /** How many messages are unread, in `total`; asked for at most every 3 s. */
  readonly unread: ResourceStore<Result<'messages.list'>>;
  /** How many messages nobody subscribed to, in `total`; asked for at most every 3 s. */
  readonly unsubscribed: ResourceStore<Result<'messages.list'>>;
  onEvents(events: readonly ConsoleEvent[]): void;
  /** The host started over or the connection came back: the view is opened again. */
  reopen(): void;
  dispose(): void;
}

export type SelectionChange =
  | { readonly kind: 'only' | 'toggle'; readonly messageId: string }
  | { readonly kind: 'range'; readonly from: string; readonly to: string }
  | { readonly kind: 'all' }
  | { readonly kind: 'none' };
