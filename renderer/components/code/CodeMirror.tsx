/** The code editor for JSON, XML, YAML and plain text. It is loaded at first use. */
import { history } from '@codemirror/commands';
import { foldGutter, foldKeymap } from '@codemirror/language';
import { setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, openSearchPanel, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view';
import { useEffect, useMemo, useRef, useState, type ReactElement, type RefObject } from 'react';
import { nonceOf } from '../../theme/nonce.ts';
import css from './CodeMirror.module.css';
import { COLOURING, LOOK, lookOf, TYPED_OVER, UNPARSED, type Language } from './editor-extensions.ts';
import { GIVEN, isSame, PART, putInParts, putWhole } from './insert-in-parts.ts';
import { EDITING_KEYS } from './keys.ts';
import { TextReporter } from './text-reporter.ts';

/** A mistake in the text; lines and columns count from 1. */
export interface Mark {
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
  readonly severity?: 'error' | 'warning';
}

export interface CodeMirrorProps {
  readonly label: string;
  readonly value: string;
  readonly language: Language;
  readonly wrap: boolean;
  readonly readOnly: boolean;
  readonly onChange?: ((value: string) => void) | undefined;
  readonly invalid?: boolean;
  readonly describedBy?: string | undefined;
  /** Mistakes to underline, with a sign beside the line. */
  readonly marks?: readonly Mark[] | undefined;
  /** Called with the offset of the cursor when a person moves it. */
  readonly onCursor?: ((offset: number) => void) | undefined;
  /** A new number other than 0 opens the search. */
  readonly searches?: number | undefined;
  /** Offset of the cursor at the start, with the focus; undefined inside: the focus is not moved. */
  readonly startsAt?: RefObject<number | undefined> | undefined;
  /** True: its dialog gives it the focus first. */
  readonly takesFocus?: boolean | undefined;
  /** Position of the cursor; a new object moves it. */
  readonly goTo?: { readonly line: number; readonly column: number } | undefined;
}

/** Offset of a line and column; outside the text the nearest offset in it. */
function offsetOf({ state: { doc } }: EditorView, line: number, column: number): number {
  const at = doc.line(Math.min(Math.max(line, 1), doc.lines));
  return Math.min(at.from + Math.max(column, 1) - 1, at.to);
}

/** Callbacks of the editor. They are read at each event, so that a new function needs no new editor. */
type Listeners = RefObject<Pick<CodeMirrorProps, 'onChange' | 'onCursor'>>;

interface Reporting {
  readonly report: Listeners;
  /** Reports the text. Created with the editor. */
  readonly teller: RefObject<TextReporter | undefined>;
}

interface FirstLook {
  readonly look: Extension;
  /** The text at the start; inserting it later would parse and draw once more. */
  readonly value: string;
}

/** Places of extensions that change. */
interface Places {
  /** Extensions that depend on the props. */
  readonly look: Compartment;
  /** Extensions that hold while a long text comes in parts. */
  readonly lock: Compartment;
}

/** Makes an editor inside `parent`. */
function editorIn(
  parent: HTMLElement,
  places: Places,
  { report, teller }: Reporting,
  first: FirstLook,
): EditorView {
  const nonce = nonceOf(document);
  return new EditorView({
    parent,
    state: EditorState.create({
      doc: first.value,
      extensions: [
        ...(nonce === undefined ? [] : [EditorView.cspNonce.of(nonce)]),
        LOOK,
        COLOURING,
        lineNumbers(),
        foldGutter(),
        history(),
        drawSelection(),
        // Invisible characters and those that turn the direction are drawn as marks, so that nothing is
        // hidden.
        highlightSpecialChars(),
        highlightSelectionMatches(),
        TYPED_OVER,
        // Tab has no binding, because the editor must not trap the keyboard.
        keymap.of([...EDITING_KEYS, ...searchKeymap, ...foldKeymap]),
        // The first of two that say whether it can be typed in decides.
        places.lock.of([]),
        places.look.of(first.look),
        EditorView.updateListener.of((update) => {
          const isTyped = update.transactions.some(
            (each) => each.docChanged && each.annotation(GIVEN) === undefined,
          );
          if (isTyped) teller.current?.edited();
          else if (update.selectionSet) report.current.onCursor?.(update.state.selection.main.head);
        }),
        // Keys with Ctrl may run the main action of the form, which then needs the text; Escape asks whether it was changed.
        EditorView.domEventHandlers({
          blur: () => teller.current?.flush(),
          keydown: ({ key, ctrlKey, metaKey }) => {
            if (ctrlKey || metaKey || key === 'Escape') teller.current?.flush();
          },
        }),
      ],
    }),
  });
}

/** Draws one editor and keeps its text equal to `value`. */
export function CodeMirror(props: CodeMirrorProps): ReactElement {
  const { label, value, language, wrap, readOnly, onChange, invalid, describedBy, marks, goTo } = props;
  const { onCursor, searches = 0, startsAt, takesFocus = false } = props;
  const hasMarks = marks !== undefined;
  const isLong = value.length >= UNPARSED;
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const places = useRef<Places>({ look: new Compartment(), lock: new Compartment() });
  const report = useRef({ onChange, onCursor });
  const teller = useRef<TextReporter>(undefined);
  const look = useMemo(
    () => lookOf({ label, language, isLong, wrap, readOnly, invalid, describedBy, hasMarks, takesFocus }),
    [label, language, isLong, wrap, readOnly, invalid, describedBy, hasMarks, takesFocus],
  );
  const first = useRef({ look, value: value.length > PART ? '' : value });
  const shownLook = useRef(look);
  /** How many texts have come to their end: a mark behind what was there so far would stand at a wrong place. */
  const [wholes, setWholes] = useState(0);
  useEffect(() => {
    report.current = { onChange, onCursor };
  });

  useEffect(() => {
    if (host.current === null) return undefined;
    const made = editorIn(host.current, places.current, { report: report, teller }, first.current);
    teller.current = new TextReporter(made, (text) => report.current.onChange?.(text));
    shownLook.current = first.current.look;
    view.current = made;
    return () => {
      teller.current?.flush();
      made.destroy();
    };
  }, []);

  useEffect(() => {
    if (look === shownLook.current) return;
    shownLook.current = look;
    view.current?.dispatch({ effects: places.current.look.reconfigure(look) });
  }, [look]);

  useEffect(() => {
    const editor = view.current;
    // Comparing the text itself takes a frame where it is long.
    if (editor === undefined || value === teller.current?.known || isSame(editor, value)) return undefined;
    teller.current?.cancel();
    // A text that a person edits is replaced at once, so that one undo brings it back.
    const inParts = value.length > PART && (readOnly || editor.state.doc.length === 0);
    if (!inParts) return putWhole(editor, value);
    return putInParts(editor, value, places.current.lock, () => setWholes((last) => last + 1));
  }, [value, readOnly]);

  useEffect(() => {
    const editor = view.current;
    const at = startsAt?.current;
    if (editor === undefined || at === undefined) return;
    editor.dispatch({ selection: { anchor: Math.min(at, editor.state.doc.length) } });
    editor.focus();
  }, [startsAt]);

  useEffect(() => {
    const editor = view.current;
    if (editor === undefined || marks === undefined) return;
    const found = marks.map(({ line = 1, column = 1, message, severity = 'error' }) => {
      const from = offsetOf(editor, line, column);
      return { from, to: Math.max(from, editor.state.doc.lineAt(from).to), message, severity };
    });
    editor.dispatch(setDiagnostics(editor.state, found));
  }, [marks, value, wholes]);

  useEffect(() => {
    const editor = view.current;
    if (editor === undefined || goTo === undefined) return;
    editor.dispatch({
      selection: { anchor: offsetOf(editor, goTo.line, goTo.column) },
      scrollIntoView: true,
    });
    editor.focus();
  }, [goTo]);

  useEffect(() => {
    if (searches > 0 && view.current !== undefined) openSearchPanel(view.current);
  }, [searches]);

  return <div ref={host} className={css.host} />;
}
