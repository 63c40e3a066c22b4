/** A part of the Recordings screen that a link or a command leads to. */
import { useEffect, useRef, type RefObject } from 'react';
import { useParam } from '../../state/context.ts';
import page from '../page.module.css';

/** Brings the part into sight while the address asks for it by this name. */
export function useAskedPart(name: string): RefObject<HTMLElement | null> {
  const part = useRef<HTMLElement>(null);
  const isAskedFor = useParam('part') === name;
  useEffect(() => {
    // Only the screen is scrolled: scrollIntoView would move what is around it too.
    const screen = part.current?.closest(`.${page.body}`);
    if (!isAskedFor || !part.current || !screen) return;
    screen.scrollTop += part.current.getBoundingClientRect().top - screen.getBoundingClientRect().top;
  }, [isAskedFor]);
  return part;
}
