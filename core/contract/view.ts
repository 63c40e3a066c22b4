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

/** Columns that `sortBy` of `view.open` can name beside a path such as `data.order.id`. */
export const SORTABLE = [
  'number',
  'time',
  'app',
  'pubsub',
  'topic',
  'type',
  'eventId',
  'subject',
  'state',
  'attempts',
  'answer',
  'duration',
  'next',
  'expires',
  'size',
  'contentType',
  'route',
  'origin',
  'batch',
  'trace',
  'streamId',
  'consumer',
] as const;

/** One group of a grouped view: its own line, above those of its messages when it is open. */
export interface GroupRow {
  /** Id of the group: equal for equal values, in every view. */
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
    /** With `sortBy` the view is of this moment: `oldest` is ascending, and what comes later is not in it. */
    params: {
      filter?: string;
      order?: 'newest' | 'oldest';
      groupBy?: string;
      sortBy?: string;
      recordingId?: string;
    };
    /** With `progress` the search goes on: `view.changed` tells what it finds. */
    result: {
      viewId: string;
      total: number;
      sequence: number;
      progress?: { readonly done: number; readonly of: number };
    };
  };
  'view.rows': {
    params: { viewId: string; from: number; count: number };
    /** In a grouped view `total` counts lines: `groups` says which are groups, `rows` are the other lines of the range, in order.
     * Where the range begins among the messages of a group, that group is the first of `groups`, with its index before the range. */
    result: {
      rows: readonly MessageRow[];
      total: number;
      groups?: readonly { readonly index: number; readonly group: GroupRow }[];
    };
  };
  'view.find': {
    /** A message of the view; or, with `filter`, the first one that matches it after (`newest`: before) line `from`. */
    params: {
      viewId: string;
      messageId?: string;
      filter?: string;
      from?: number;
      order?: 'newest' | 'oldest';
    };
    /** Line of the message, in a grouped view the line of its group while that is closed; null: there is none. */
    result: { index: number; messageId: string } | null;
  };
  'view.expand': {
    /** Without `groupId`: every group, later ones too. */
    params: { viewId: string; groupId?: string; open: boolean };
    result: { total: number };
  };
  'view.close': { params: { viewId: string }; result: null };
}
