/** Whether the window is narrow: one column, fewer elements side by side. */
import { useSyncExternalStore } from 'react';

const NARROW = '(max-width: 899px)';

/** True below 900 px. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(
    (changed) => {
      const query = window.matchMedia(NARROW);
      query.addEventListener('change', changed);
      return () => query.removeEventListener('change', changed);
    },
    () => window.matchMedia(NARROW).matches,
    // Without a window, as in a test, nothing is narrow.
    () => false,
  );
}
