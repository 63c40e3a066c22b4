/** The registry of all commands; buttons, menus, palette, shortcut sheet and keys use it. */
import { GROUPS } from '../copy/commands.ts';
import type { Console } from '../state/console.ts';
import { shownConsole } from '../state/shown-console.ts';
import { ACT_COMMANDS } from './act-commands.ts';
import type { Command } from './command.ts';
import { FRAME_COMMANDS } from './frame-commands.ts';
import { HOLD_COMMANDS } from './hold-commands.ts';
import { LIST_COMMANDS } from './list-commands.ts';
import { BULK_COMMANDS } from './bulk-commands.ts';
import { RECORDING_COMMANDS } from './recording-commands.ts';

export const COMMANDS: readonly Command[] = [
  ...ACT_COMMANDS,
  ...BULK_COMMANDS,
  ...LIST_COMMANDS,
  ...RECORDING_COMMANDS,
  ...FRAME_COMMANDS,
  ...HOLD_COMMANDS,
];

const BY_ID = new Map(COMMANDS.map((command) => [command.id, command]));

/** The command with this id; undefined when there is none. */
export function commandOf(id: string): Command | undefined {
  return BY_ID.get(id);
}

/** The console that a command acts on: one about messages on that of the list on the screen, which may be a recording's. */
export function consoleFor(command: Command, console: Console): Console {
  const isAboutMessages = command.scope === 'messages' || command.group === GROUPS.messages;
  return isAboutMessages ? shownConsole(console) : console;
}

/** Why a command is disabled now, also by a recording, whose messages cannot be changed; undefined: it is not. */
export function whyOff(command: Command, console: Console): string | undefined {
  const changes = command.group === GROUPS.messages && command.reads !== true;
  return (changes ? console.readOnly : undefined) ?? command.when?.(console);
}
