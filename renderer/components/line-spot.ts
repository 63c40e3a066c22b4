/** The place in the line of a payload at which the pointer is. */
import { indexInLine } from '../format/preview.ts';
import type { LineSpot } from '../format/line-term.ts';

interface Pointed {
  readonly target: EventTarget;
  readonly clientX: number;
  readonly clientY: number;
}

/**
 * The place under the pointer; undefined: it is on no letter of the line.
 * @param line of the payload, as it was loaded
 */
export function lineSpot(
  { target, clientX, clientY }: Pointed,
  line: string | undefined,
): LineSpot | undefined {
  const cell = target instanceof Element ? target.closest('[data-col="preview"]') : null;
  const drawn = cell?.querySelector('bdi') ?? undefined;
  if (line === undefined || drawn === undefined) return undefined;
  // A browser of before 2025 may not know it.
  const caret =
    'caretPositionFromPoint' in document ? document.caretPositionFromPoint(clientX, clientY) : null;
  if (caret === null) return undefined;
  const { offsetNode, offset } = caret;
  if (!(offsetNode instanceof Text) || !drawn.contains(offsetNode)) return undefined;
  const letter = [offset - 1, offset].find((at) => isOver(offsetNode, at, clientX));
  if (letter === undefined) return undefined;
  const before = document.createRange();
  before.setStart(drawn, 0);
  before.setEnd(offsetNode, letter);
  // Parts that a narrow list does not draw count too.
  return { line, at: indexInLine(line, before.toString().length) };
}

/** Whether the letter at this index of a text is under the pointer. The pointer is between two letters for the browser. */
function isOver(text: Text, at: number, x: number): boolean {
  if (at < 0 || at >= text.length) return false;
  const letter = document.createRange();
  letter.setStart(text, at);
  letter.setEnd(text, at + 1);
  const { left, right } = letter.getBoundingClientRect();
  return x >= left && x <= right;
}
