/** Closes the dialog that asked the host, and no other one that was opened before the answer. */
import type { CommandsStore } from '../state/commands.ts';

/**
 * Remembers which dialog is open.
 * @returns closes that dialog, if it is still open by then
 */
export function closerOfThis({ store, close }: CommandsStore): () => void {
  const { overlay } = store.getState();
  return () => {
    if (store.getState().overlay === overlay) close();
  };
}
