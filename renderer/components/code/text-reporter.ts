/**
 * Reports the text of an editor after each edit. Joining the lines of a long text takes longer than a frame, so it is reported in slices
 * once typing pauses, and at once before its use.
 */
import type { EditorState } from '@codemirror/state';

/** Number of characters from which a text is reported once typing pauses. */
const LONG = 1024 * 1024;
/** Number of characters that are joined at once. */
const SLICE = 1024 * 1024;
/** Pause in typing after which a long text is reported. */
const REST_MS = 250;

/** An editor, as far as its text is read. */
export interface ShownText {
  readonly state: Pick<EditorState, 'doc'>;
}

export class TextReporter {
  /** The text that the owner of the editor knows and that the editor has; undefined: the editor has a newer one. */
  known: string | undefined;
  readonly #view: ShownText;
  readonly #report: (text: string) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(view: ShownText, report: (text: string) => void) {
    this.#view = view;
    this.#report = report;
  }

  /** Called after each edit. */
  edited(): void {
    this.known = undefined;
    this.cancel();
    if (this.#view.state.doc.length <= LONG) this.#now(this.#view.state.doc.toString());
    else this.#timer = setTimeout(() => this.#slice([], 0), REST_MS);
  }

  /** Reports an unreported text at once. */
  flush(): void {
    if (this.#timer === undefined) return;
    this.cancel();
    this.#now(this.#view.state.doc.toString());
  }

  /** Drops an unreported edit. */
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
