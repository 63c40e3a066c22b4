/** Checks a line of a recording against its shape. The lists of a message may be very long, so they are checked in steps. */
import type { TSchema } from 'typebox';
import { Check } from 'typebox/value';
import { isObject } from '../../domain/json.ts';
import { complaintOf } from '../../domain/shape-complaint.ts';
import { yieldToOthers } from '../stream/yield-to-others.ts';

/** Number of elements that are checked before other work has its turn. */
const AT_ONCE = 500;

/** Most values, lists and objects of a line, or of an element of one of its lists, without the lists in it. */
const MAX_PARTS = 10_000;

/** Why a line is not of this shape, with the place; undefined: it is. */
export async function mistakeIn(schema: TSchema, line: unknown): Promise<string | undefined> {
  let checked = 0;
  for (const mistake of mistakes(schema, line, '')) {
    if (mistake !== undefined) return mistake;
    checked += 1;
    if (checked % AT_ONCE === 0) await yieldToOthers();
  }
  return undefined;
}

/** Checks the value without its lists, then each of their elements; the first mistake is what counts. */
function* mistakes(schema: TSchema, value: unknown, field: string): Generator<string | undefined, void> {
  const lists = listsIn(schema, value);
  const names = lists.map(({ name }) => [name, []]);
  const rest = isObject(value) && names.length > 0 ? { ...value, ...Object.fromEntries(names) } : value;
  if (partsIn(rest, MAX_PARTS) > MAX_PARTS) {
    const place = field === '' ? 'the line' : field;
    return yield `${place} has more than ${MAX_PARTS.toLocaleString('en-US')} values without its lists`;
  }
  yield Check(schema, rest)
    ? undefined
    : (complaintOf(schema, rest, field)?.reason ?? 'it is not what a recording holds');
  for (const { name, shape, elements } of lists) {
    const place = `${field === '' ? '' : `${field}.`}${name}`;
    // A list that is too long is complained about before its elements are looked at.
    if (elements.length > (shape.maxItems ?? Infinity)) yield complaintOf(shape, elements, place)?.reason;
    for (const [index, element] of elements.entries())
      yield* mistakes(shape.items, element, `${place}[${index}]`);
  }
}

/** Number of values, lists and objects, counted up to the first one above `most`. */
function partsIn(value: unknown, most: number): number {
  if (typeof value !== 'object' || value === null) return 1;
  let parts = 1;
  for (const name in value) {
    if (parts > most) return parts;
    const member: unknown = Reflect.get(value, name);
    parts += partsIn(member, most - parts);
  }
  return parts;
}

interface List {
  readonly name: string;
  readonly shape: ListShape;
  readonly elements: readonly unknown[];
}

interface ListShape extends TSchema {
  readonly items: TSchema;
  readonly maxItems?: number;
}

/** The lists among the members of a value, where its shape has lists. */
function listsIn(schema: TSchema, value: unknown): readonly List[] {
  if (!isObject(value) || !('properties' in schema) || !isObject(schema.properties)) return [];
  return Object.entries(schema.properties).flatMap(([name, member]) => {
    const elements = Object.hasOwn(value, name) ? value[name] : undefined;
    return Array.isArray(elements) && isListShape(member) ? [{ name, shape: member, elements }] : [];
  });
}

function isListShape(shape: unknown): shape is ListShape {
  return isObject(shape) && shape['type'] === 'array' && isObject(shape['items']) && !('minItems' in shape);
}
