/**
 * Reads the metadata of a publish (`metadata.*` of the query): raw payload, and the overrides of the
 * envelope.
 */
import type { Profile } from '../contract/profile.ts';
import type { Complaint } from './result.ts';

export type Metadata = Readonly<Record<string, string>>;

const TRUE_WORDS: ReadonlySet<string> = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);
const FALSE_WORDS: ReadonlySet<string> = new Set(['', '0', 'f', 'F', 'FALSE', 'false', 'False']);

/**
 * Value of `rawPayload` of a publish or a subscription: absent or empty is false, undefined is unreadable.
 * Behaviour 2.2.
 */
export function readRawPayload(value: string | undefined): boolean | undefined {
  if (value === undefined || FALSE_WORDS.has(value)) return false;
  return TRUE_WORDS.has(value) ? true : undefined;
}

/** The interface's text for an unreadable `rawPayload` of a publish. */
export function rawPayloadComplaint(value: string): string {
  return `rawPayload value must be a valid boolean: actual is '${value}'`;
}

/** Maximum number of keys of one message, since each takes many times its own length in memory. */
const MAX_KEYS = 1000;
/** Estimated bytes of memory for a key and its value, without their characters. */
const KEY_MEMORY = 128;

/** Complaint about too many keys; undefined: there are not too many. */
export function keysComplaint(metadata: Metadata): Complaint | undefined {
  return keyCountComplaint(Object.keys(metadata).length);
}

/** Complaint about too many keys, by their number; undefined: there are not too many. */
export function keyCountComplaint(count: number): Complaint | undefined {
  if (count <= MAX_KEYS) return undefined;
  const reason = `a message has at most ${MAX_KEYS} metadata keys: actual are ${count}`;
  return {
    code: 'ERR_PUBSUB_REQUEST_METADATA',
    field: 'metadata',
    expected: `at most ${MAX_KEYS} keys`,
    reason,
    params: { reason },
  };
}

/** Number of characters in keys and values. */
export function lengthOf(metadata: Metadata): number {
  let length = 0;
  for (const [key, value] of Object.entries(metadata)) length += key.length + value.length;
  return length;
}

/** Estimated bytes of memory that the metadata takes. */
export function metadataMemory(metadata: Metadata): number {
  return KEY_MEMORY * Object.keys(metadata).length + 2 * lengthOf(metadata);
}

/**
 * A metadata value by its exact key; if the profile matches any letter case, else by the key in another case.
 */
export function metadataValue(metadata: Metadata, key: string, profile: Profile): string | undefined {
  if (Object.hasOwn(metadata, key)) return metadata[key];
  if (!profile.anyCaseNames) return undefined;
  const lower = key.toLowerCase();
  return Object.entries(metadata).findLast(([name]) => name.toLowerCase() === lower)?.[1];
}

/** Attributes that `metadata.cloudevent.<name>` may set; behaviour 1.3. */
const OVERRIDES = ['id', 'source', 'type', 'subject', 'traceid', 'traceparent', 'tracestate'] as const;
export type Override = (typeof OVERRIDES)[number];

const NO_OVERRIDES: Readonly<Partial<Record<Override, string>>> = {};

/** The overrides that are present and not empty. Other `cloudevent.*` keys are ignored. */
export function readOverrides(
  metadata: Metadata,
  profile: Profile,
): Readonly<Partial<Record<Override, string>>> {
  let found: Partial<Record<Override, string>> | undefined;
  for (const key of Object.keys(metadata)) {
    if (key.slice(0, 11).toLowerCase() !== 'cloudevent.') continue;
    found = {};
    break;
  }
  if (found === undefined) return NO_OVERRIDES;
  for (const name of OVERRIDES) {
    const value = metadataValue(metadata, `cloudevent.${name}`, profile);
    if (value !== undefined && value !== '') found[name] = value;
  }
  return found;
}
