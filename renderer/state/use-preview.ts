/** Hook for payloads in one line. */
import { useCallback, useSyncExternalStore } from 'react';
import { useConsole } from './context.ts';
import type { Preview } from './previews.ts';

/**
 * The payload of a message in one line, loaded while the component is mounted; undefined: not known yet.
 * @param version that the row of the message has; undefined: there is no row
 */
export function usePreview(number: number, version: string | undefined): Preview | undefined {
  const { previews } = useConsole().messages;
  return useSyncExternalStore(
    useCallback(
      (listener: () => void) => previews.watch(number, version, listener),
      [previews, number, version],
    ),
    () => previews.of(number),
  );
}
