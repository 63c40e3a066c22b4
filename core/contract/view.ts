/**
 * Shapes of views, the lists that the host keeps: how a filter is read and completed, views by position, and
 * their notifications.
 */
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
  /** Positions of changed rows that are not in `rows`. Copies of those rows are out of date. */
  omitted: Optional(
    members({
      from: Num(),
      count: Num(),
    }),
  ),
  /**
   * Set if rows left the view, or entered it elsewhere than at its newest end. Rows that were read before may
   * have moved.
   */
  moved: Optional(Literal(true)),
  progress: Optional(
    members({
      done: Num(),
      of: Num(),
    }),
  ),
  /**
   * Lines by which the first line of the last requested range moved down (up: negative), in a grouped view, and with the oldest rows first.
   */
  shift: Optional(Num()),
});
export type ViewChanged = Static<typeof viewChanged>;

/** One group of a grouped view: its own line, above the lines of its messages if it is open. */
export const groupRow = members({
  /** Id of the group. Equal values have equal ids in every view. */
  groupId: Text(),
  /**
   * Value that the group's messages share; absent: they have none. For chains of replays: the id of the
   * original message.
   */
  value: Optional(Text()),
  messages: Num(),
  /** The state that needs attention most, and the number of messages in each state. */
  worst: oneOf(ROW_STATES),
  states: someOf(ROW_STATES, Num()),
  /** Times at which the first and the last message of the group were accepted. */
  firstAt: Text(),
  lastAt: Text(),
  isOpen: Bool(),
});
export type GroupRow = Static<typeof groupRow>;

/** A filter that a person saved under a name. */
export const savedView = members({
  savedViewId: Text(),
  name: Text(),
  filter: Text(),
  /** Grouping, as `groupBy` of `view.open`. */
  groupBy: Optional(Text()),
});
export type SavedView = Static<typeof savedView>;
