/** Two texts side by side with marked differences; the left one is read-only. It is loaded at first use. */
import { json } from '@codemirror/lang-json';
import { MergeView } from '@codemirror/merge';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view';
import { history } from '@codemirror/commands';
import { useEffect, useRef, type ReactElement } from 'react';
import { nonceOf } from '../../theme/nonce.ts';
import css from './CodeMirror.module.css';
import { COLOURING, FOCUS_FIRST, LOOK, TYPED_OVER, type Language } from './editor-extensions.ts';
import { EDITING_KEYS } from './keys.ts';

export interface MergeEditorProps {
  readonly originalLabel: string;
  readonly label: string;
  readonly original: string;
  readonly value: string;
  readonly language: Language;
  readonly onChange: (value: string) => void;
}

const MARKS = EditorView.theme({
  '.cm-changedLine': { backgroundColor: 'var(--diff-added) !important' },
  '&.cm-merge-a .cm-changedLine': { backgroundColor: 'var(--diff-removed) !important' },
  '.cm-changedText': { background: 'none !important', textDecoration: 'underline 2px' },
});

function partsOf(label: string, language: Language, isReadOnly: boolean): Extension[] {
  const nonce = nonceOf(document);
  return [
    ...(nonce === undefined ? [] : [EditorView.cspNonce.of(nonce)]),
    LOOK,
    MARKS,
    COLOURING,
    lineNumbers(),
    history(),
    highlightSpecialChars(),
    EditorView.lineWrapping,
    ...(language === 'json' ? [json()] : []),
    TYPED_OVER,
    keymap.of(EDITING_KEYS),
    EditorState.readOnly.of(isReadOnly),
    EditorView.contentAttributes.of({
      'aria-label': label,
      tabindex: '0',
      ...(isReadOnly ? { 'aria-readonly': 'true' } : FOCUS_FIRST),
    }),
  ];
}

/** Draws both editors; the marks follow the edits. */
export function MergeEditor(props: MergeEditorProps): ReactElement {
  const { originalLabel, label, original, value, language, onChange } = props;
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<MergeView>(undefined);
  const first = useRef(value);
  const report = useRef(onChange);
  useEffect(() => {
    report.current = onChange;
  });

  useEffect(() => {
    if (host.current === null) return undefined;
    const made = new MergeView({
      parent: host.current,
      a: { doc: original, extensions: partsOf(originalLabel, language, true) },
      b: {
        doc: first.current,
        extensions: [
          ...partsOf(label, language, false),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) report.current(update.state.doc.toString());
          }),
        ],
      },
      diffConfig: { scanLimit: 2000, timeout: 200 },
    });
    view.current = made;
    return () => made.destroy();
  }, [label, language, original, originalLabel]);

  useEffect(() => {
    first.current = value;
    const editor = view.current?.b;
    if (editor === undefined || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);

  return <div ref={host} className={css.merge} />;
}
