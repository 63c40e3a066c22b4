/** Commands that end with this process, however it ends: by a signal, or by an error that nobody foresaw. */

const endings = new Set<() => void>();

process.on('exit', () => {
  for (const end of endings) end();
});

/** @returns takes it back, for a command that is gone: its number may be that of another one later */
export function endWithUs(end: () => void): () => void {
  endings.add(end);
  return () => void endings.delete(end);
}
