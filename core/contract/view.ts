/** Lists that the host keeps: how a filter is read and completed, views by position, and what is told about them. */
import type { MessageRow, RowState } from './message.ts';

export interface ViewChanged {
  readonly viewId: string;
  readonly total: number;
  /** Rows appended at the newest end since the last notification. */
  readonly appended: number;
  /** Changed rows inside the window, with their position. */
  readonly rows: readonly { readonly index: number; readonly row: MessageRow }[];
  /** Positions among which rows have changed that are not in `rows`: what is held of them is out of date. */
  readonly omitted?: { readonly from: number; readonly count: number };
  /** Rows left the view or came in elsewhere than at its newest end: rows read before may stand at other positions now. */
  readonly moved?: true;
  readonly progress?: { readonly done: number; readonly of: number };
  /** In a grouped view: the first line of the last range asked for stands so many lines further down now (up: negative). */
  readonly shift?: number;
}

/** What `groupBy` of `view.open` can be beside a path such as `data.order.id`. */
export const GROUPINGS = ['topic', 'type', 'trace', 'correlation', 'batch', 'replay'] as const;

/** One group of a grouped view: its own line, above those of its messages when it is open. */
export interface GroupRow {
  /** The same for the same value in every view. */
  readonly groupId: string;
  /** Absent: messages that have none. For chains of replays the id of the message at its head. */
  readonly value?: string;
  readonly messages: number;
  /** The state that needs attention most, and how many messages there are of each. */
  readonly worst: RowState;
  readonly states: Readonly<Partial<Record<RowState, number>>>;
  /** When its first and its last message were accepted. */
  readonly firstAt: string;
  readonly lastAt: string;
  readonly isOpen: boolean;
}

/** A filter that a person keeps under a name. */
export interface SavedView {
  readonly savedViewId: string;
  readonly name: string;
  readonly filter: string;
  /** As `groupBy` of `view.open`. */
  readonly groupBy?: string;
}

type None = Readonly<Record<string, never>>;

/** Methods of filters and views. */
export interface ViewMethods {
  'messages.markRead': { params: { filter?: string }; result: { changed: number } };
  /** Payload values of messages for own columns: text as it is, other JSON as text, cut at 500 characters; null: none. */
  'messages.values': {
    params: { numbers: readonly number[]; paths: readonly string[]; recordingId?: string };
    result: { items: readonly { number: number; values: readonly (string | null)[] }[] };
  };
  'views.list': { params: None; result: { items: readonly SavedView[] } };
  'views.save': {
    params: { savedViewId?: string; name: string; filter: string; groupBy?: string };
    result: SavedView;
  };
  'views.remove': { params: { savedViewId: string }; result: { items: readonly SavedView[] } };
  'views.order': { params: { savedViewIds: readonly string[] }; result: { items: readonly SavedView[] } };
  'filter.check': {
    params: { filter: string };
    result: {
      ok: boolean;
      error?: {
        position: number;
        length: number;
        found: string;
        expected: string;
        suggestion?: string;
        message: string;
      };
    };
  };
  'filter.complete': {
    params: { filter: string; cursor: number };
    result: { items: readonly { label: string; insert: string; from: number; detail: string }[] };
  };
  'view.open': {
    params: { filter?: string; order?: 'newest' | 'oldest'; groupBy?: string; recordingId?: string };
    result: { viewId: string; total: number; sequence: number };
  };
  'view.rows': {
    params: { viewId: string; from: number; count: number };
    /** In a grouped view `total` counts lines: `groups` says which are groups, `rows` are the other lines of the range, in order. */
    result: {
      rows: readonly MessageRow[];
      total: number;
      groups?: readonly { readonly index: number; readonly group: GroupRow }[];
    };
  };
  'view.expand': {
    /** Without `groupId`: every group, later ones too. */
    params: { viewId: string; groupId?: string; open: boolean };
    result: { total: number };
  };
  'view.close': { params: { viewId: string }; result: null };
}
