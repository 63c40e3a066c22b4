/**
 * Merges the fields of one app with those of `common`: a field that is empty for the app has the value of
 * `common`.
 */
import { APP_FIELDS, meantBy, unknownField, unusedField } from './fields.ts';
import type { BlockName, Field } from './fields.ts';
import { located, mistakeAt } from './file-mistake.ts';
import type { Mistakes } from './file-mistake.ts';
import { inWords, readBoolean, readNumber, readText, readTexts, readVariables, wrong } from './values.ts';
import type { Read } from './values.ts';
import type { Position, RepeatedKey, Tree } from './yaml-tree.ts';

/** A value with its position. */
export interface Found<T> {
  readonly value: T;
  readonly at: Position;
  /** Mapping that has the value, which decides what its relative paths refer to. */
  readonly from: 'app' | 'common';
}

type Value = string | number | boolean | readonly string[] | Readonly<Record<string, string>> | Tree;

export interface Block {
  readonly values: ReadonlyMap<string, { readonly value: Value; readonly at: Position }>;
  readonly at: Position;
}

/** Notes about values without effect; each is given once, however many apps have it. */
export class Notes {
  readonly #file: string;
  readonly #texts = new Map<string, string>();
  /** The last unknown key, by the field that it probably means. */
  readonly #unknown = new Map<
    string,
    { readonly key: string; readonly at: Position; readonly text: string }
  >();
  /** Where unknown and repeated keys stand, by the sentences about them. */
  readonly #wrongKeys = new Map<string, Position>();

  constructor(file: string) {
    this.#file = file;
  }

  /**
   * Adds a note.
   * @param key subject of the note; only the first note of a key is kept
   */
  add(key: string, at: Position, text: string): void {
    if (!this.#texts.has(key)) this.#texts.set(key, located(this.#file, at, text));
  }

  /** Notes a key that is no field of its mapping. */
  addUnknown(key: string, at: Position, block: BlockName): void {
    const text = unknownField(key, block);
    this.add(`${block} ${key}`, at, text);
    this.#addWrongKey(text, at);
    const meant = meantBy(key, block);
    if (meant !== undefined) this.#unknown.set(meant, { key, at, text });
  }

  /** Notes a key that its mapping has twice. */
  addRepeated({ key, at, before }: RepeatedKey): void {
    const reason = `${inWords(key)} is given twice: this one counts, the one at line ${before.line} has no effect`;
    this.add(`repeated ${at.line}:${at.column}`, at, reason);
    this.#addWrongKey(reason, at);
  }

  #addWrongKey(text: string, at: Position): void {
    if (!this.#wrongKeys.has(text)) this.#wrongKeys.set(text, at);
  }

  /**
   * Addition to the complaint about a missing field, if an unknown key may mean it; "" = none does.
   * @param from position of its mapping
   */
  insteadOf(field: string, from: Position): string {
    const found = this.#unknown.get(field);
    if (found === undefined || found.at.line < from.line) return '';
    this.takeMeaning(field);
    return `; did you mean it with ${inWords(found.key)} (line ${found.at.line})?`;
  }

  /** An unknown key that probably means this field, with its position; undefined = none does. Then no other sentence names it. */
  takeMeaning(field: string): { readonly key: string; readonly at: Position } | undefined {
    const found = this.#unknown.get(field);
    if (found !== undefined && this.#wrongKeys.get(found.text) === found.at)
      this.#wrongKeys.delete(found.text);
    return found;
  }

  get all(): readonly string[] {
    return [...this.#texts.values()];
  }

  /** The notes on unknown keys that probably mean another one. */
  get slips(): readonly string[] {
    return [...this.#unknown.values()].map(({ at, text }) => located(this.#file, at, text));
  }

  /** Unknown and repeated keys that no complaint has named: to be said together with the mistakes for which a file is refused. */
  get wrongKeys(): ReadonlyMap<string, Position> {
    return this.#wrongKeys;
  }
}

/** Reads every field of one mapping by its type. Throws UsageError if it is no mapping; a field that cannot be read is one of the mistakes. */
export function readBlock(
  file: string,
  tree: Tree,
  name: 'common' | 'an app',
  { notes, mistakes }: { readonly notes: Notes; readonly mistakes: Mistakes },
): Block {
  if (tree.kind === 'null') return { values: new Map(), at: tree };
  if (tree.kind !== 'map') throw mistakeAt(file, tree, `${name} ${wrong(tree, 'a mapping of fields').wrong}`);
  const values = new Map<string, { readonly value: Value; readonly at: Position }>();
  for (const { key, at, value } of tree.entries) {
    const field = Object.hasOwn(APP_FIELDS, key) ? APP_FIELDS[key] : undefined;
    if (field === undefined || (name === 'common' && !field.shared)) {
      // A value with an anchor may exist only to be repeated elsewhere.
      if (value.hasAnchor !== true) notes.addUnknown(key, at, name);
      continue;
    }
    const read = mistakes.attempt(() => fieldAt(file, key, field, value));
    if (read === undefined) continue;
    values.set(key, { value: read.value, at: value.kind === 'null' ? at : value });
    const unused = unusedField(key);
    if (unused !== undefined && !isZero(read.value)) notes.add(key, at, unused);
  }
  return { values, at: tree };
}

function fieldAt(file: string, key: string, field: Field, value: Tree): { readonly value: Value } {
  const read = readField(field, value);
  if ('wrong' in read) throw mistakeAt(file, read.at, `${key} ${read.wrong}`);
  return read;
}

function readField({ type }: Field, tree: Tree): Read<Value> {
  switch (type) {
    case 'text':
      return readText(tree);
    case 'number':
      return readNumber(tree);
    case 'boolean':
      return readBoolean(tree);
    case 'texts':
      return readTexts(tree);
    case 'variables':
      return readVariables(tree);
    case 'tree':
      return { value: tree };
  }
}

function isZero(value: Value): boolean {
  if (typeof value !== 'object') return value === '' || value === 0 || value === false;
  return Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0;
}

/** The fields of one app over those of `common`. */
export class MergedFields {
  readonly at: Position;
  readonly #app: Block;
  readonly #common: Block;

  constructor(app: Block, common: Block, notes: Notes) {
    this.at = app.at;
    this.#app = app;
    this.#common = common;
    for (const [key, { value, at }] of app.values) {
      const before = common.values.get(key);
      if (before === undefined || !isZero(value) || isZero(before.value) || key === 'env') continue;
      notes.add(
        `${key} set back`,
        at,
        `${key} cannot be set back in an app: an empty value takes the one of common`,
      );
    }
  }

  text(key: string): Found<string> | undefined {
    return this.#find(key, (value) => typeof value === 'string');
  }

  number(key: string): Found<number> | undefined {
    return this.#find(key, (value) => typeof value === 'number');
  }

  isOn(key: string): boolean {
    return this.#find(key, (value) => typeof value === 'boolean')?.value === true;
  }

  texts(key: string): Found<readonly string[]> | undefined {
    return this.#find(key, isTexts);
  }

  /** A value of the app only, or of `common` only. */
  own(from: 'app' | 'common', key: string): Found<Value> | undefined {
    const found = (from === 'app' ? this.#app : this.#common).values.get(key);
    return found === undefined || isZero(found.value) ? undefined : { ...found, from };
  }

  /** Variables of both mappings by name; those of the app win. */
  env(): Readonly<Record<string, string>> {
    return { ...mapOf(this.#common.values.get('env')?.value), ...mapOf(this.#app.values.get('env')?.value) };
  }

  tree(key: string): Tree | undefined {
    const value = this.#app.values.get(key)?.value;
    return isTree(value) ? value : undefined;
  }

  #find<T extends Value>(key: string, is: (value: Value) => value is T): Found<T> | undefined {
    const found = this.own('app', key) ?? this.own('common', key);
    return found !== undefined && is(found.value) ? { ...found, value: found.value } : undefined;
  }
}

export function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value);
}

function mapOf(value: Value | undefined): Readonly<Record<string, string>> {
  return typeof value === 'object' && !isTexts(value) && !isTree(value) ? value : {};
}

function isTree(value: Value | undefined): value is Tree {
  return typeof value === 'object' && 'kind' in value && 'line' in value && typeof value.line === 'number';
}
