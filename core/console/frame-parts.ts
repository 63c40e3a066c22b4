/** Joins texts that a client sends in parts. */
import { MAX_FRAME_BYTES, PART_MARKS } from '../contract/rpc.ts';
import { Pieces } from '../domain/pieces.ts';

/** The parts of one connection, of one text at a time. */
export class FrameParts {
  /** A client may send millions of parts of one character. */
  readonly #texts = new Pieces<string>((all) => all.join(''));

  /** Number of texts that are kept. */
  get kept(): number {
    return this.#texts.all.length;
  }

  /**
   * The text that a frame is, or that it ends; undefined: more of it has to come. A text over the limit is given without its end: it is
   * refused for its length.
   */
  take(frame: string): string | undefined {
    const mark = frame[0];
    if (mark !== PART_MARKS.first && mark !== PART_MARKS.more && mark !== PART_MARKS.last) return frame;
    if (mark === PART_MARKS.first) this.#texts.clear();
    this.#add(frame.slice(1));
    if (mark !== PART_MARKS.last) return undefined;
    const text = this.#texts.whole();
    this.#texts.clear();
    return text;
  }

  #add(text: string): void {
    // One text over the limit is enough for the refusal; nobody needs the rest of it.
    if (text === '' || this.#texts.length > MAX_FRAME_BYTES) return;
    this.#texts.add(text);
  }
}
