/**
 * Functions that declare shapes and methods: each makes a JSON Schema that carries the type of its values.
 * This is the only file of the contract that uses the schema library. Files that import it must not get into
 * the page: see test/architecture/rules.ts.
 */
import {
  Array as ListOf,
  Literal,
  Null,
  Object as ObjectOf,
  Optional,
  String as Text,
  Union,
  Unsafe,
} from 'typebox';
import type { Static, TOptional, TProperties, TSchema, TUnsafe } from 'typebox';

export {
  Boolean as Bool,
  Integer,
  Literal,
  Null,
  Number as Num,
  Optional,
  String as Text,
  Union,
  Unknown,
  Unsafe,
} from 'typebox';
export type { Static, TSchema, TUnsafe } from 'typebox';

type OptionalKey<P extends TProperties> = {
  [K in keyof P]: P[K] extends TOptional<TSchema> ? K : never;
}[keyof P];
type Flat<T> = { [K in keyof T]: T[K] };
/** The type of an object with these members, all of them readonly. */
type MembersOf<P extends TProperties> = Flat<
  { readonly [K in Exclude<keyof P, OptionalKey<P>>]: Static<P[K]> } & {
    readonly [K in OptionalKey<P>]?: Static<P[K]>;
  }
>;

/** An object with exactly these members. */
export function members<const P extends TProperties>(properties: P): TUnsafe<MembersOf<P>> {
  return Unsafe<MembersOf<P>>(ObjectOf(properties, { additionalProperties: false }));
}

/** Schemas of an object's members, by name. */
export function propertiesOf(schema: TSchema): TProperties {
  const { properties = {} }: { properties?: TProperties } = schema;
  return properties;
}

/** The members of `base` and these, which replace those of the same name. */
export function extend<T, const P extends TProperties>(
  base: TUnsafe<T>,
  more: P,
): TUnsafe<Flat<Omit<T, keyof P> & MembersOf<P>>> {
  return Unsafe(members({ ...propertiesOf(base), ...more }));
}

/** The members of `base` without these. */
export function omit<T, const K extends readonly (keyof T & string)[]>(
  base: TUnsafe<T>,
  names: K,
): TUnsafe<Flat<Omit<T, K[number]>>> {
  const left = Object.entries(propertiesOf(base)).filter(([name]) => !names.some((other) => other === name));
  return Unsafe(members(Object.fromEntries(left)));
}

/** The named members of `base`, in the order of the names. */
export function pick<T, const K extends readonly (keyof T & string)[]>(
  base: TUnsafe<T>,
  names: K,
): TUnsafe<Flat<Pick<T, K[number]>>> {
  const known = propertiesOf(base);
  const picked = names.flatMap((name) => (known[name] === undefined ? [] : [[name, known[name]]]));
  return Unsafe(members(Object.fromEntries(picked)));
}

/** The members of `base`, all of them optional. */
export function partial<T>(base: TUnsafe<T>): TUnsafe<Flat<Partial<T>>> {
  const all = Object.entries(propertiesOf(base)).map(([name, value]) => [name, Optional(value)]);
  return Unsafe(members(Object.fromEntries(all)));
}

/** An object without members. */
export const none = Unsafe<Readonly<Record<string, never>>>({
  type: 'object',
  properties: {},
  additionalProperties: false,
});

/** A readonly list. */
export function list<T extends TSchema>(
  item: T,
  bounds: { readonly minItems?: number; readonly maxItems?: number } = {},
): TUnsafe<readonly Static<T>[]> {
  return Unsafe<readonly Static<T>[]>(ListOf(item, bounds));
}

/** Values by any names. */
export function dictionary<T extends TSchema>(value: T): TUnsafe<Readonly<Record<string, Static<T>>>> {
  return Unsafe<Readonly<Record<string, Static<T>>>>({ type: 'object', additionalProperties: value });
}

/** Values for some of these names. */
export function someOf<const W extends readonly string[], T extends TSchema>(
  names: W,
  value: T,
): TUnsafe<Readonly<Partial<Record<W[number], Static<T>>>>> {
  const properties = Object.fromEntries(names.map((name) => [name, Optional(value)]));
  return Unsafe<Readonly<Partial<Record<W[number], Static<T>>>>>(
    ObjectOf(properties, { additionalProperties: false }),
  );
}

/** Values for each of these names. */
export function eachOf<const W extends readonly string[], T extends TSchema>(
  names: W,
  value: T,
): TUnsafe<Readonly<Record<W[number], Static<T>>>> {
  const properties = Object.fromEntries(names.map((name) => [name, value]));
  return Unsafe<Readonly<Record<W[number], Static<T>>>>(
    ObjectOf(properties, { additionalProperties: false }),
  );
}

/** The names in a table, for `oneOf`. */
export function keysOf<T extends object>(table: T): readonly (keyof T & string)[] {
  // A constant table has exactly the names of its type.
  return Object.keys(table) as (keyof T & string)[];
}

/** One of these words. */
export function oneOf<const W extends readonly string[]>(words: W): TUnsafe<W[number]> {
  return Unsafe<W[number]>(Union(words.map((word) => Literal(word))));
}

/** The value, or null. */
export function orNull<T extends TSchema>(value: T): TUnsafe<Static<T> | null> {
  const { anyOf: forms = [value] }: { anyOf?: TSchema[] } = value;
  return Unsafe<Static<T> | null>(Union([...forms, Null()]));
}

/** One page of a longer list, with these members beside the items. */
export function page<T extends TSchema>(
  item: T,
): TUnsafe<{ readonly items: readonly Static<T>[]; readonly nextCursor: string | null }> {
  return members({ items: list(item), nextCursor: orNull(Text()) });
}

/** A list that is returned whole, because it is short. */
export function whole<T extends TSchema>(
  item: T,
): TUnsafe<{ readonly items: readonly Static<T>[]; readonly nextCursor: null }> {
  return members({ items: list(item), nextCursor: Null() });
}
