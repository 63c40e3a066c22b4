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
    does: 'lists messages by cursor, newest or oldest first, filtered; fewer than `limit` where they have more than 20,000 deliveries together. With `upTo` messages with a higher number are left out, and are not in `total`, which the first page counts for all pages',
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
    does: 'gives one message with payload, attempts and transitions. With `payloadUpTo` the payload of a message of more bytes is left out, and `payloadApart` says so',
    params: members({ messageId: id, recordingId: Optional(id), payloadUpTo: Optional(count) }),
    result: messageDetail,
  }),
  'messages.payload': query({
    does: 'gives the payload of one message as text with all digits, in parts of at most 262,144 characters; `from` is the `next` of the part before. With `deliveryId` as this delivery sends it, where a person edited it',
    params: members({
      messageId: id,
      deliveryId: Optional(id),
      recordingId: Optional(id),
      from: Optional(count),
    }),
    result: payloadPart,
  }),
  'messages.preview': query({
    does: 'gives the event that `messages.publish` would make of these parameters, and where each subscription would take it; nothing is published. Refused by the checks of the publish; a full backlog or disk, and the broker, do not count. `text` is what the broker would get; of bytes that are no text, `base64`. `problems`: why a library for CloudEvents 1.0 in an app would refuse the event, at most 20; a raw payload has none',
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
    does: 'publishes as the HTTP route does; a string is sent as it is, any other value as JSON, and a large one as it was written',
    params: publishParams,
    result: members({
      messageId: Text(),
    }),
  }),
  'messages.publishBulk': act({
    does: 'publishes in bulk; the result names the entries that failed. An entry has `event`, or `eventText`: JSON that is published exactly as written, as a large `event` is too. A `contentType` other than `application/json` is accepted and flagged. A later publish of the same connection to the same topic waits for the end of a bulk publish, so the order is kept',
    params: publishBulkParams,
    result: members({
      messageIds: list(Text()),
      failedEntries: list(failedEntry),
    }),
  }),
  'messages.replay': act({
    does: 'publishes a new message made from an old one, to its topic or to one delivery only',
    params: members({ messageId: id, changes: Optional(replayChanges), to: Optional(name) }),
    result: members({
      messageId: Text(),
    }),
  }),
  'messages.update': act({
    does: 'sets pin, note, tags, read',
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
    does: 'gives values of the payload for messages by number; with `preview` also each payload in one line of at most 200 characters, as it was edited for a delivery (`edited`). `values`, filters, groups and sorting read that payload too. At most 500 messages and 5 paths',
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
    does: 'marks messages that match as read, the newest 10,000 at most',
    params: members({ filter: Optional(filter) }),
    result: members({
      changed: Num(),
    }),
  }),
};
