/** Joins texts that a client sends in parts. */
import { MAX_FRAME_BYTES, PART_MARKS } from '../contract/rpc.ts';
import { Pieces } from '../domain/pieces.ts';
import type { Cancel, Clock } from '../ports/clock.ts';

/** Time within which a text has to be complete: long for 8 MiB, and a client that went silent keeps nothing for good. */
export const COMPLETE_WITHIN_MS = 120_000;

/** The parts of one connection, of one text at a time. */
export class FrameParts {
  readonly #clock: Clock;
  readonly #onLate: () => void;
  /** A client may send millions of parts of one character. */
  readonly #texts = new Pieces<string>((all) => all.join(''));
  #deadline: Cancel | undefined;
  /** Whether the rest of a text that came too late is passed over. */
  #isLate = false;

  /** @param onLate called when a text was not complete in time; its parts are forgotten */
  constructor(clock: Clock, onLate: () => void) {
    this.#clock = clock;
    this.#onLate = onLate;
  }

  /** Number of texts that are kept. */
  get kept(): number {
    return this.#texts.all.length;
  }

  /**
   * The text that a frame is, or that it ends; undefined: more of it has to come, or it came too late. A text over the limit is given without
   * its end: it is longer than any that is taken.
   */
  take(frame: string): string | undefined {
    const mark = frame[0];
    if (mark !== PART_MARKS.first && mark !== PART_MARKS.more && mark !== PART_MARKS.last) return frame;
    if (mark === PART_MARKS.first) this.#begin();
    if (!this.#isLate) this.#add(frame.slice(1));
    if (mark !== PART_MARKS.last) return undefined;
    const text = this.#isLate ? undefined : this.#texts.whole();
    this.#begin();
    return text;
  }

  /** Forgets what has come, when the connection ends. */
  close(): void {
    this.#begin();
  }

  #begin(): void {
    this.#deadline?.();
    this.#deadline = undefined;
    this.#isLate = false;
    this.#texts.clear();
  }

  #add(text: string): void {
    // One text over the limit is enough for the refusal; nobody needs the rest of it.
    if (text === '' || this.#texts.length > MAX_FRAME_BYTES) return;
    this.#texts.add(text);
    this.#deadline ??= this.#clock.at(this.#clock.now() + COMPLETE_WITHIN_MS, () => {
      this.#begin();
      this.#isLate = true;
      this.#onLate();
    });
  }
}
