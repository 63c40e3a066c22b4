/** Measures how much of a part of the list the mistake of the filter field covers: the field says it in a panel over the list. */
import { useEffect, useState, type RefObject } from 'react';
import { ANCHORS } from '../../keys/anchors.ts';

/**
 * Height in px that the panel covers at the top of the part. Its text may have several lines, and more of them in a narrow window.
 * @param isFilterRead true: the field has no mistake, so there is no panel
 */
export function useCovered(part: RefObject<HTMLElement | null>, isFilterRead: boolean): number {
  const [px, setPx] = useState(0);
  useEffect(() => {
    const panel = document.getElementById(`${ANCHORS.filter}-error`)?.parentElement;
    const covered = part.current;
    if (isFilterRead || !panel || covered === null) return undefined;
    const observer = new ResizeObserver(() => {
      const { bottom } = panel.getBoundingClientRect();
      setPx(Math.max(0, bottom - covered.getBoundingClientRect().top));
    });
    observer.observe(panel);
    observer.observe(covered);
    return () => observer.disconnect();
  }, [part, isFilterRead]);
  return isFilterRead ? 0 : px;
}
