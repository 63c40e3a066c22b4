/** What a person keeps for publishing: payload schemas, saved requests and their variables. */
import { publishParams } from './publish.ts';
import {
  Bool,
  dictionary,
  list,
  Literal,
  members,
  Num,
  omit,
  Optional,
  orNull,
  Text,
  Unknown,
} from './schema.ts';
import type { Static } from './schema.ts';

/** A JSON Schema for the data of a topic, of one event type where one is named. */
export const payloadSchema = members({
  schemaId: Text(),
  name: Text(),
  topic: Text(),
  eventType: Optional(Text()),
  /** The JSON Schema itself: an object, `true` or `false`. */
  schema: Unknown(),
});
export type PayloadSchema = Static<typeof payloadSchema>;

export const schemaMistake = members({
  /** JSON pointer into the data; "" is the whole. */
  path: Text(),
  message: Text(),
});
export type SchemaMistake = Static<typeof schemaMistake>;

export const schemaVerdict = members({
  valid: Bool(),
  /** The schema that was used; absent: none is bound, everything is valid. */
  schemaId: Optional(Text()),
  name: Optional(Text()),
  /** At most 100. */
  errors: list(schemaMistake),
});
export type SchemaVerdict = Static<typeof schemaVerdict>;

/** A publish that is kept under a name. Texts of `request` may hold variables such as `{{uuid}}`. */
export const savedRequest = members({
  requestId: Text(),
  name: Text(),
  folder: Optional(Text()),
  /** A digit that runs it from the Publish screen. */
  shortcut: Optional(Num()),
  inPalette: Optional(Bool()),
  savedAt: Text(),
  /** The file of the component folder that it stands in; it is changed there. */
  file: Optional(Text()),
  request: publishParams,
});
export type SavedRequest = Static<typeof savedRequest>;

/** One publish of the last 200, as it was sent. */
export const pastRequest = members({
  at: Text(),
  request: publishParams,
  messageId: Optional(Text()),
  /** Code of the refusal. */
  code: Optional(Text()),
});
export type PastRequest = Static<typeof pastRequest>;

/** What a `*.sidelight.json` file holds. */
export const requestsFile = members({
  sidelight: Literal('requests'),
  version: Literal(1),
  requests: list(omit(savedRequest, ['savedAt', 'file'])),
});
export type RequestsFile = Static<typeof requestsFile>;

/** What is being written on the publish screens, as the console left it. */
export const keptDrafts = members({
  drafts: Unknown(),
  savedAt: orNull(Text()),
});
export type KeptDrafts = Static<typeof keptDrafts>;

export const variables = dictionary(Text());
export type Variables = Static<typeof variables>;
