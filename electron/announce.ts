// Reports of the shell to the program that started it: lines of the contract on stdout when requested,
// complaints on stderr.
import { SHELL_LINES, type ShellLine } from '../core/contract/shell.ts';

/**
 * Whether a program started this process and reads its lines. That program reports errors to the person, so
 * no dialog is needed.
 */
export const hasStarter = (): boolean => process.env[SHELL_LINES] === '1';

/** Writes one line for the starter. Resolves when it is written, so that an exit right after cannot lose it. */
export function announce(line: ShellLine): Promise<void> {
  if (!hasStarter()) return Promise.resolve();
  return new Promise((resolve) => process.stdout.write(`${JSON.stringify(line)}\n`, () => resolve()));
}

/** Writes one complaint for a person. */
export function complain(text: string): void {
  process.stderr.write(`sidelight: ${text}\n`);
}

/** Ignores write errors: a starter may end first, and writing to it must not crash the shell. */
export function outliveStarter(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}
