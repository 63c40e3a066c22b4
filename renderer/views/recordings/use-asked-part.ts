/** Scrolls to the part of the Recordings screen that a link or a command names. */
import { useEffect, useRef, type RefObject } from 'react';
import { useConsole, useParam } from '../../state/context.ts';
import { useSelected } from '../../state/store.ts';
import page from '../page.module.css';

/** Events which show that the person moves on. */
const MOVES = ['wheel', 'pointerdown', 'keydown'] as const;

/** Keeps the part visible while the address names it and the parts above it load. */
export function useAskedPart(name: string): RefObject<HTMLElement | null> {
  const part = useRef<HTMLElement>(null);
  const isAskedFor = useParam('part') === name;
  // A person who scrolled away and asks for the part again is brought back to it.
  const again = useSelected(useConsole().navigation.again, (n) => n);
  useEffect(() => {
    const asked = part.current;
    const around = asked?.parentElement;
    const screen = asked?.closest(`.${page.body}`);
    if (!isAskedFor || !asked || !around || !screen) return undefined;
    // The screen alone is scrolled, because scrollIntoView would also move elements around it.
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
  }, [isAskedFor, again]);
  return part;
}
