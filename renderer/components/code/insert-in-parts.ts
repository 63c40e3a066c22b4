/** Puts a text into an editor: a short one at once, a long one in parts, so that the page is not blocked. */
import {
  Annotation,
  EditorState,
  Text,
  Transaction,
  type Compartment,
  type SelectionRange,
  type TransactionSpec,
} from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { VIEWER } from '../../copy/viewer.ts';

/** Number of characters that are inserted per frame. */
export const PART = 128 * 1024;

interface SplitPart {
  readonly text: string;
  readonly lines: Text;
}

/** The parts that were split into lines last, for the next editor only: they keep nothing in memory. */
let lastParts: readonly WeakRef<SplitPart>[] = [];
/** Parts by which one of two editors may be ahead of the other. */
const MAX_AHEAD = 4;

/** The lines of a part. Two editors that get the same text at the same time share them, as the two sides of "Edit and replay" do. */
function linesOf(text: string): Text {
  for (const last of lastParts) {
    const part = last.deref();
    if (part?.text === text) return part.lines;
  }
  const lines = Text.of(text.split(/\r\n?|\n/));
  lastParts = [new WeakRef({ text, lines }), ...lastParts].slice(0, MAX_AHEAD);
  return lines;
}

/** While parts are missing nothing can be typed, and the editor says so: keys that are pressed meanwhile would be lost without a sign. */
const LOCKED = [
  EditorState.readOnly.of(true),
  EditorView.contentAttributes.of({ 'aria-busy': 'true' }),
  EditorView.editorAttributes.of({ 'data-loading': VIEWER.coming }),
];

/** True if the editor has this text. */
export function isSame({ state: { doc } }: EditorView, value: string): boolean {
  // The editor counts a line break of two characters as one.
  return doc.length <= value.length && doc.toString() === value;
}

/** Marks a text that was set by `value` and not typed, so that no listener is called. */
export const GIVEN = Annotation.define<true>();

/** Replaces the whole text; a person can undo that. */
export function putWhole(editor: EditorView, value: string): undefined {
  const { length } = editor.state.doc;
  editor.dispatch({ changes: { from: 0, to: length, insert: value }, annotations: GIVEN.of(true) });
}

/**
 * The selection that ends where the text ended so far, moved on to the end of the next part: a person who goes to the end means that of the
 * whole text, and the editor keeps showing it.
 */
function atEnd({ anchor, head, empty }: SelectionRange, end: number, more: number): TransactionSpec {
  if (head !== end) return {};
  return { selection: { anchor: empty ? end + more : anchor, head: end + more } };
}

/**
 * Inserts a text in parts, one for each frame, so that a long text does not block the page; the first part replaces the old text. Until the
 * text is complete, typing is locked. Undo does not remove it.
 * @param lock extensions that apply while parts are missing
 * @param onWhole called when the last part is there
 * @returns function that stops the insertion
 */
export function putInParts(
  editor: EditorView,
  value: string,
  lock: Compartment,
  onWhole: () => void,
): () => void {
  let frame = 0;
  let isWhole = false;
  function put(from: number): void {
    const newLine = value.lastIndexOf('\n', from + PART) + 1;
    const to = from + PART >= value.length ? value.length : newLine > from ? newLine : from + PART;
    isWhole = to >= value.length;
    const { length } = editor.state.doc;
    const lines = linesOf(value.slice(from, to));
    editor.dispatch({
      changes: { from: from === 0 ? 0 : length, to: length, insert: lines },
      ...(from > 0 && atEnd(editor.state.selection.main, length, lines.length)),
      annotations: [GIVEN.of(true), Transaction.addToHistory.of(false)],
      effects: lock.reconfigure(isWhole ? [] : LOCKED),
    });
    if (isWhole) onWhole();
    else frame = requestAnimationFrame(() => put(to));
  }
  put(0);
  return () => {
    cancelAnimationFrame(frame);
    if (!isWhole) editor.dispatch({ effects: lock.reconfigure([]) });
  };
}
