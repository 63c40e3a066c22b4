/** Lets a click in a strip not count that was aimed at another one: strips come and go, and move others under the pointer. */
import { useEffect, useRef, type MouseEvent, type RefObject } from 'react';

/** How long a person may still aim at what stood in a place before. */
export const SETTLED_MS = 400;
/** How near to the place of a click the pointer is by then, when it aims there. */
export const AIMING_PX = 120;

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Where a strip stands, since when, and where the pointer was then; undefined: not known. */
interface Place {
  readonly top: number;
  readonly since: number;
  readonly pointer: Point | undefined;
}

/** Knows which strips moved in the last instant. */
export class StandingStill {
  readonly #places = new WeakMap<object, Place>();

  /** Notes the places of all strips; one that stands where it stood keeps its time. */
  note(tops: Iterable<readonly [strip: object, top: number]>, { since, pointer }: Omit<Place, 'top'>): void {
    for (const [strip, top] of tops) {
      if (this.#places.get(strip)?.top !== top) this.#places.set(strip, { top, since, pointer });
    }
  }

  /** Whether a click is meant for the strip that it hits: a pointer that came later, or from elsewhere, aimed at it. */
  isMeant(strip: object, { x, y }: Point, now: number): boolean {
    const place = this.#places.get(strip);
    if (place?.pointer === undefined || now - place.since >= SETTLED_MS) return true;
    return Math.hypot(x - place.pointer.x, y - place.pointer.y) > AIMING_PX;
  }
}

/** Mark of an element that a click counts for, or does not count for, as a whole. */
const STRIP = 'data-strip';

interface StillStrips {
  readonly ref: RefObject<HTMLDivElement | null>;
  /** To be called before the click reaches a button or a link. */
  readonly onClickCapture: (event: MouseEvent) => void;
}

export function useStillStrips(): StillStrips {
  const ref = useRef<HTMLDivElement>(null);
  const still = useRef(new StandingStill());
  useEffect(() => {
    const area = ref.current;
    if (area === null) return undefined;
    let pointer: Point | undefined;
    const follow = ({ clientX, clientY }: PointerEvent): void => {
      pointer = { x: clientX, y: clientY };
    };
    const note = (): void => {
      const strips = [...area.querySelectorAll<HTMLElement>(`[${STRIP}]`)];
      still.current.note(
        strips.map((strip) => [strip, strip.offsetTop]),
        { since: performance.now(), pointer },
      );
    };
    note();
    window.addEventListener('pointermove', follow, { passive: true });
    const parts = new MutationObserver(note);
    parts.observe(area, { childList: true, characterData: true, subtree: true });
    // Another width of the window breaks the lines anew.
    const size = new ResizeObserver(note);
    size.observe(area);
    return () => {
      window.removeEventListener('pointermove', follow);
      parts.disconnect();
      size.disconnect();
    };
  }, []);
  return {
    ref,
    onClickCapture(event) {
      const strip = event.target instanceof Element ? event.target.closest(`[${STRIP}]`) : null;
      // A key acts on what has the focus, wherever it stands.
      if (event.detail === 0 || strip === null) return;
      const at = { x: event.clientX, y: event.clientY };
      if (still.current.isMeant(strip, at, performance.now())) return;
      event.preventDefault();
      event.stopPropagation();
    },
  };
}
