/** What the methods take by which a client watches: filters, views, the stream, logs and metrics. */
import { Array as List, Boolean as Bool, Integer, Literal, Optional, String as Text, Union } from 'typebox';
import { filter, id, limit, none, order, params } from './shapes.ts';

const sequence = Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const position = Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

export const WATCHING = {
  'filter.check': params({ filter }),
  'filter.complete': params({ filter, cursor: Integer({ minimum: 0, maximum: 10_000 }) }),
  'messages.markRead': params({ filter: Optional(filter) }),
  'messages.values': params({
    numbers: List(Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), { maxItems: 500 }),
    paths: List(Text({ maxLength: 1000 }), { minItems: 1, maxItems: 5 }),
    recordingId: Optional(id),
  }),
  'views.list': none,
  'views.save': params({
    savedViewId: Optional(id),
    name: Text({ minLength: 1, maxLength: 100 }),
    filter,
    groupBy: Optional(Text({ maxLength: 1000 })),
  }),
  'views.remove': params({ savedViewId: id }),
  'views.order': params({ savedViewIds: List(id, { minItems: 1, maxItems: 50 }) }),
  'view.open': params({
    filter: Optional(filter),
    order: Optional(order),
    groupBy: Optional(Text({ maxLength: 1000 })),
    sortBy: Optional(Text({ maxLength: 1000 })),
    recordingId: Optional(id),
  }),
  'view.rows': params({ viewId: id, from: position, count: Integer({ minimum: 0, maximum: 500 }) }),
  'view.find': params({
    viewId: id,
    messageId: Optional(id),
    filter: Optional(filter),
    from: Optional(position),
    order: Optional(order),
  }),
  'view.expand': params({ viewId: id, groupId: Optional(Text({ maxLength: 1000 })), open: Bool() }),
  'view.close': params({ viewId: id }),
  'stream.open': params({
    epoch: Optional(Text({ maxLength: 200 })),
    since: Optional(sequence),
    scope: Optional(Union([Literal('all'), Literal('views'), Literal('opened')])),
  }),
  'stream.ack': params({ sequence }),
  'stream.close': none,
  'events.since': params({
    sequence,
    limit: Optional(Integer({ minimum: 1, maximum: 10_000 })),
    waitMs: Optional(Integer({ minimum: 0, maximum: 30_000 })),
  }),
  'logs.list': params({
    level: Optional(Union([Literal('debug'), Literal('info'), Literal('warn'), Literal('error')])),
    filter: Optional(filter),
    cursor: Optional(Text({ maxLength: 1000 })),
    limit: Optional(limit),
  }),
  'metrics.get': params({ rangeSeconds: Optional(Integer({ minimum: 1, maximum: 3600 })) }),
};
