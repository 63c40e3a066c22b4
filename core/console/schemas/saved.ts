/** What the methods on jobs, schemas and saved requests take. */
import {
  Array as List,
  Boolean as Bool,
  Integer,
  Literal,
  Number as Num,
  Optional,
  String as Text,
  Union,
  Unknown,
} from 'typebox';
import { filter, id, name, none, params, publish, texts } from './shapes.ts';

const messageIds = List(id, { minItems: 1, maxItems: 10_000 });

export const SAVED = {
  'messages.replayMany': params({
    messageIds: Optional(messageIds),
    filter: Optional(filter),
    ratePerSecond: Optional(Num({ minimum: 0.01, maximum: 100_000 })),
    originalSpacing: Optional(Bool()),
    to: Optional(Union([Literal('topic'), Literal('deliveries')])),
    skipProcessed: Optional(Bool()),
    removeAfter: Optional(Bool()),
    newEventId: Optional(Bool()),
    dryRun: Optional(Bool()),
  }),
  'messages.delete': params({ messageIds: Optional(messageIds), filter: Optional(filter) }),
  undo: params({ token: id }),
  'jobs.get': params({ jobId: id }),
  'jobs.list': none,
  'jobs.cancel': params({ jobId: id }),
  'schemas.list': none,
  'schemas.set': params({
    schemaId: Optional(id),
    name: Text({ minLength: 1, maxLength: 1000 }),
    topic: name,
    eventType: Optional(name),
    schema: Unknown(),
  }),
  'schemas.remove': params({ schemaId: id }),
  'schemas.validate': params({
    data: Unknown(),
    schemaId: Optional(id),
    topic: Optional(name),
    eventType: Optional(name),
    schema: Optional(Unknown()),
  }),
  'requests.list': none,
  'requests.save': params({
    requestId: Optional(id),
    name: Text({ minLength: 1, maxLength: 1000 }),
    folder: Optional(name),
    shortcut: Optional(Integer({ minimum: 1, maximum: 9 })),
    inPalette: Optional(Bool()),
    request: publish,
  }),
  'requests.remove': params({ requestId: id }),
  'requests.variables': params({ variables: texts }),
  'requests.export': params({ requestIds: Optional(List(id, { maxItems: 1000 })) }),
  'requests.import': params({ text: Text() }),
  'drafts.get': none,
  'drafts.set': params({ drafts: Unknown() }),
  'requests.resolve': params({ request: publish }),
  'requests.run': params({ requestId: Optional(id), request: Optional(publish) }),
};
