/** Joins texts that a client sends in parts. */
import { MAX_FRAME_BYTES, PART_MARKS } from '../contract/rpc.ts';
import { Pieces } from '../domain/pieces.ts';
import { Refusal } from '../domain/refusal.ts';
import type { Cancel, Clock } from '../ports/clock.ts';
import { IncompleteTexts } from './incomplete-texts.ts';
import type { IncompleteText } from './incomplete-texts.ts';

/** Time within which a text has to be complete: long for 8 MiB, and a client that went silent keeps nothing for good. */
export const COMPLETE_WITHIN_MS = 120_000;

const LATE_TEXT = new Refusal('INVALID_REQUEST', {
  reason: `a text that came in parts was not complete within ${COMPLETE_WITHIN_MS / 1000} s, and was forgotten`,
});

/** The parts of one connection, of one text at a time. */
export class FrameParts {
  readonly #clock: Clock;
  readonly #onForgotten: (refusal: Refusal) => void;
  /** A client may send millions of parts of one character. */
  readonly #texts = new Pieces<string>((all) => all.join(''));
  readonly #counted: IncompleteText;
  #deadline: Cancel | undefined;
  /** Whether the rest of a text that was forgotten is passed over. */
  #isForgotten = false;

  /**
   * @param onForgotten called when a text was not complete in time, or has no room beside those of other clients
   * @param incomplete counts what has come of texts, of all clients; default: of this one alone
   */
  constructor(
    clock: Clock,
    onForgotten: (refusal: Refusal) => void,
    incomplete = new IncompleteTexts(Infinity),
  ) {
    this.#clock = clock;
    this.#onForgotten = onForgotten;
    this.#counted = incomplete.begin((refusal) => this.#forget(refusal));
  }

  /** Number of texts that are kept. */
  get kept(): number {
    return this.#texts.all.length;
  }

  /**
   * The text that a frame is, or that it ends; undefined: more of it has to come, or it was forgotten. A text over the limit is given without
   * its end: it is longer than any that is taken.
   */
  take(frame: string): string | undefined {
    const mark = frame[0];
    if (mark !== PART_MARKS.first && mark !== PART_MARKS.more && mark !== PART_MARKS.last) return frame;
    if (mark === PART_MARKS.first) this.#begin();
    if (!this.#isForgotten) this.#add(frame.slice(1));
    if (mark !== PART_MARKS.last) return undefined;
    const text = this.#isForgotten ? undefined : this.#texts.whole();
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
    this.#isForgotten = false;
    this.#texts.clear();
    this.#counted.end();
  }

  #forget(refusal: Refusal): void {
    this.#begin();
    this.#isForgotten = true;
    this.#onForgotten(refusal);
  }

  #add(text: string): void {
    // One text over the limit is enough for the refusal; nobody needs the rest of it.
    if (text === '' || this.#texts.length > MAX_FRAME_BYTES) return;
    this.#texts.add(text);
    this.#deadline ??= this.#clock.at(this.#clock.now() + COMPLETE_WITHIN_MS, () => this.#forget(LATE_TEXT));
    this.#counted.add(Buffer.byteLength(text));
  }
}
