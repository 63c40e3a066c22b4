/** Extensions of the code editor: colours, style, language, and those that depend on its props. */
import { json } from '@codemirror/lang-json';
import { xml } from '@codemirror/lang-xml';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { lintGutter } from '@codemirror/lint';
import { search } from '@codemirror/search';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { withoutUndefined } from '../../../core/contract/without-undefined.ts';
import { LIGHT_JSON } from './light-json.ts';
import { LONG_SEARCH } from './long-search.ts';

export type Language = 'json' | 'xml' | 'yaml' | 'text';

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
  // The text keeps its place when the signs to fold it come.
  '.cm-foldGutter': { minWidth: '14px' },
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

/** Number of characters from which a text is not parsed: the parser would block the page for 100 ms at a time. */
export const UNPARSED = 256 * 1024;

function languageOf(language: Language, isLong: boolean): Extension {
  if (isLong) return language === 'json' ? LIGHT_JSON : [];
  if (language === 'json') return json();
  if (language === 'yaml') return yaml();
  return language === 'xml' ? xml() : [];
}

/** Marks the editor, so that a dialog that opens later gives it the focus first. */
export const FOCUS_FIRST = { 'data-focus-first': '' };

export interface LookProps {
  readonly label: string;
  readonly language: Language;
  readonly wrap: boolean;
  readonly readOnly: boolean;
  readonly describedBy: string | undefined;
  readonly isLong: boolean;
  readonly invalid: boolean | undefined;
  readonly hasMarks: boolean;
  readonly takesFocus: boolean;
}

/** Extensions that depend on the props. */
export function lookOf(props: LookProps): Extension {
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
