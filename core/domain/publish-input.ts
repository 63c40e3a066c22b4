/** Input of wrapping a publish, the facts from outside, and the result. */
import { shortened } from '../contract/cut-place.ts';
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

/** Characters of a value that a note shows. */
const MAX_SHOWN = 40;

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

const NO_TTL =
  ' is not a number of seconds (30) or a duration (30s), so it has no effect: the message does not expire by it.';

/** Note about a time to live that is no duration. */
export function unreadableTtl(key: string, value: string): string {
  return `${key}=${shortened(value, MAX_SHOWN)}${NO_TTL}`;
}

function isUnreadableTtl(note: string): boolean {
  return note.endsWith(NO_TTL);
}

const NO_TTL_NAME = ' is no time to live, so the message does not expire by it. Did you mean ';

/**
 * Note about a parameter that nearly has the name of the time to live.
 * @param meant the parameter that was probably meant
 */
export function misnamedTtl(name: string, meant: string): string {
  return `${shortened(name, MAX_SHOWN)}${NO_TTL_NAME}${meant}?`;
}

/** Name of the parameter that a note about the time to live is about; undefined: it is about something else. */
export function ttlParameter(note: string): string | undefined {
  if (isUnreadableTtl(note)) return note.slice(0, note.indexOf('='));
  const at = note.indexOf(NO_TTL_NAME);
  return at === -1 ? undefined : note.slice(0, at);
}

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
