/** Acts on the dialog that asked the host, and on no other one that was opened before the answer. */
import type { CommandsStore } from '../state/commands.ts';

/**
 * Remembers which dialog is open.
 * @returns runs something, if that dialog is still open by then
 */
export function whileThisIsOpen({ store }: CommandsStore): (run: () => void) => void {
  const { overlay } = store.getState();
  return (run) => {
    if (store.getState().overlay === overlay) run();
  };
}

/**
 * Remembers which dialog is open.
 * @returns closes that dialog, if it is still open by then
 */
export function closerOfThis(commands: CommandsStore): () => void {
  const then = whileThisIsOpen(commands);
  return () => then(commands.close);
}
