/** Methods that read messages, and that change single ones. */
import { filter, id, limit, name, order } from '../bounds.ts';
import { messageDetail, messageRow } from '../message.ts';
import { act, query } from '../method.ts';
import { failedEntry, publishBulkParams, publishParams, replayChanges } from '../publish.ts';
import { Bool, extend, Integer, list, members, Num, Optional, orNull, page, Text } from '../schema.ts';

export const MESSAGES = {
  'messages.list': query({
    does: 'rows by cursor, newest or oldest first, filtered',
    params: members({
      filter: Optional(filter),
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
    does: 'one message with payload, attempts and transitions',
    params: members({ messageId: id, recordingId: Optional(id) }),
    result: messageDetail,
  }),
  'messages.publish': act({
    does: 'publishes like the HTTP route; a string goes as it is, any other value as JSON',
    params: publishParams,
    result: members({
      messageId: Text(),
    }),
  }),
  'messages.publishBulk': act({
    does: 'bulk publish; the result names failed entries; an entry has `event`, or `eventText`, JSON that is published as it is written; another `contentType` than `application/json` is taken and flagged',
    params: publishBulkParams,
    result: members({
      messageIds: list(Text()),
      failedEntries: list(failedEntry),
    }),
  }),
  'messages.replay': act({
    does: 'a new message from an old one, to its topic or to one delivery',
    params: members({ messageId: id, changes: Optional(replayChanges), to: Optional(name) }),
    result: members({
      messageId: Text(),
    }),
  }),
  'messages.update': act({
    does: 'pin, note, tags, read',
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
   * hexadecimal pairs; "" without a payload.
   */
  'messages.values': query({
    does: 'payload values of messages by number, and with `preview` each payload in one line of at most 200 characters: at most 500 messages, 5 paths',
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
        }),
      ),
    }),
  }),
  'messages.markRead': act({
    does: 'marks what matches as read, the newest 10,000 at most',
    params: members({ filter: Optional(filter) }),
    result: members({
      changed: Num(),
    }),
  }),
};
