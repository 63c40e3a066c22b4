/** What goes into a publish, what the world adds, and what comes out of wrapping. */
import type { Profile } from '../contract/profile.ts';
import type { Codec, Wire } from './codec.ts';

export interface PublishInput {
  readonly pubsubname: string;
  readonly topic: string;
  /** As the publisher gave it, parameters included; absent or empty is `text/plain`. */
  readonly contentType?: string;
  readonly body: Wire;
  readonly metadata: Readonly<Record<string, string>>;
}

/** What the world knows and the publish does not say. */
export interface PublishFacts {
  /** UUID of the event. */
  readonly id: string;
  readonly nowMs: number;
  readonly appId: string;
  readonly traceparent: string;
  /** The one in `traceparent`, where it is at hand; else it is read from there. */
  readonly traceId?: string;
  readonly tracestate: string;
  readonly profile: Profile;
  readonly codec: Codec;
  /** For a message that brings no TTL; 0 or absent = none. Raw payloads have none ever. */
  readonly defaultTtlSeconds?: number;
}

export interface Wrapped {
  readonly kind: 'wrapped' | 'own' | 'raw';
  readonly wire: Wire;
  readonly eventId?: string;
  readonly eventType?: string;
  readonly eventSource?: string;
  readonly subject?: string;
  readonly contentType: string;
  /** Trace id of the envelope, 32 hex digits. */
  readonly traceId?: string;
  readonly expiresAtMs?: number;
  /** Sentences a person should read. */
  readonly flags: readonly string[];
}

export const FLAGS = {
  notJson: 'Not valid JSON: kept as a string.',
  trailing: 'Text after the first JSON value was ignored.',
  notUtf8: 'Not valid UTF-8: the damaged characters were replaced.',
  rawTtl: 'Raw payload: it has no envelope, so the time to live has no effect.',
  badTtl: 'Sidelight could not read the time to live and ignored it.',
  noId: 'This CloudEvent has no id.',
  changed: 'A person changed the message while it was held.',
  otherVersion: 'Its specversion is not 1.0.',
} as const;

/** What was settled about a publish before its envelope is made. */
export interface Settled {
  readonly contentType: string;
  readonly expiresAtMs: number | undefined;
  readonly flags: readonly string[];
}
