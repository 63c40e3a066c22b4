/**
 * Reads values of a multi-app file by their type: what the reference accepts as a text, a number, a list. Any
 * other value gives one sentence.
 */
import { shortened } from '../../contract/cut-place.ts';
import type { Entry, Position, Tree } from './yaml-tree.ts';

/** A value, or the mistake. */
export type Read<T> = { readonly value: T } | { readonly wrong: string; readonly at: Position };

export function readText(tree: Tree): Read<string> {
  switch (tree.kind) {
    case 'null':
      return { value: '' };
    case 'text':
    case 'number':
    case 'boolean':
      // No path, argument or variable can hold one.
      if (tree.text.includes('\0')) return wrong(tree, 'a text without zero characters');
      return { value: tree.text };
    case 'map':
    case 'list':
      return wrong(tree, 'a text');
  }
}

export function readNumber(tree: Tree): Read<number> {
  if (tree.kind === 'null') return { value: 0 };
  if (tree.kind !== 'number') return wrong(tree, 'a number without quotes');
  const value = Number(tree.value);
  return Number.isSafeInteger(value) ? { value } : wrong(tree, 'a whole number');
}

export function readBoolean(tree: Tree): Read<boolean> {
  if (tree.kind === 'null') return { value: false };
  return tree.kind === 'boolean' ? { value: tree.value === true } : wrong(tree, 'true or false');
}

/**
 * Reads a list of texts. A text instead of a list is refused, as the reference does; the sentence shows the
 * list.
 */
export function readTexts(tree: Tree): Read<readonly string[]> {
  if (tree.kind === 'null') return { value: [] };
  if (tree.kind === 'text') {
    const { text } = tree;
    const items = wordsOf(text.slice(0, MAX_LIST_LENGTH)).map(quoted);
    if (text.length > MAX_LIST_LENGTH) items.push('…');
    return { wrong: `must be a list: [${items.join(', ')}]; it is ${shown(tree)}`, at: tree };
  }
  if (tree.kind !== 'list') return wrong(tree, 'a list of texts');
  const values: string[] = [];
  for (const item of tree.items) {
    const read = readText(item);
    if ('wrong' in read) return { wrong: `has an item that ${read.wrong}`, at: item };
    values.push(read.value);
  }
  return { value: values };
}

/** Reads the environment variables of an app by name. */
export function readVariables(tree: Tree): Read<Readonly<Record<string, string>>> {
  if (tree.kind === 'null') return { value: {} };
  if (tree.kind !== 'map') return wrong(tree, 'a mapping such as NAME: value');
  const entries: [string, string][] = [];
  for (const entry of tree.entries) {
    const { key, at, value } = entry;
    const read = readText(value);
    if ('wrong' in read) return { wrong: `has ${inWords(key)}, which ${read.wrong}`, at: value };
    const why = whyNoVariable(entry, read.value);
    if (why !== undefined) return { wrong: `has ${why}`, at };
    entries.push([key, read.value]);
  }
  return { value: Object.fromEntries(entries) };
}

/** Why an entry cannot be an environment variable; undefined: it can. */
function whyNoVariable({ key, value }: Entry, text: string): string | undefined {
  if (key === '') return 'an entry without a name: expected NAME: value';
  if (key.includes('\0')) return `${inWords(key)}, which must not hold a zero character`;
  const [name = '', ...rest] = key.split('=');
  if (rest.length === 0) return undefined;
  const meant = value.kind === 'null' ? rest.join('=') : [...rest, text].join('=');
  const hint = name === '' ? '' : `; did you mean ${quoted(name)}: ${quoted(meant)}?`;
  return `${inWords(key)}, which must be a name without =${hint}`;
}

export function wrong(tree: Tree, expected: string): { readonly wrong: string; readonly at: Tree } {
  return { wrong: `must be ${expected}; it is ${shown(tree)}`, at: tree };
}

/** Maximum number of characters of the file that one sentence repeats. */
const MAX_QUOTED_LENGTH = 60;
/** Maximum number of characters of a text that is shown as the list that it should have been. */
const MAX_LIST_LENGTH = 200;

/** A text of the file in quotes, shortened. */
export function inQuotes(text: string): string {
  return JSON.stringify(shortened(text, MAX_QUOTED_LENGTH));
}

/** A key of the file in a sentence. */
export function inWords(key: string): string {
  return key.length <= MAX_QUOTED_LENGTH && /^[\w.$-]+$/.test(key) ? key : inQuotes(key);
}

/** A value in the words of a sentence. */
export function shown(tree: Tree): string {
  switch (tree.kind) {
    case 'null':
      return 'empty';
    case 'map':
      return 'a mapping';
    case 'list':
      return 'a list';
    case 'number':
      return `the number ${tree.text.slice(0, MAX_QUOTED_LENGTH)}`;
    case 'boolean':
      return tree.text;
    case 'text':
      return `the text ${inQuotes(tree.text)}`;
  }
}

/** The words of a text that should have been a list; quotes hold a word together, as in a shell. */
function wordsOf(text: string): string[] {
  const words = text.match(/(?:"[^"]*"|'[^']*'|[^\s,"'])+|["']/g) ?? [];
  return words.map((word) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'));
}

function quoted(word: string): string {
  return word.length <= MAX_QUOTED_LENGTH && /^[\w./@-]+$/.test(word) ? word : inQuotes(word);
}
