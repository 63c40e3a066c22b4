/** Acts on the dialog that asked the host, and on no other one that was opened before the answer. */
import { useLayoutEffect, useRef } from 'react';
import type { CommandsStore } from '../state/commands.ts';
import { isTypedOn } from './shared-fields.ts';

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

/**
 * For a dialog that closes once the host has what was typed in it.
 * @param draft what the dialog shows
 * @returns remembers what is sent; the function that it returns says whether the dialog may close: it is still open, and nothing was
 *   typed since
 */
export function useNoteSent<F extends object>(draft: F): () => () => boolean {
  const drawn = useRef<F>(undefined);
  useLayoutEffect(() => {
    drawn.current = draft;
  });
  useLayoutEffect(
    () => () => {
      drawn.current = undefined;
    },
    [],
  );
  return () => () => drawn.current !== undefined && !isTypedOn(drawn.current, draft, draft);
}
