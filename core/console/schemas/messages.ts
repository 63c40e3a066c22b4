/** What the methods on messages, deliveries and holds take. */
import {
  Array as List,
  Boolean as Bool,
  Integer,
  Literal,
  Null,
  Optional,
  String as Text,
  Union,
  Unknown,
} from 'typebox';
import type { TNull, TOptional, TSchema, TUnion } from 'typebox';
import {
  answer,
  changes,
  replayChanges,
  filter,
  id,
  limit,
  name,
  none,
  order,
  params,
  publish,
  texts,
  waitMs,
} from './shapes.ts';

const target = {
  deliveryId: Optional(id),
  deliveryIds: Optional(List(id, { minItems: 1, maxItems: 500 })),
  filter: Optional(filter),
  messageId: Optional(id),
};

const hold = {
  at: Union([Literal('publish'), Literal('delivery'), Literal('response')]),
  filter,
  enabled: Optional(Bool()),
  name: Optional(name),
  times: Optional(Integer({ minimum: 1 })),
  releaseAfterMs: Optional(waitMs),
};

/** A member that may be taken away. */
const orNull = <T extends TSchema>(of: T): TOptional<TUnion<[T, TNull]>> => Optional(Union([of, Null()]));

const entry = params({
  entryId: Text(),
  event: Optional(Unknown()),
  eventText: Optional(Text()),
  contentType: Text(),
  metadata: Optional(texts),
});

export const MESSAGES = {
  'messages.list': params({
    filter: Optional(filter),
    cursor: Optional(Text({ maxLength: 1000 })),
    limit: Optional(limit),
    order: Optional(order),
    recordingId: Optional(id),
  }),
  'messages.get': params({ messageId: id, recordingId: Optional(id) }),
  'messages.publish': publish,
  'messages.publishBulk': params({
    pubsubname: Text(),
    topic: Text(),
    entries: List(entry),
    metadata: Optional(texts),
    appId: Optional(name),
    contentType: Optional(name),
  }),
  'messages.replay': params({ messageId: id, changes: Optional(replayChanges), to: Optional(name) }),
  'messages.update': params({
    messageId: id,
    pinned: Optional(Bool()),
    note: Optional(Text({ maxLength: 10_000 })),
    tags: Optional(List(Text({ minLength: 1, maxLength: 100 }), { maxItems: 50 })),
    read: Optional(Bool()),
  }),
  'deliveries.retry': params(target),
  'deliveries.drop': params(target),
  'deliveries.hold': params(target),
  'deliveries.release': params({ ...target, changes: Optional(changes), answer: Optional(answer) }),
  'deliveries.deadLetter': params({ ...target, topic: Optional(name) }),
  'deliveries.cancelAttempt': params({ deliveryId: id }),
  'deliveries.answer': params({ deliveryId: id, answer }),
  'holds.list': none,
  'holds.queue': params({ limit: Optional(limit) }),
  'holds.add': params(hold),
  'holds.update': params({
    holdId: id,
    at: Optional(hold.at),
    filter: Optional(filter),
    enabled: hold.enabled,
    name: orNull(name),
    times: orNull(Integer({ minimum: 1 })),
    releaseAfterMs: orNull(waitMs),
  }),
  'holds.remove': params({ holdId: id, release: Optional(Bool()) }),
};
