/** Listens for keys of the whole window, and runs their commands. */
import { useEffect } from 'react';
import type { Console } from '../state/console.ts';
import { drawBindings, keysOf, type Bindings } from './bindings.ts';
import { createChordReader, isSingleKey, stepOf } from './chord.ts';
import type { Command } from './command.ts';
import { COMMANDS, consoleFor, whyOff } from './commands.ts';
import { onList } from './list-commands.ts';
import { isActKey, isListKey, listFor, passOn } from './main-list.ts';

function byKey(bindings: Bindings): ReadonlyMap<string, Command> {
  return new Map(COMMANDS.flatMap((command) => keysOf(command, bindings).map((key) => [key, command])));
}

/** Whether an element takes typed characters, or is a text that is being edited. */
export function isTyping(target: Element): boolean {
  if (target.closest('.cm-editor, [contenteditable="true"]') !== null) return true;
  const field = target.closest('input, textarea, select');
  if (field === null) return false;
  return !(field instanceof HTMLInputElement && /^(checkbox|radio|button)$/.test(field.type));
}

function isInScope(target: Element, scope: 'messages' | undefined): boolean {
  if (target.closest('[role="dialog"], [role="alertdialog"], [role="menu"]') !== null) return false;
  if (scope === undefined || target === document.body) return true;
  return target.closest(`[data-keys="${scope}"]`) !== null || target.matches('main, section');
}

/** Why a key does nothing now; undefined: it runs its command. A key of the list acts only where a list is on the screen. */
function whyNot(command: Command, shown: Console): string | undefined {
  return (command.scope === 'messages' ? onList(shown) : undefined) ?? whyOff(command, shown);
}

/** Runs commands by their keys while the component is mounted. A disabled command shows its reason. */
export function useKeys(console: Console): void {
  useEffect(() => {
    const reader = createChordReader(() => Date.now());
    let commands = byKey(console.ui.getState().keys);
    drawBindings(COMMANDS, console.ui.getState().keys);
    const stop = console.ui.subscribe(({ keys }, before) => {
      if (keys === before.keys) return;
      commands = byKey(keys);
      drawBindings(COMMANDS, keys);
    });
    // The key that a list is given comes up to here once more.
    let isPassing = false;
    const pass = (list: HTMLElement, event: KeyboardEvent): void => {
      isPassing = true;
      passOn(list, event);
      isPassing = false;
    };
    const onKey = (event: KeyboardEvent): void => {
      const target = event.target instanceof Element ? event.target : document.body;
      if (event.defaultPrevented || event.isComposing || isPassing) return;
      const list = listFor(target);
      if (list !== undefined && isListKey(event, list)) {
        pass(list, event);
        return;
      }
      const single = isSingleKey(stepOf(event));
      if (single && (isTyping(target) || !console.ui.getState().singleKeys)) return;
      const binding = reader.read(event, new Set(commands.keys()));
      const command = binding === undefined ? undefined : commands.get(binding);
      if (
        list !== undefined &&
        isActKey(event, list) &&
        (command === undefined || command.scope === 'messages')
      ) {
        pass(list, event);
        return;
      }
      if (command === undefined || !isInScope(target, command.scope)) return;
      if (binding === 'Mod+Z' && isTyping(target)) return;
      event.preventDefault();
      // A key that is held down comes again and again: it retries, drops or replays once.
      if (event.repeat && command.repeats !== true) return;
      const shown = consoleFor(command, console);
      const why = whyNot(command, shown);
      if (why === undefined) command.run(shown);
      else console.toasts.failed(why);
    };
    document.addEventListener('keydown', onKey);
    return () => {
      stop();
      document.removeEventListener('keydown', onKey);
    };
  }, [console]);
}
