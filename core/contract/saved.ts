/** Shapes of what a person keeps for publishing: payload schemas, saved requests and their variables. */
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

/** A JSON Schema for the data of a topic, or of one event type of it. */
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
  /** The schema that was used; absent: no schema is bound, and every payload is valid. */
  schemaId: Optional(Text()),
  name: Optional(Text()),
  /** Mistakes, at most 100. */
  errors: list(schemaMistake),
});
export type SchemaVerdict = Static<typeof schemaVerdict>;

/** A publish that is saved under a name. Texts of `request` may hold variables such as `{{uuid}}`. */
export const savedRequest = members({
  requestId: Text(),
  name: Text(),
  folder: Optional(Text()),
  /** Digit of the shortcut that sends it from the Publish screen. */
  shortcut: Optional(Num()),
  inPalette: Optional(Bool()),
  savedAt: Text(),
  /** File of the component folder that holds the request and has to be edited to change it. */
  file: Optional(Text()),
  request: publishParams,
});
export type SavedRequest = Static<typeof savedRequest>;

/** One publish of the last 200, as it was sent. */
export const pastRequest = members({
  at: Text(),
  request: publishParams,
  messageId: Optional(Text()),
  /** Code of the error, if the publish was refused. */
  code: Optional(Text()),
});
export type PastRequest = Static<typeof pastRequest>;

/** Content of a `*.sidelight.json` file. */
export const requestsFile = members({
  sidelight: Literal('requests'),
  version: Literal(1),
  requests: list(omit(savedRequest, ['savedAt', 'file'])),
});
export type RequestsFile = Static<typeof requestsFile>;

/** Unsent drafts of the publish screens, as the console last saved them. */
export const keptDrafts = members({
  drafts: Unknown(),
  savedAt: orNull(Text()),
});
export type KeptDrafts = Static<typeof keptDrafts>;

export const variables = dictionary(Text());
export type Variables = Static<typeof variables>;
