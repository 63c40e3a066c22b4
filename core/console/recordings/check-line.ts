/** Checks a line of a recording against its shape. The lists of a message may be very long, so they are checked in steps. */
import type { TSchema } from 'typebox';
import { Check } from 'typebox/value';
import { isObject } from '../../domain/json.ts';
import { complaintOf } from '../../domain/shape-complaint.ts';
import { yieldToOthers } from '../stream/yield-to-others.ts';

/** Number of elements that are checked before other work has its turn. */
const AT_ONCE = 500;

/**
 * Most values, lists and objects of a line, or of an element of one of its lists, without the lists in it: what is checked while nothing else
 * runs. A rule of a thousand steps has tens of thousands.
 */
const MAX_PARTS = 50_000;

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
  if (hasManyParts(schema, rest)) {
    const place = field === '' ? 'the line' : field;
    return yield `${place} has more than ${MAX_PARTS.toLocaleString('en-US')} values`;
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

function hasManyParts(schema: TSchema, value: unknown): boolean {
  // Nearly every line is short, and counting by its shape takes longer.
  return partsIn(value, MAX_PARTS) > MAX_PARTS && partsIn(value, MAX_PARTS, [schema]) > MAX_PARTS;
}

/**
 * Number of values, lists and objects, counted up to the first one above `most`.
 * @param shapes those that the value may have: what may be anything counts once, because nothing in it is checked
 */
function partsIn(value: unknown, most: number, shapes: readonly TSchema[] = []): number {
  if (typeof value !== 'object' || value === null || shapes.some(mayBeAnything)) return 1;
  const forms = shapes.length === 0 ? shapes : shapes.flatMap(formsOf);
  let parts = 1;
  for (const name in value) {
    if (parts > most) return parts;
    const member: unknown = Reflect.get(value, name);
    const inner = forms.length === 0 ? forms : forms.flatMap((form) => memberOf(form, name));
    parts += partsIn(member, most - parts, inner);
  }
  return parts;
}

/** Shapes of which a value has one. */
function formsOf(shape: TSchema): readonly TSchema[] {
  return 'anyOf' in shape && Array.isArray(shape.anyOf)
    ? shape.anyOf.filter(isObject).flatMap(formsOf)
    : [shape];
}

/** Shape of a member of an object, or of an element of a list; none: the shape does not say. */
function memberOf(shape: TSchema, name: string): readonly TSchema[] {
  if ('items' in shape && isObject(shape.items)) return [shape.items];
  const members = 'properties' in shape ? shape.properties : undefined;
  const member = isObject(members) && Object.hasOwn(members, name) ? members[name] : undefined;
  return isObject(member) ? [member] : [];
}

function mayBeAnything(shape: TSchema): boolean {
  return Object.keys(shape).length === 0;
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
