/** Shapes of publish and bulk publish, on the wire and as console methods. */
import { name, texts } from './bounds.ts';
import { dictionary, list, Literal, members, Optional, Text, Unknown } from './schema.ts';
import type { Static } from './schema.ts';

/** One entry of `messages.publishBulk`. */
export const bulkEntry = members({
  entryId: Text(),
  event: Optional(Unknown()),
  /** JSON text of the event, published unchanged, instead of `event`. Parsing would round long numbers. */
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

/** One failed entry in the body of a bulk publish that is answered 500. */
export const failedEntryReport = members({
  failedEntries: list(failedEntry),
  errorCode: Literal('ERR_PUBSUB_PUBLISH_MESSAGE'),
});
export type FailedEntryReport = Static<typeof failedEntryReport>;

/**
 * Parameters of `messages.publish`. `data` is sent unchanged if it is a string, else as JSON; bytes go into
 * `dataBase64`.
 */
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
  /**
   * `Content-Type` of the request; default application/json. A message with any other type is accepted and
   * flagged.
   */
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

/** Changes to a message that replay, release and edit allow. `attributes: {x: null}` removes x. */
export const messageChanges = members(changeable);
export type MessageChanges = Static<typeof messageChanges>;

/** Changes that a replay to a topic allows: those of a message, and the component. */
export const replayChanges = members({ pubsubname: Optional(name), ...changeable });
export type ReplayChanges = Static<typeof replayChanges>;
