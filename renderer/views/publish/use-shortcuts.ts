/** Digits that publish saved requests while the Publish screen is open and no text field has the focus. */
import { useEffect } from 'react';
import type { SavedRequest } from '../../../core/contract/saved.ts';
import { runSaved } from '../../keys/saved-commands.ts';
import { useConsole } from '../../state/context.ts';

/** Listens while the screen is mounted. */
export function useShortcuts(requests: readonly SavedRequest[] | undefined): void {
  const console = useConsole();
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (!console.ui.getState().singleKeys || !/^[1-9]$/.test(event.key)) return;
      const { target } = event;
      const busy = 'input, textarea, select, [contenteditable="true"], [role="dialog"], [role="menu"]';
      if (target instanceof Element && target.closest(busy) !== null) return;
      const found = requests?.find(({ shortcut }) => shortcut === Number(event.key));
      if (found === undefined) return;
      event.preventDefault();
      void runSaved(console, found);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [console, requests]);
}
