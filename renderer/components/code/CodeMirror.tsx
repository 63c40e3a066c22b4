/** The code editor for JSON, XML, YAML and plain text. It is loaded at first use. */
import { history } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { xml } from '@codemirror/lang-xml';
import { yaml } from '@codemirror/lang-yaml';
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  syntaxHighlighting,
} from '@codemirror/language';
import { lintGutter, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, openSearchPanel, search, searchKeymap } from '@codemirror/search';
import { Annotation, Compartment, EditorState, Text, Transaction, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useMemo, useRef, useState, type ReactElement, type RefObject } from 'react';
import { withoutUndefined } from '../../../core/contract/without-undefined.ts';
import { nonceOf } from '../../theme/nonce.ts';
import css from './CodeMirror.module.css';
import { EDITING_KEYS } from './keys.ts';
import { LIGHT_JSON } from './light-json.ts';
import { LONG_SEARCH } from './long-search.ts';
import { TextReporter } from './text-reporter.ts';

export type Language = 'json' | 'xml' | 'yaml' | 'text';

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
  /** True: takes the focus from the field to which its dialog gave it. */
  readonly takesFocus?: boolean | undefined;
  /** Position of the cursor; a new object moves it. */
  readonly goTo?: { readonly line: number; readonly column: number } | undefined;
}

/** Colours of the parts of a text, from the tokens. */
export const COLOURING = syntaxHighlighting(
  HighlightStyle.define([
    { tag: [tags.propertyName, tags.tagName, tags.attributeName], color: 'var(--syntax-key)' },
    { tag: [tags.string, tags.attributeValue], color: 'var(--syntax-string)' },
    { tag: tags.number, color: 'var(--syntax-number)' },
    { tag: [tags.bool, tags.null], color: 'var(--syntax-boolean)' },
    { tag: [tags.punctuation, tags.bracket, tags.comment], color: 'var(--syntax-punctuation)' },
  ]),
);

/** Style of every editor. */
export const LOOK = EditorView.theme({
  '&': { height: '100%', color: 'var(--text)', backgroundColor: 'transparent' },
  '.cm-scroller': { fontFamily: 'var(--mono)', fontSize: '12.5px', lineHeight: '18px' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--text-subtle)', border: 'none' },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '&.cm-focused': { outline: '2px solid var(--focus)', outlineOffset: '-2px' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground': {
    backgroundColor: 'var(--selected) !important',
  },
  '.cm-panels': { backgroundColor: 'var(--raised)', color: 'var(--text)' },
  '.cm-specialChar': { color: 'var(--danger)' },
  '.cm-foldPlaceholder': {
    backgroundColor: 'var(--sunken)',
    borderColor: 'var(--border)',
    color: 'var(--text-muted)',
  },
});

/**
 * Handles text that is typed over a selection as a change of the document. The browser would insert it with
 * the colours of the replaced text, as an inline style that the policy forbids.
 */
export const TYPED_OVER = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { inputType, data, isComposing } = event;
    if (inputType !== 'insertText' || data === null || isComposing || view.state.readOnly) return false;
    if (view.state.selection.main.empty) return false;
    event.preventDefault();
    view.dispatch(view.state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true });
    return true;
  },
});

/** Characters from which a text is not parsed: the parser would hold the page for 100 ms at a time. */
const UNPARSED = 256 * 1024;

function languageOf(language: Language, isLong: boolean): Extension {
  if (isLong) return language === 'json' ? LIGHT_JSON : [];
  if (language === 'json') return json();
  if (language === 'yaml') return yaml();
  return language === 'xml' ? xml() : [];
}

/** Offset of a line and column; outside the text the nearest offset in it. */
function offsetOf({ state: { doc } }: EditorView, line: number, column: number): number {
  const at = doc.line(Math.min(Math.max(line, 1), doc.lines));
  return Math.min(at.from + Math.max(column, 1) - 1, at.to);
}

/** Characters that are inserted per frame. */
const PART = 128 * 1024;

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

function isSame({ state: { doc } }: EditorView, value: string): boolean {
  // The editor counts a line break of two characters as one.
  return doc.length <= value.length && doc.toString() === value;
}

/** Marks a text that was set by `value` and not typed, so that no listener is called. */
const GIVEN = Annotation.define<true>();

/** Replaces the whole text; a person can undo that. */
function putWhole(editor: EditorView, value: string): undefined {
  const { length } = editor.state.doc;
  editor.dispatch({ changes: { from: 0, to: length, insert: value }, annotations: GIVEN.of(true) });
}

/**
 * Inserts a text in parts, one for each frame, so that a long text does not block the page; the first part replaces the old text. Until the
 * text is complete, typing is locked. Undo does not remove it.
 * @param lock extensions that apply while parts are missing
 * @param onWhole called when the last part is there
 * @returns function that stops the insertion
 */
function putInParts(editor: EditorView, value: string, lock: Compartment, onWhole: () => void): () => void {
  let frame = 0;
  let isWhole = false;
  function put(from: number): void {
    const newLine = value.lastIndexOf('\n', from + PART) + 1;
    const to = from + PART >= value.length ? value.length : newLine > from ? newLine : from + PART;
    isWhole = to >= value.length;
    const { length } = editor.state.doc;
    editor.dispatch({
      changes: { from: from === 0 ? 0 : length, to: length, insert: linesOf(value.slice(from, to)) },
      annotations: [GIVEN.of(true), Transaction.addToHistory.of(false)],
      effects: lock.reconfigure(isWhole ? [] : EditorState.readOnly.of(true)),
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

/** Callbacks of the editor. They are read at each event, so that a new function needs no new editor. */
type Listeners = RefObject<Pick<CodeMirrorProps, 'onChange' | 'onCursor'>>;

interface Told {
  readonly report: Listeners;
  /** Tells the text; it is made with the editor. */
  readonly teller: RefObject<TextReporter | undefined>;
}

interface LookProps extends Pick<
  CodeMirrorProps,
  'label' | 'language' | 'wrap' | 'readOnly' | 'describedBy'
> {
  readonly isLong: boolean;
  readonly invalid: boolean | undefined;
  readonly hasMarks: boolean;
  readonly takesFocus: boolean;
}

/** Extensions that depend on the props. */
function lookOf(props: LookProps): Extension {
  const { label, language, isLong, wrap, readOnly, invalid, describedBy, hasMarks, takesFocus } = props;
  return [
    languageOf(language, isLong),
    // Looking for the other bracket reads a line to its end, however long it is.
    isLong ? LONG_SEARCH : [search({ top: true }), bracketMatching()],
    wrap ? EditorView.lineWrapping : [],
    hasMarks ? lintGutter() : [],
    EditorState.readOnly.of(readOnly),
    EditorView.contentAttributes.of({
      'aria-label': label,
      // A user without a mouse scrolls it by keys.
      tabindex: '0',
      ...(readOnly ? { 'aria-readonly': 'true' } : {}),
      ...(takesFocus ? FOCUS_FIRST : {}),
      ...(invalid === true ? { 'aria-invalid': 'true' } : {}),
      ...withoutUndefined({ 'aria-describedby': describedBy }),
    }),
  ];
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
  { report, teller }: Told,
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
        // Keys with Ctrl may run the main action of the form, which then needs the text.
        EditorView.domEventHandlers({
          blur: () => teller.current?.flush(),
          keydown: ({ ctrlKey, metaKey }) => {
            if (ctrlKey || metaKey) teller.current?.flush();
          },
        }),
      ],
    }),
  });
}

/** Marks the editor, so that a dialog that opens later gives it the focus first. */
export const FOCUS_FIRST = { 'data-focus-first': '' };

/**
 * Whether the editor may take the focus: only if the dialog itself, and no person, gave it to another field
 * before the editor was made.
 */
export function isFocusInDialogOf({ dom }: EditorView): boolean {
  return dom.closest('[role="dialog"]')?.contains(document.activeElement) === true;
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
  const first = useRef({ look, value: value.length > PART ? '' : value, takesFocus });
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
    if (first.current.takesFocus && isFocusInDialogOf(made)) made.focus();
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
