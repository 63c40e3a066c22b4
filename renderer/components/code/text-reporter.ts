/**
 * Tells the text of an editor after each edit. Joining the lines of a long text takes longer than a frame, so that it is told in slices
 * once typing rests, and at once where somebody is about to use it.
 */
import type { EditorView } from '@codemirror/view';

/** Characters from which a text is told once typing rests. */
const LONG = 1024 * 1024;
/** Characters that are joined at once. */
const SLICE = 1024 * 1024;
/** Pause in typing after which a long text is told. */
const REST_MS = 250;

export class TextReporter {
  /** The text that the owner of the editor knows and that the editor has; undefined: the editor has a newer one. */
  known: string | undefined;
  readonly #view: EditorView;
  readonly #report: (text: string) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(view: EditorView, report: (text: string) => void) {
    this.#view = view;
    this.#report = report;
  }

  /** Somebody edited the text. */
  edited(): void {
    this.known = undefined;
    this.cancel();
    if (this.#view.state.doc.length <= LONG) this.#now(this.#view.state.doc.toString());
    else this.#timer = setTimeout(() => this.#slice([], 0), REST_MS);
  }

  /** Tells at once what was not told yet. */
  flush(): void {
    if (this.#timer === undefined) return;
    this.cancel();
    this.#now(this.#view.state.doc.toString());
  }

  /** Forgets an edit that was not told; nobody is told of it. */
  cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #slice(parts: string[], from: number): void {
    const { doc } = this.#view.state;
    const to = Math.min(from + SLICE, doc.length);
    parts.push(doc.sliceString(from, to));
    if (to < doc.length) this.#timer = setTimeout(() => this.#slice(parts, to), 0);
    else {
      this.#timer = undefined;
      this.#now(parts.join(''));
    }
  }

  #now(text: string): void {
    this.known = text;
    this.#report(text);
  }
}
