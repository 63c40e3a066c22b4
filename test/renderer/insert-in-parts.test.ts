/** A long text comes into an editor in parts: until it is whole, nothing can be typed, and the editor says so. */
import { Compartment, EditorState, type TransactionSpec } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { afterEach, expect, test, vi } from 'vitest';
import { PART, putInParts } from '../../renderer/components/code/insert-in-parts.ts';

afterEach(() => vi.unstubAllGlobals());

/** What an editor says of itself. */
function saidBy(state: EditorState): { busy: boolean; loading: boolean; locked: boolean } {
  const has = (facet: typeof EditorView.contentAttributes, name: string): boolean =>
    state.facet(facet).some((attributes) => typeof attributes === 'object' && name in attributes);
  return {
    busy: has(EditorView.contentAttributes, 'aria-busy'),
    loading: has(EditorView.editorAttributes, 'data-loading'),
    locked: state.readOnly,
  };
}

/** An editor without a page, that gets a text of three parts. */
function coming() {
  const frames: (() => void)[] = [];
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => frames.push(run));
  const lock = new Compartment();
  const editor = {
    state: EditorState.create({ extensions: [lock.of([])] }),
    dispatch(spec: TransactionSpec): void {
      this.state = this.state.update(spec).state;
    },
  };
  const text = 'x'.repeat(2 * PART + 1);
  const told = { wholes: 0 };
  putInParts(editor as unknown as EditorView, text, lock, () => (told.wholes += 1));
  return { editor, frames, text, told };
}

test('an editor is busy from the first part of a long text to the last', () => {
  const { editor, frames, text, told } = coming();
  expect(saidBy(editor.state)).toEqual({ busy: true, loading: true, locked: true });
  frames.shift()?.();
  expect(saidBy(editor.state)).toEqual({ busy: true, loading: true, locked: true });
  frames.shift()?.();
  expect(saidBy(editor.state)).toEqual({ busy: false, loading: false, locked: false });
  expect([told.wholes, frames.length, editor.state.doc.toString() === text]).toEqual([1, 0, true]);
});

test.each([
  ['a cursor at the end of what has come', PART, PART, 2 * PART + 1, 2 * PART + 1],
  ['a selection up to there', 7, PART, 7, 2 * PART + 1],
  ['a cursor before it', 7, 7, 7, 7],
])('%s: where it is when the whole text is there', (_name, anchor, head, anchorAfter, headAfter) => {
  const { editor, frames } = coming();
  editor.dispatch({ selection: { anchor, head } });
  frames.shift()?.();
  frames.shift()?.();
  const { main } = editor.state.selection;
  expect([main.anchor, main.head]).toEqual([anchorAfter, headAfter]);
});
