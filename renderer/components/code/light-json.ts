/**
 * Colours for JSON that is too long to be parsed in the page: only the lines in sight are looked at, one by one. Formatted JSON has each
 * name and value on one line.
 */
import type { Extension } from '@codemirror/state';
import {
  Decoration,
  EditorView,
  MatchDecorator,
  ViewPlugin,
  type DecorationSet,
  type ViewUpdate,
} from '@codemirror/view';

const TOKEN = /"(?:[^"\\]|\\.)*"(?<colon>\s*:)?|-?\b\d[\d.eE+-]*|\b(?:true|false|null)\b/g;

const COLOURS = EditorView.theme({
  '.cm-light-key': { color: 'var(--syntax-key)' },
  '.cm-light-string': { color: 'var(--syntax-string)' },
  '.cm-light-number': { color: 'var(--syntax-number)' },
  '.cm-light-word': { color: 'var(--syntax-boolean)' },
});

const KEY = Decoration.mark({ class: 'cm-light-key' });
const STRING = Decoration.mark({ class: 'cm-light-string' });
const NUMBER = Decoration.mark({ class: 'cm-light-number' });
const WORD = Decoration.mark({ class: 'cm-light-word' });

function markOf(match: RegExpExecArray): Decoration {
  const first = match[0][0] ?? '';
  if (first === '"') return match.groups?.['colon'] === undefined ? STRING : KEY;
  return /[-\d]/.test(first) ? NUMBER : WORD;
}

const DECORATOR = new MatchDecorator({ regexp: TOKEN, decoration: markOf });

class Colouring {
  marks: DecorationSet;

  constructor(view: EditorView) {
    this.marks = DECORATOR.createDeco(view);
  }

  update(update: ViewUpdate): void {
    this.marks = DECORATOR.updateDeco(update, this.marks);
  }
}

/** Takes the place of the JSON language. */
export const LIGHT_JSON: Extension = [
  COLOURS,
  ViewPlugin.fromClass(Colouring, { decorations: ({ marks }) => marks }),
];
