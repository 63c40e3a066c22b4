/** The `metadata.*` parameters of a publish, read from the query. */
import { unescaped } from './escapes.ts';

const PREFIX = 'metadata.';
const NONE: Readonly<Record<string, string>> = Object.freeze({});

/**
 * Parameters whose name starts with exactly `metadata.`, without that prefix; of a repeated one the last value counts.
 * Others are ignored, and so is a pair with a broken escape, as the reference does. `+` is a space. Behaviour 1.1.
 * @param target request target with its query
 */
export function metadataQuery(target: string): Readonly<Record<string, string>> {
  const question = target.indexOf('?');
  if (question === -1 || question === target.length - 1) return NONE;
  const found = new Map<string, string>();
  for (const [name, value] of pairs(target.slice(question + 1))) {
    if (name.startsWith(PREFIX)) found.set(name.slice(PREFIX.length), value);
  }
  // Not an assignment: a key such as __proto__ has to become a member like any other.
  return found.size === 0 ? NONE : Object.fromEntries(found);
}

/** First value of one query parameter; undefined when it is not there. */
export function queryValue(target: string, wanted: string): string | undefined {
  const question = target.indexOf('?');
  if (question === -1) return undefined;
  for (const [name, value] of pairs(target.slice(question + 1))) {
    if (name === wanted) return value;
  }
  return undefined;
}

function* pairs(query: string): Generator<readonly [string, string]> {
  for (const part of query.split('&')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const name = unescaped(equals === -1 ? part : part.slice(0, equals));
    const value = unescaped(equals === -1 ? '' : part.slice(equals + 1));
    if (name !== undefined && value !== undefined) yield [name, value];
  }
}
