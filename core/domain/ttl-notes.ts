/** Notes for a person about a time to live without effect: its value is no duration, or its name is nearly the right one. */
import { shortened } from '../contract/cut-place.ts';
import { nearest } from '../contract/nearest.ts';
import type { Profile } from '../contract/profile.ts';
import type { PublishInput } from './publish-input.ts';
import { givenTtl } from './ttl.ts';

/** Name of the metadata key that everybody knows. */
const TTL_KEY = 'ttlInSeconds';
/** What the query parameters that are metadata begin with, before a dot. */
const METADATA = 'metadata';
/** Characters of a value or name that a note shows. */
const MAX_SHOWN = 40;

const NO_VALUE =
  ' is not a number of seconds (30) or a duration (30s), so it has no effect: the message does not expire by it.';
const NO_EFFECT = ' has no effect, so the message does not expire by it. Did you mean ';

/**
 * Notes about a publish whose time to live cannot be read, or that has none. A value that is empty counts as none, as on the reference:
 * nobody is told of it.
 */
export function ttlNotes(
  { metadata, misplacedTtl }: Pick<PublishInput, 'metadata' | 'misplacedTtl'>,
  profile: Profile,
): readonly string[] {
  const given = givenTtl(metadata, profile);
  if (given !== undefined) return [`${given.key}=${shortened(given.value, MAX_SHOWN)}${NO_VALUE}`];
  // A name that is known has no value here.
  const misnamed = Object.keys(metadata).find((name) => metadata[name] !== '' && isNearTtl(name));
  if (misnamed !== undefined) return [noEffect('metadata key', misnamed, TTL_KEY)];
  return misplacedTtl === undefined
    ? []
    : [noEffect('query parameter', misplacedTtl, `${METADATA}.${TTL_KEY}`)];
}

/** Whether a query parameter that is no metadata probably stands for the time to live: `ttl`, `Metadata.ttlInSeconds`. */
export function isMisplacedTtl(parameter: string): boolean {
  const dot = parameter.indexOf('.');
  const isNearMetadata = dot !== -1 && nearest(parameter.slice(0, dot), [METADATA]) !== undefined;
  return isNearTtl(isNearMetadata ? parameter.slice(dot + 1) : parameter);
}

/** What a note about the time to live has in common with those of other values; undefined: it is about something else. */
export function ttlMistake(note: string): string | undefined {
  if (note.endsWith(NO_VALUE)) return note.slice(0, note.indexOf('='));
  return note.includes(NO_EFFECT) ? note : undefined;
}

function isNearTtl(name: string): boolean {
  return nearest(name, [TTL_KEY]) !== undefined;
}

function noEffect(what: string, name: string, meant: string): string {
  return `The ${what} ${shortened(name, MAX_SHOWN)}${NO_EFFECT}${meant}?`;
}
