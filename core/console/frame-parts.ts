/** Joins texts that a client sends in parts. */
import { MAX_FRAME_BYTES, PART_MARKS } from '../contract/rpc.ts';

/** The parts of one connection, of one text at a time. */
export class FrameParts {
  #texts: string[] = [];
  #length = 0;

  /**
   * The text that a frame is, or that it ends; undefined: more of it has to come. A text over the limit is given without its end: it is
   * refused for its length.
   */
  take(frame: string): string | undefined {
    const mark = frame[0];
    if (mark !== PART_MARKS.first && mark !== PART_MARKS.more && mark !== PART_MARKS.last) return frame;
    if (mark === PART_MARKS.first) this.#clear();
    this.#add(frame.slice(1));
    if (mark !== PART_MARKS.last) return undefined;
    const text = this.#texts.join('');
    this.#clear();
    return text;
  }

  #add(text: string): void {
    // One text over the limit is enough for the refusal; nobody needs the rest of it.
    if (this.#length > MAX_FRAME_BYTES) return;
    this.#texts.push(text);
    this.#length += text.length;
  }

  #clear(): void {
    this.#texts = [];
    this.#length = 0;
  }
}
