/** Whether the lines of an element have more text than is in sight. */
import { useEffect, useState, type RefObject } from 'react';

/** A chip in the first line reaches a pixel below its line, so less than half a line is no text that is cut. */
const HALF_LINE_PX = 9;

/** @param isOpen true: everything is in sight, and what was found before stays */
export function useCut(element: RefObject<HTMLElement | null>, isOpen: boolean): boolean {
  const [isCut, setIsCut] = useState(false);
  useEffect(() => {
    const lines = element.current;
    if (lines === null || isOpen) return undefined;
    const measure = (): void => setIsCut(lines.scrollHeight - lines.clientHeight > HALF_LINE_PX);
    measure();
    // What the text says depends on the topology, which may come after the message.
    const texts = new MutationObserver(measure);
    texts.observe(lines, { childList: true, characterData: true, subtree: true });
    const size = new ResizeObserver(measure);
    size.observe(lines);
    return () => {
      texts.disconnect();
      size.disconnect();
    };
  }, [element, isOpen]);
  return isCut;
}
