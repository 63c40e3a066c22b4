/** Lists that the host keeps: how a filter is read and completed, views by position, and what is told about them. */
import { messageRow } from './message.ts';
import { Bool, list, Literal, members, Num, oneOf, Optional, someOf, Text } from './schema.ts';
import type { Static } from './schema.ts';
import { ROW_STATES } from './words.ts';

export const viewChanged = members({
  viewId: Text(),
  total: Num(),
  /** Rows appended at the newest end since the last notification. */
  appended: Num(),
  /** Changed rows inside the window, with their position. */
  rows: list(
    members({
      index: Num(),
      row: messageRow,
    }),
  ),
  /** Positions where rows have changed that are not in `rows`: copies of those rows are out of date. */
  omitted: Optional(
    members({
      from: Num(),
      count: Num(),
    }),
  ),
  /** Rows left the view or came in elsewhere than at its newest end: rows read before may be at other positions now. */
  moved: Optional(Literal(true)),
  progress: Optional(
    members({
      done: Num(),
      of: Num(),
    }),
  ),
  /** In a grouped view: how many lines the first line of the last range asked for has moved down (up: negative). */
  shift: Optional(Num()),
});
export type ViewChanged = Static<typeof viewChanged>;

/** One group of a grouped view: its own line, above those of its messages when it is open. */
export const groupRow = members({
  /** Id of the group: equal for equal values, in every view. */
  groupId: Text(),
  /** Absent: messages that have none. For chains of replays the id of the message at its head. */
  value: Optional(Text()),
  messages: Num(),
  /** The state that needs attention most, and how many messages there are of each. */
  worst: oneOf(ROW_STATES),
  states: someOf(ROW_STATES, Num()),
  /** When its first and its last message were accepted. */
  firstAt: Text(),
  lastAt: Text(),
  isOpen: Bool(),
});
export type GroupRow = Static<typeof groupRow>;

/** A filter that a person keeps under a name. */
export const savedView = members({
  savedViewId: Text(),
  name: Text(),
  filter: Text(),
  /** As `groupBy` of `view.open`. */
  groupBy: Optional(Text()),
});
export type SavedView = Static<typeof savedView>;
