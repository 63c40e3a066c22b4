/** Lists that the host keeps: how a filter is read and completed, views by position, and what is told about them. */
import type { MessageRow } from './message.ts';

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
    result: { rows: readonly MessageRow[]; total: number };
  };
  'view.close': { params: { viewId: string }; result: null };
}
