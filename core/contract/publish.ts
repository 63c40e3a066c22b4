/** Shapes of publish and bulk publish, as on the wire and as console methods. */
import { name, texts } from './bounds.ts';
import { dictionary, list, Literal, members, Optional, Text, Unknown } from './schema.ts';
import type { Static } from './schema.ts';

/** One entry of `messages.publishBulk`. */
export const bulkEntry = members({
  entryId: Text(),
  event: Optional(Unknown()),
  /** In place of `event`: its JSON text, published as it is written. Reading it would round numbers that no double holds. */
  eventText: Optional(Text()),
  contentType: Text(),
  metadata: Optional(texts),
});
export type BulkEntry = Static<typeof bulkEntry>;

export const failedEntry = members({
  entryId: Text(),
  error: Text(),
});
export type FailedEntry = Static<typeof failedEntry>;

/** Body of a bulk publish 500. */
export const failedEntryReport = members({
  failedEntries: list(failedEntry),
  errorCode: Literal('ERR_PUBSUB_PUBLISH_MESSAGE'),
});
export type FailedEntryReport = Static<typeof failedEntryReport>;

/** Parameters of `messages.publish`: `data` a string is sent as it is, any other value as JSON; bytes as `dataBase64`. */
export const publishParams = members({
  pubsubname: Text(),
  topic: Text(),
  data: Optional(Unknown()),
  dataBase64: Optional(Text()),
  contentType: Optional(Text()),
  metadata: Optional(texts),
  appId: Optional(name),
});
export type PublishParams = Static<typeof publishParams>;

export const publishBulkParams = members({
  pubsubname: Text(),
  topic: Text(),
  entries: list(bulkEntry),
  metadata: Optional(texts),
  appId: Optional(name),
  /** `Content-Type` of the request; another than application/json, the default, is taken and flagged. */
  contentType: Optional(name),
});
export type PublishBulkParams = Static<typeof publishBulkParams>;

const changeable = {
  topic: Optional(name),
  data: Optional(Unknown()),
  contentType: Optional(name),
  metadata: Optional(texts),
  attributes: Optional(dictionary(Unknown())),
};

/** What replay, release and edit may change of a message. `attributes: {x: null}` removes x. */
export const messageChanges = members(changeable);
export type MessageChanges = Static<typeof messageChanges>;

/** What a replay to a topic may change beside that: the component. */
export const replayChanges = members({ pubsubname: Optional(name), ...changeable });
export type ReplayChanges = Static<typeof replayChanges>;
