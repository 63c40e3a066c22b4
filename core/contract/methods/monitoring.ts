/** Filters, views, and the stream: how a client follows what happens. */
import { filter, id, order, position, sequence } from '../bounds.ts';
import { consoleEvent, streamStart } from '../event.ts';
import { messageRow } from '../message.ts';
import { act, actAtOnce, query } from '../method.ts';
import {
  Bool,
  Integer,
  list,
  Literal,
  members,
  none,
  Null,
  Num,
  oneOf,
  Optional,
  orNull,
  Text,
} from '../schema.ts';
import { groupRow, savedView } from '../view.ts';
import { HOLD_POINTS } from '../words.ts';

export const MONITORING = {
  'filter.check': query({
    does: 'says whether a filter is valid, and if not, where the mistake is. If the filter has a mistake or finds nothing, `meant` is the filter that was probably meant. With `at`, the point of a hold, `never` lists the terms that can match no message there: what they compare comes later, or never',
    params: members({ filter, recordingId: Optional(id), at: Optional(oneOf(HOLD_POINTS)) }),
    result: members({
      ok: Bool(),
      meant: Optional(Text()),
      never: Optional(list(Text())),
      error: Optional(
        members({
          position: Num(),
          length: Num(),
          found: Text(),
          expected: Text(),
          suggestion: Optional(Text()),
          message: Text(),
        }),
      ),
    }),
  }),
  'filter.complete': query({
    does: 'gives completions for a filter at the cursor',
    params: members({
      filter,
      cursor: Integer({ minimum: 0, maximum: 10_000 }),
      recordingId: Optional(id),
    }),
    result: members({
      items: list(
        members({
          label: Text(),
          insert: Text(),
          from: Num(),
          detail: Text(),
        }),
      ),
    }),
  }),
  'view.open': actAtOnce({
    does: 'opens a list that the host filters and keeps up to date; with `sortBy` it is a snapshot that does not change. With `groupBy` each message is in one group. For `state`, `route` and `answer`, the delivery that needs attention most decides the group of a message. Groups by `topic`, `type`, `route` and `answer` are sorted by name, groups by `state` by how much they need attention. All other groups are sorted by the time of their first message, as `order` says',
    /**
     * Parameters of a view. With `sortBy` the view is a snapshot: `oldest` sorts in ascending order, and
     * later messages are not in it.
     */
    params: members({
      filter: Optional(filter),
      order: Optional(order),
      groupBy: Optional(Text({ maxLength: 1000 })),
      sortBy: Optional(Text({ maxLength: 1000 })),
      recordingId: Optional(id),
    }),
    /** Result of a view. With `progress` the search goes on, and `view.changed` reports what it finds. */
    result: members({
      viewId: Text(),
      total: Num(),
      sequence: Num(),
      /** With `sortBy`: highest number that a message of the snapshot can have. */
      upTo: Optional(Num()),
      progress: Optional(
        members({
          done: Num(),
          of: Num(),
        }),
      ),
    }),
  }),
  'view.rows': query({
    does: 'gives rows of a view by position; for a grouped view also `groups`. If the rows have more than 20,000 deliveries together, the answer ends early, and `next` is the position at which it goes on',
    params: members({ viewId: id, from: position, count: Integer({ minimum: 0, maximum: 500 }) }),
    /**
     * In a grouped view `total` counts lines: `groups` has the group lines of the range, `rows` its other
     * lines, in order. If the range begins inside a group, that group is the first of `groups`, with an index
     * before the range.
     */
    result: members({
      rows: list(messageRow),
      total: Num(),
      groups: Optional(
        list(
          members({
            index: Num(),
            group: groupRow,
          }),
        ),
      ),
      next: Optional(Num()),
    }),
  }),
  'view.find': query({
    does: 'finds the line of a message, or of the next message that matches another filter',
    /** A message of the view; or, with `filter`, the first match after (`newest`: before) line `from`. */
    params: members({
      viewId: id,
      messageId: Optional(id),
      filter: Optional(filter),
      from: Optional(position),
      order: Optional(order),
    }),
    /** Line of the message, or of its group if the group is closed; null: there is none. */
    result: orNull(
      members({
        index: Num(),
        messageId: Text(),
      }),
    ),
  }),
  'view.expand': actAtOnce({
    does: 'opens or closes one group of a grouped view, or all of them',
    /** Group to open or close. Without `groupId`: all groups, also later ones. */
    params: members({ viewId: id, groupId: Optional(Text({ maxLength: 1000 })), open: Bool() }),
    result: members({
      total: Num(),
    }),
  }),
  'view.close': actAtOnce({
    does: 'closes a view',
    params: members({ viewId: id }),
    result: Null(),
  }),
  'views.list': query({
    does: 'lists saved filters, in the order of their tabs',
    params: none,
    result: members({
      items: list(savedView),
    }),
  }),
  'views.save': act({
    does: 'saves a filter under a name, or changes a saved one without moving it',
    params: members({
      savedViewId: Optional(id),
      name: Text({ minLength: 1, maxLength: 100 }),
      filter,
      groupBy: Optional(Text({ maxLength: 1000 })),
    }),
    result: savedView,
  }),
  'views.remove': act({
    does: 'deletes a saved filter',
    params: members({ savedViewId: id }),
    result: members({
      items: list(savedView),
    }),
  }),
  'views.order': act({
    does: 'puts these saved filters first, in this order',
    params: members({ savedViewIds: list(id, { minItems: 1, maxItems: 50 }) }),
    result: members({
      items: list(savedView),
    }),
  }),
  'stream.open': actAtOnce({
    does: 'starts to send events, from now on or after a given number (WebSocket and IPC)',
    params: members({
      epoch: Optional(Text({ maxLength: 200 })),
      since: Optional(sequence),
      scope: Optional(oneOf(['all', 'views', 'opened'])),
    }),
    result: streamStart,
  }),
  'stream.ack': actAtOnce({
    does: 'acknowledges a batch of events',
    params: members({ sequence }),
    result: Null(),
  }),
  'stream.close': actAtOnce({
    does: 'ends the stream',
    params: none,
    result: Null(),
  }),
  'events.since': query({
    does: 'gives events after a given number, and waits if there are none yet (long poll); made for scripts',
    params: members({
      sequence,
      limit: Optional(Integer({ minimum: 1, maximum: 10_000 })),
      waitMs: Optional(Integer({ minimum: 0, maximum: 30_000 })),
    }),
    result: members({
      events: list(consoleEvent),
      sequence: Num(),
      reset: Optional(Literal(true)),
    }),
  }),
};
