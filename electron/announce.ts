// What the shell says to whoever started it: lines of the contract on stdout when asked for, complaints on stderr.
import { SHELL_LINES, type ShellLine } from '../core/contract/shell.ts';

/** True when a program started us and reads our lines; it tells the person what went wrong, so no box need do it. */
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

/** A starter may end before us; what is then written has no reader, and must not become a crash. */
export function outliveStarter(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}
