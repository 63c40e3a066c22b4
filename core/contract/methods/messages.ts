/** Methods that read messages, and that change single ones. */
import { count, filter, id, limit, name, order, upTo } from '../bounds.ts';
import { messageDetail, messageRow, payloadPart } from '../message.ts';
import { act, query } from '../method.ts';
import { failedEntry, publishBulkParams, publishParams, replayChanges } from '../publish.ts';
import { routeExplanation } from '../reports.ts';
import { problem } from '../subscription.ts';
import {
  Bool,
  extend,
  Integer,
  list,
  Literal,
  members,
  Num,
  Optional,
  orNull,
  page,
  Text,
} from '../schema.ts';

export const MESSAGES = {
  'messages.list': query({
    does: 'lists messages that match a filter, newest or oldest first, page by page. A page has fewer than `limit` messages if they have more than 20,000 deliveries together. `upTo` leaves out messages with a higher number, also from `total`. The first page counts `total` for all pages',
    params: members({
      filter: Optional(filter),
      upTo: Optional(upTo),
      cursor: Optional(Text({ maxLength: 1000 })),
      limit: Optional(limit),
      order: Optional(order),
      recordingId: Optional(id),
    }),
    result: extend(page(messageRow), {
      total: Num(),
    }),
  }),
  'messages.get': query({
    does: 'gives one message with payload, attempts and transitions. `payloadUpTo` leaves out a payload of more bytes than that, and `payloadApart` says so',
    params: members({ messageId: id, recordingId: Optional(id), payloadUpTo: Optional(count) }),
    result: messageDetail,
  }),
  'messages.payload': query({
    does: 'gives the payload of one message as text with all digits, in parts of at most 262,144 characters; `from` is the `next` of the part before. With `deliveryId` it gives the payload that this delivery sends, with the edits of a person',
    params: members({
      messageId: id,
      deliveryId: Optional(id),
      recordingId: Optional(id),
      from: Optional(count),
    }),
    result: payloadPart,
  }),
  'messages.preview': query({
    does: 'gives the event that `messages.publish` would make of these parameters, and the route that each subscription would choose. It publishes nothing. The checks of a publish can refuse it, but not a full backlog, a full disk or the broker. `text` is what the broker would get; if that is not text, `base64` has it. `problems` says why a CloudEvents 1.0 library in an app would refuse the event (at most 20; none for a raw payload)',
    params: publishParams,
    result: members({
      text: Optional(Text()),
      base64: Optional(Text()),
      contentType: Text(),
      /** Notes on the message, as `flags` of a message, without what `problems` says. */
      flags: list(Text()),
      problems: list(problem),
      subscriptions: list(routeExplanation),
    }),
  }),
  'messages.publish': act({
    does: 'publishes like the HTTP route; it sends a string as it is, a large value as it was written, and any other value as JSON',
    params: publishParams,
    result: members({
      messageId: Text(),
    }),
  }),
  'messages.publishBulk': act({
    does: 'publishes in bulk; the result names the entries that failed. An entry has `event`, or `eventText`: JSON that is published exactly as written, as a large `event` is too. A `contentType` other than `application/json` is accepted and flagged. A later publish to the same topic on the same connection waits until the bulk publish has ended, so the order is kept',
    params: publishBulkParams,
    result: members({
      messageIds: list(Text()),
      failedEntries: list(failedEntry),
    }),
  }),
  'messages.replay': act({
    does: 'publishes a copy of an old message as a new one, to its topic or to one delivery only. Holds that caught the old one let the new one pass: `passedHolds` has the names of those that are on and not used up',
    params: members({ messageId: id, changes: Optional(replayChanges), to: Optional(name) }),
    result: members({
      messageId: Text(),
      passedHolds: Optional(list(Text())),
    }),
  }),
  'messages.update': act({
    does: 'sets pin, note, tags and the read mark of a message',
    params: members({
      messageId: id,
      pinned: Optional(Bool()),
      note: Optional(Text({ maxLength: 10_000 })),
      tags: Optional(list(Text({ minLength: 1, maxLength: 100 }), { maxItems: 50 })),
      read: Optional(Bool()),
    }),
    result: messageRow,
  }),
  /**
   * Payloads as lists show them. `values`: for own columns, text as it is, other JSON as text, cut at 500
   * characters; null: no value. `preview`: the payload in one line, cut at 200 characters; bytes as
   * hexadecimal pairs; "" without a payload. `edited`: a person edited it for the delivery that needs
   * attention most, and the line shows what this delivery sends.
   */
  'messages.values': query({
    does: 'gives values from the payloads of messages, which `numbers` names. `preview` adds each payload in one line of at most 200 characters. If a person edited the payload for a delivery (`edited`), the line shows that payload; `values`, filters, groups and sorting read it too. At most 500 messages and 5 paths',
    params: members({
      numbers: list(Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), { maxItems: 500 }),
      paths: list(Text({ maxLength: 1000 }), { maxItems: 5 }),
      preview: Optional(Bool()),
      recordingId: Optional(id),
    }),
    result: members({
      items: list(
        members({
          number: Num(),
          values: list(orNull(Text())),
          preview: Optional(Text()),
          edited: Optional(Literal(true)),
        }),
      ),
    }),
  }),
  'messages.markRead': act({
    does: 'marks the messages that match a filter as read, at most the newest 10,000',
    params: members({ filter: Optional(filter) }),
    result: members({
      changed: Num(),
    }),
  }),
};
