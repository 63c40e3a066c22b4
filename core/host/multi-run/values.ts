/**
 * Reads values of a multi-app file by their type: what the reference accepts as a text, a number, a list. Any
 * other value gives one sentence.
 */
import type { Tree } from './yaml-tree.ts';

/** A value, or the mistake. */
export type Read<T> = { readonly value: T } | { readonly wrong: string; readonly at: Tree };

export function readText(tree: Tree): Read<string> {
  switch (tree.kind) {
    case 'null':
      return { value: '' };
    case 'text':
    case 'number':
    case 'boolean':
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
    const items = wordsOf(tree.text).map(quoted).join(', ');
    return { wrong: `must be a list: [${items}]; it is ${shown(tree)}`, at: tree };
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

export function readMap(tree: Tree): Read<Readonly<Record<string, string>>> {
  if (tree.kind === 'null') return { value: {} };
  if (tree.kind !== 'map') return wrong(tree, 'a mapping such as NAME: value');
  const entries: [string, string][] = [];
  for (const { key, value } of tree.entries) {
    const read = readText(value);
    if ('wrong' in read) return { wrong: `has ${key}, which ${read.wrong}`, at: value };
    entries.push([key, read.value]);
  }
  return { value: Object.fromEntries(entries) };
}

export function wrong(tree: Tree, expected: string): { readonly wrong: string; readonly at: Tree } {
  return { wrong: `must be ${expected}; it is ${shown(tree)}`, at: tree };
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
      return `the number ${tree.text}`;
    case 'boolean':
      return tree.text;
    case 'text':
      return `the text ${JSON.stringify(tree.text.slice(0, 60))}`;
  }
}

/** The words of a text that should have been a list; quotes hold a word together, as in a shell. */
function wordsOf(text: string): readonly string[] {
  const words = text.match(/(?:"[^"]*"|'[^']*'|[^\s,"'])+|["']/g) ?? [];
  return words.map((word) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'));
}

function quoted(word: string): string {
  return /^[\w./@-]+$/.test(word) ? word : JSON.stringify(word);
}
