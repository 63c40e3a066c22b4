/**
 * Expiry of messages: from the publish's metadata or the envelope's own attribute, and whether it is past.
 */
import type { Profile } from '../contract/profile.ts';
import { parseDuration } from './duration.ts';
import { metadataValue } from './metadata.ts';
import type { Metadata } from './metadata.ts';
import type { Complaint } from './result.ts';

/** Largest number of 64 bits: the reference reads none beyond it. */
const MAX_SECONDS = 2n ** 63n - 1n;
/** Last time that RFC 3339 can write. */
const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59);

/**
 * Time to live in seconds; undefined: none was given, or it is unreadable (ignored, as the reference does).
 * `ttl` takes precedence over `ttlInSeconds`; the value is a duration (`10s`), else a whole number of
 * seconds. Behaviour 2.1.
 */
export function readTtl(metadata: Metadata, profile: Profile): number | undefined {
  const value = ttlText(metadata, profile);
  if (value === '') return undefined;
  const ms = parseDuration(value);
  if (ms !== undefined) return Math.max(ms, 0) / 1000;
  const digits = /^\+?0*([0-9]{1,19})$/.exec(value)?.[1];
  if (digits === undefined || BigInt(digits) > MAX_SECONDS) return undefined;
  const seconds = Number(digits);
  return seconds > 0 ? seconds : undefined;
}

/** The time to live as it was given, readable or not; undefined: there is none. */
export function givenTtl(
  metadata: Metadata,
  profile: Profile,
): { readonly key: string; readonly value: string } | undefined {
  const value = ttlText(metadata, profile);
  return value === '' ? undefined : { key: ttlKey(metadata, profile), value };
}

function ttlKey(metadata: Metadata, profile: Profile): 'ttl' | 'ttlInSeconds' {
  return metadataValue(metadata, 'ttl', profile) ? 'ttl' : 'ttlInSeconds';
}

/** Complaint about the time to live in a publish's metadata; undefined: there is none, or it is ignored. */
export function ttlComplaint(metadata: Metadata, profile: Profile): Complaint | undefined {
  const seconds = readTtl(metadata, profile);
  // Zero and less expire at once on purpose. A fraction of a second would too, because the attribute has
  // whole seconds, so it is refused.
  if (seconds === undefined || seconds <= 0 || seconds >= 1) return undefined;
  const key = ttlKey(metadata, profile);
  const reason = `${key} value must be at least one second: actual is '${ttlText(metadata, profile)}'`;
  return {
    code: 'ERR_PUBSUB_REQUEST_METADATA',
    field: `metadata.${key}`,
    expected: 'a whole number of seconds, or a duration of at least 1s',
    reason,
    params: { reason },
  };
}

/** Time of expiry (ms since 1970) of a message accepted at `nowMs`; undefined without a TTL. */
export function expiryOf(ttlSeconds: number | undefined, nowMs: number): number | undefined {
  return ttlSeconds === undefined ? undefined : Math.min(nowMs + ttlSeconds * 1000, LAST_MS);
}

/** Envelope attribute `expiration`: RFC 3339, UTC, whole seconds (cut off, not rounded). */
export function expirationAttribute(ms: number): string {
  return rfc3339(ms);
}

/** Time of expiry in the event itself; undefined: it has none, or an unreadable one. */
export function expirationOf(event: Readonly<Record<string, unknown>>): number | undefined {
  const value = event['expiration'];
  return typeof value === 'string' ? parseRfc3339(value) : undefined;
}

/** Whether the time of expiry has come. A TTL of 0 has expired at once. */
export function isExpired(expiresAtMs: number | undefined, nowMs: number): boolean {
  return expiresAtMs !== undefined && nowMs >= expiresAtMs;
}

let lastSecond = Number.NaN;
let lastText = '';

/** A time in RFC 3339, UTC, whole seconds. The last result is cached: under load many envelopes share a second. */
export function rfc3339(ms: number): string {
  const second = Math.floor(ms / 1000);
  if (second !== lastSecond) {
    lastText = `${new Date(ms).toISOString().slice(0, 19)}Z`;
    lastSecond = second;
  }
  return lastText;
}

const TIMESTAMP = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

/**
 * Milliseconds since 1970 of an RFC 3339 timestamp; undefined: the text is none (also for days that do not
 * exist).
 */
export function parseRfc3339(text: string): number | undefined {
  const match = TIMESTAMP.exec(text);
  if (match === null) return undefined;
  const part = (index: number): number => Number(match[index] ?? 0);
  const [year, month, day, hour, minute, second] = [part(1), part(2), part(3), part(4), part(5), part(6)];
  if (hour > 23 || minute > 59 || second > 59 || part(9) > 23 || part(10) > 59) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  date.setUTCHours(hour, minute, second, Math.floor(Number(`0.${match[7] ?? 0}`) * 1000));
  const offsetMs = (part(9) * 60 + part(10)) * 60_000;
  return date.getTime() - (match[8] === '-' ? -offsetMs : offsetMs);
}

function ttlText(metadata: Metadata, profile: Profile): string {
  return metadataValue(metadata, 'ttl', profile) || metadataValue(metadata, 'ttlInSeconds', profile) || '';
}
