/** Ends commands when this process ends, for any reason: a signal, or an unexpected error. */

const endings = new Set<() => void>();

process.on('exit', () => {
  for (const end of endings) end();
});

/**
 * Registers a function that ends a command.
 * @returns removes it again, for a command that is gone: its number may be reused
 */
export function endAtExit(end: () => void): () => void {
  endings.add(end);
  return () => void endings.delete(end);
}
