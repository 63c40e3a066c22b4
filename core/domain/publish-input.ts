/** Input of wrapping a publish, the facts from outside, and the result. */
import type { Profile } from '../contract/profile.ts';
import type { Codec, Wire } from './codec.ts';
import { meantJsonType } from './content-type.ts';

export interface PublishInput {
  readonly pubsubname: string;
  readonly topic: string;
  /** Content type as the publisher gave it, parameters included; absent or empty counts as `text/plain`. */
  readonly contentType?: string;
  readonly body: Wire;
  readonly metadata: Readonly<Record<string, string>>;
  /** Query parameter that is no metadata and probably stands for the time to live; absent: there is none. */
  readonly misplacedTtl?: string;
}

/** Facts for the envelope that the publish itself does not have. */
export interface PublishFacts {
  /** UUID of the event. */
  readonly id: string;
  readonly nowMs: number;
  readonly appId: string;
  readonly traceparent: string;
  /** Trace id of `traceparent`, if the caller has it already; else it is read from there. */
  readonly traceId?: string;
  readonly tracestate: string;
  readonly profile: Profile;
  readonly codec: Codec;
  /** Time to live of a message that has none itself; 0 or absent = none. Raw payloads never have one. */
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
  /** Notes for a person. */
  readonly flags: readonly string[];
}

export const FLAGS = {
  notJson: 'Not valid JSON: kept as a string.',
  jsonAsText: 'Sent without application/json, so the app gets text.',
  trailing: 'Text after the first JSON value was ignored.',
  notUtf8: 'Not valid UTF-8: the damaged characters were replaced.',
  rawTtl: 'Raw payload: it has no envelope, so the time to live has no effect.',
  noId: 'This CloudEvent has no id.',
  changed: 'A person changed the message while it was held.',
  otherVersion: 'Its specversion is not 1.0.',
} as const;

/** Note about JSON whose content type makes a text of it. */
export function jsonAsText(contentType: string): string {
  const meant = meantJsonType(contentType);
  return meant === undefined ? FLAGS.jsonAsText : `${FLAGS.jsonAsText} Did you mean ${meant}?`;
}

/** Values that are known about a publish before its envelope is made. */
export interface Settled {
  readonly contentType: string;
  readonly expiresAtMs: number | undefined;
  readonly flags: readonly string[];
}
