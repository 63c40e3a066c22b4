/** Publish metadata (`metadata.*` of the query): raw payload, and what it overrides in the envelope. */
import type { Profile } from '../contract/profile.ts';

export type Metadata = Readonly<Record<string, string>>;

const TRUE_WORDS: ReadonlySet<string> = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);
const FALSE_WORDS: ReadonlySet<string> = new Set(['', '0', 'f', 'F', 'FALSE', 'false', 'False']);

/** Value of `rawPayload`, of a publish or a subscription: absent or empty is false, undefined is unreadable. Behaviour 2.2. */
export function readRawPayload(value: string | undefined): boolean | undefined {
  if (value === undefined || FALSE_WORDS.has(value)) return false;
  return TRUE_WORDS.has(value) ? true : undefined;
}

/** The text that the interface's reference gives for an unreadable `rawPayload` of a publish. */
export function rawPayloadComplaint(value: string): string {
  return `rawPayload value must be a valid boolean: actual is '${value}'`;
}

/** A metadata value under its exact key; in a profile of any case, else under the same letters. */
export function metadataValue(metadata: Metadata, key: string, profile: Profile): string | undefined {
  if (Object.hasOwn(metadata, key)) return metadata[key];
  if (!profile.anyCaseNames) return undefined;
  const lower = key.toLowerCase();
  return Object.entries(metadata).findLast(([name]) => name.toLowerCase() === lower)?.[1];
}

/** Attributes that `metadata.cloudevent.<name>` may set; behaviour 1.3. */
export const OVERRIDES = ['id', 'source', 'type', 'subject', 'traceid', 'traceparent', 'tracestate'] as const;
export type Override = (typeof OVERRIDES)[number];

const NO_OVERRIDES: Readonly<Partial<Record<Override, string>>> = {};

/** Overrides that are there and not empty; other `cloudevent.*` keys are ignored. */
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
