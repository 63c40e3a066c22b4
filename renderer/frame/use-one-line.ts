/** Keeps the parts of a line to one line: the least important ones are left out where it is too narrow. */
import { useLayoutEffect, useRef, useState, type RefCallback } from 'react';

/** Px that a part needs beside its text: the gaps and the line in front of it. */
const BESIDE_PX = 32;

/** Names the place of a part in the order in which parts are left out, from 1; a part without it always stays. */
const RANK = 'data-rank';
/** Marks a part that is left out. Its style keeps its width measurable. */
const LEFT_OUT = 'data-left-out';

/** The parts in the order in which they are left out. */
function partsOf(line: HTMLElement): readonly HTMLElement[] {
  const rankOf = (part: HTMLElement): number => Number(part.getAttribute(RANK));
  return [...line.querySelectorAll<HTMLElement>(`[${RANK}]`)].toSorted((a, b) => rankOf(a) - rankOf(b));
}

/** Leaves out what has no room, and brings back what has room again. The empty part in the middle tells how much that is. */
function fit(line: HTMLElement): void {
  const parts = partsOf(line);
  const space = line.querySelector<HTMLElement>('[data-space]');
  let isNarrowed = false;
  for (const part of parts) {
    if (line.scrollWidth <= line.clientWidth) break;
    part.setAttribute(LEFT_OUT, '');
    isNarrowed = true;
  }
  if (isNarrowed || space === null) return;
  for (const part of parts.toReversed()) {
    if (!part.hasAttribute(LEFT_OUT)) continue;
    if (part.offsetWidth + BESIDE_PX > space.offsetWidth) return;
    part.removeAttribute(LEFT_OUT);
  }
}

/**
 * A ref for the line. The parts are looked at after each drawing, and when the line gets another width. The browser has laid the page out
 * by then; an earlier look would make it do so in the middle of a drawing.
 */
export function useOneLine(): RefCallback<HTMLElement> {
  const [line, setLine] = useState<HTMLElement | null>(null);
  const observer = useRef<ResizeObserver>(undefined);
  useLayoutEffect(() => {
    if (line === null) return undefined;
    observer.current = new ResizeObserver(() => fit(line));
    return () => observer.current?.disconnect();
  }, [line]);
  useLayoutEffect(() => {
    // An element that is observed anew is reported once, whether or not its size has changed.
    if (line !== null) observer.current?.observe(line);
  });
  return setLine;
}
