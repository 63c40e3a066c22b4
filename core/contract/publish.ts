/** Shapes of publish and bulk publish, as on the wire and as console methods. */

/** One entry of `messages.publishBulk`. */
export interface BulkEntry {
  readonly entryId: string;
  readonly event?: unknown;
  /** In place of `event`: its JSON text, published as it is written. Reading it would round numbers that no double holds. */
  readonly eventText?: string;
  readonly contentType: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

export interface FailedEntry {
  readonly entryId: string;
  readonly error: string;
}

/** Body of a bulk publish 500. */
export interface FailedEntryReport {
  readonly failedEntries: readonly FailedEntry[];
  readonly errorCode: 'ERR_PUBSUB_PUBLISH_MESSAGE';
}

/** Parameters of `messages.publish`: `data` a string is sent as it is, any other value as JSON; bytes as `dataBase64`. */
export interface PublishParams {
  readonly pubsubname: string;
  readonly topic: string;
  readonly data?: unknown;
  readonly dataBase64?: string;
  readonly contentType?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly appId?: string;
}

export interface PublishBulkParams {
  readonly pubsubname: string;
  readonly topic: string;
  readonly entries: readonly BulkEntry[];
  readonly metadata?: Readonly<Record<string, string>>;
  readonly appId?: string;
  /** `Content-Type` of the request; another than application/json, the default, is taken and flagged. */
  readonly contentType?: string;
}

/** What replay, release and edit may change of a message. `attributes: {x: null}` removes x. */
export interface MessageChanges {
  readonly topic?: string;
  readonly data?: unknown;
  readonly contentType?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly attributes?: Readonly<Record<string, unknown>>;
}

/** What a replay to a topic may change beside that: the component. */
export interface ReplayChanges extends MessageChanges {
  readonly pubsubname?: string;
}
