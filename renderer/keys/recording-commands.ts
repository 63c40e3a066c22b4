/** Commands on recordings: they lead to the screen that does the rest. */
import { GROUPS } from '../copy/commands.ts';
import { RECORDINGS } from '../copy/recordings.ts';
import type { Command } from './command.ts';

export const RECORDING_COMMANDS: readonly Command[] = [
  {
    id: 'recordings.export',
    title: RECORDINGS.commandExport,
    group: GROUPS.messages,
    method: 'recordings.export',
    run: (console) => console.places.go('/recordings'),
  },
  {
    id: 'recordings.import',
    title: RECORDINGS.commandImport,
    group: GROUPS.messages,
    method: 'recordings.import',
    run: (console) => console.places.go('/recordings'),
  },
  {
    id: 'recordings.toTest',
    title: RECORDINGS.commandTest,
    group: GROUPS.messages,
    method: 'recordings.toTest',
    run: (console) => console.places.go('/recordings'),
  },
];
