/** How wide the window is: a narrow one has one column, a wide one has room for a preview beside a form. */
import { useSyncExternalStore } from 'react';

const NARROW = '(max-width: 899px)';
const TIGHT = '(max-width: 1099px)';
const WIDE = '(min-width: 1600px)';

function useMedia(text: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const query = window.matchMedia(text);
      query.addEventListener('change', changed);
      return () => query.removeEventListener('change', changed);
    },
    () => window.matchMedia(text).matches,
    // A test has no window: nothing is narrow or wide there.
    () => false,
  );
}

/** True below 900 px. */
export function useIsNarrow(): boolean {
  return useMedia(NARROW);
}

/** What `useIsNarrow` gives, for code that is not drawn. */
export function isNarrow(): boolean {
  return window.matchMedia(NARROW).matches;
}

/** True below 1,100 px, where a field beside tools has room for a short text only. */
export function useIsTight(): boolean {
  return useMedia(TIGHT);
}

/** True from 1,600 px on. */
export function useIsWide(): boolean {
  return useMedia(WIDE);
}
