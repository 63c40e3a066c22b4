/** Hook for payloads in one line. */
import { useCallback, useSyncExternalStore } from 'react';
import { useConsole } from './context.ts';
import type { Preview } from './previews.ts';

/** The payload of a message in one line, loaded while the component is mounted; undefined: not known yet. */
export function usePreview(number: number): Preview | undefined {
  const { previews } = useConsole().messages;
  return useSyncExternalStore(
    useCallback((listener: () => void) => previews.watch(number, listener), [previews, number]),
    () => previews.of(number),
  );
}
