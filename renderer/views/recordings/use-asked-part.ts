/** A part of the Recordings screen that a link or a command leads to. */
import { useEffect, useRef, type RefObject } from 'react';
import { useParam } from '../../state/context.ts';
import page from '../page.module.css';

/** What says that a person goes on from here. */
const MOVES = ['wheel', 'pointerdown', 'keydown'] as const;

/** Brings the part into sight while the address asks for it by this name, and keeps it there while the parts above it are filled. */
export function useAskedPart(name: string): RefObject<HTMLElement | null> {
  const part = useRef<HTMLElement>(null);
  const isAskedFor = useParam('part') === name;
  useEffect(() => {
    const asked = part.current;
    const around = asked?.parentElement;
    const screen = asked?.closest(`.${page.body}`);
    if (!isAskedFor || !asked || !around || !screen) return undefined;
    // Only the screen is scrolled: scrollIntoView would move what is around it too.
    const bring = (): void => {
      screen.scrollTop += asked.getBoundingClientRect().top - screen.getBoundingClientRect().top;
    };
    bring();
    const growing = new ResizeObserver(bring);
    growing.observe(around);
    const stop = (): void => growing.disconnect();
    for (const move of MOVES) screen.addEventListener(move, stop, { once: true, passive: true });
    return () => {
      stop();
      for (const move of MOVES) screen.removeEventListener(move, stop);
    };
  }, [isAskedFor]);
  return part;
}
