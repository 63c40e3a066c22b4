/** Runs `run` later. Returns the function that cancels it. */
export function afterTimeout(delayMs: number, run: () => void): () => void {
  const timer = setTimeout(run, delayMs);
  return () => clearTimeout(timer);
}
