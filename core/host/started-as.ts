/** The command that a person types to start this program again, for hints that can be copied. */
import { basename, isAbsolute, relative } from 'node:path';
import { shellQuote } from '../contract/shell-quote.ts';

export interface Started {
  /** The program as Node was given it, `process.argv[1]`. */
  readonly program: string | undefined;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** `sidelight`, or in a clone, where that is no command, `npm start --` or the path of the program behind `node`. */
export function startedAs({ program = '', cwd, env }: Started): string {
  // Another package may have a script of this name that calls the command.
  if (env['npm_package_name'] === 'sidelight' && env['npm_lifecycle_event'] === 'start')
    return 'npm start --';
  // An installed command is a link without the ending of the file.
  if (basename(program) !== 'sidelight.mjs') return 'sidelight';
  const inside = relative(cwd, program);
  return `node ${shellQuote(inside.startsWith('..') || isAbsolute(inside) ? program : inside)}`;
}
