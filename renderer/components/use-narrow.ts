/** Whether the window is narrow: one column, less beside each other. */
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
    // Drawn without a window, as in a test, nothing is narrow.
    () => false,
  );
}
