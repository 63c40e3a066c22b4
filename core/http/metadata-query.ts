/** Reads the `metadata.*` parameters of a publish from the query. */
import type { Differences } from '../contract/profile.ts';
import { isMisplacedTtl } from '../domain/ttl-notes.ts';
import { unescaped } from './escapes.ts';

const PREFIX = 'metadata.';
const BROKEN = /%(?![0-9a-f]{2})/gi;
const NONE: Readonly<Record<string, string>> = Object.freeze({});

/**
 * Parameters whose name starts with exactly `metadata.`, by their name without that prefix; others are ignored. `+` is a space. Behaviour
 * 1.1.
 * @param target request target with its query
 * @param differences rules for a repeated parameter, and for one with `;` or a broken escape
 */
export function metadataQuery(
  target: string,
  { repeatedMetadata, oddParameter }: Pick<Differences, 'repeatedMetadata' | 'oddParameter'>,
): Readonly<Record<string, string>> {
  const question = target.indexOf('?');
  if (question === -1 || question === target.length - 1) return NONE;
  const found = new Map<string, string>();
  for (const [name, value] of pairs(target.slice(question + 1), oddParameter)) {
    if (!name.startsWith(PREFIX)) continue;
    const key = name.slice(PREFIX.length);
    if (repeatedMetadata === 'last' || !found.has(key)) found.set(key, value);
  }
  // Object.fromEntries is used, because a key such as __proto__ has to become a member like any other.
  return found.size === 0 ? NONE : Object.fromEntries(found);
}

/** The first parameter with a value that is no metadata and probably stands for the time to live; undefined: there is none. */
export function misplacedTtl(target: string): string | undefined {
  const question = target.indexOf('?');
  if (question === -1) return undefined;
  for (const [name, value] of pairs(target.slice(question + 1), 'text'))
    if (value !== '' && !name.startsWith(PREFIX) && isMisplacedTtl(name)) return name;
  return undefined;
}

/** First value of one query parameter; undefined: it is absent. */
export function queryValue(target: string, wanted: string): string | undefined {
  const question = target.indexOf('?');
  if (question === -1) return undefined;
  for (const [name, value] of pairs(target.slice(question + 1), 'text')) {
    if (name === wanted) return value;
  }
  return undefined;
}

function* pairs(
  query: string,
  odd: Differences['oddParameter'],
): Generator<readonly [name: string, value: string]> {
  for (const part of query.split('&')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const [name, value] = equals === -1 ? [part, ''] : [part.slice(0, equals), part.slice(equals + 1)];
    const isOdd = part.includes(';') || unescaped(part) === undefined;
    if (!isOdd || odd === 'text') yield [asText(name), asText(value)];
  }
}

/** Resolves the escapes of a text; a broken one stays as it is written. */
function asText(text: string): string {
  return unescaped(text) ?? unescaped(text.replaceAll(BROKEN, '%25')) ?? text;
}
