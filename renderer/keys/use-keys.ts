/** Listens for keys of the whole window and runs the commands they belong to. */
import { useEffect } from 'react';
import type { Console } from '../state/console.ts';
import { createChordReader, isSingleKey, stepOf } from './chord.ts';
import { COMMANDS } from './commands.ts';

const BINDINGS = new Map(COMMANDS.flatMap((command) => (command.keys ?? []).map((key) => [key, command])));
const ALL: ReadonlySet<string> = new Set(BINDINGS.keys());

/** Element that takes typed characters, or text that is being edited. */
function isTyping(target: Element): boolean {
  if (target.closest('.cm-editor, [contenteditable="true"]') !== null) return true;
  const field = target.closest('input, textarea, select');
  if (field === null) return false;
  return !(field instanceof HTMLInputElement && /^(checkbox|radio|button)$/.test(field.type));
}

function isInScope(target: Element, scope: 'messages' | undefined): boolean {
  if (target.closest('[role="dialog"], [role="alertdialog"], [role="menu"]') !== null) return false;
  if (scope === undefined || target === document.body) return true;
  return target.closest(`[data-keys="${scope}"]`) !== null || target.id === 'content';
}

/** Runs commands by their keys while the component is mounted. A command that cannot run says why. */
export function useKeys(console: Console): void {
  useEffect(() => {
    const reader = createChordReader(() => Date.now());
    const onKey = (event: KeyboardEvent): void => {
      const target = event.target instanceof Element ? event.target : document.body;
      if (event.defaultPrevented || event.isComposing) return;
      const single = isSingleKey(stepOf(event));
      if (single && (isTyping(target) || !console.ui.getState().singleKeys)) return;
      const binding = reader.read(event, ALL);
      const command = binding === undefined ? undefined : BINDINGS.get(binding);
      if (command === undefined || !isInScope(target, command.scope)) return;
      if (binding === 'Mod+Z' && isTyping(target)) return;
      event.preventDefault();
      const why = command.when?.(console);
      if (why === undefined) command.run(console);
      else console.toasts.failed(why);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [console]);
}
