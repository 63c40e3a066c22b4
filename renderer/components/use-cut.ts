/** Whether an element has more text than is in sight. */
import { useEffect, useState, type RefObject } from 'react';

/** A chip in the first line reaches a pixel below its line, so less than half a line is no text that is cut. */
const HALF_LINE_PX = 9;

/** Whether lines of an element stand below what is in sight of it. */
function areLinesCut(element: HTMLElement): boolean {
  return element.scrollHeight - element.clientHeight > HALF_LINE_PX;
}

/** Whether the end of the only line of an element is out of sight. */
export function isLineCut(line: HTMLElement): boolean {
  return line.scrollWidth > line.clientWidth;
}

/**
 * Measures when the text changes, or the width that it has.
 * @param isOpen true: everything is in sight, and what was found before stays
 * @param isCutIn another measure than that of lines below each other; it must be the same function in each call
 */
export function useCut(
  element: RefObject<HTMLElement | null>,
  isOpen: boolean,
  isCutIn: (element: HTMLElement) => boolean = areLinesCut,
): boolean {
  const [isCut, setIsCut] = useState(false);
  useEffect(() => {
    const lines = element.current;
    if (lines === null || isOpen) return undefined;
    const measure = (): void => setIsCut(isCutIn(lines));
    // What the text says depends on the topology, which may come after the message.
    const texts = new MutationObserver(measure);
    texts.observe(lines, { childList: true, characterData: true, subtree: true });
    // The first report comes once the page is laid out; a look before that would make the browser do it twice.
    const size = new ResizeObserver(measure);
    size.observe(lines);
    return () => {
      texts.disconnect();
      size.disconnect();
    };
  }, [element, isOpen, isCutIn]);
  return isCut;
}
