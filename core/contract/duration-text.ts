/** Durations in words. */

/** A duration with its unit: `412 ms`, `3.2 s`, `2 min`, `3 h`, `2 d`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`;
  const seconds = ms / 1000;
  if (seconds < 60) return `${trimTenth(seconds)} s`;
  const minutes = seconds / 60;
  if (minutes < 60) return `${trimTenth(minutes)} min`;
  const hours = minutes / 60;
  return hours < 48 ? `${trimTenth(hours)} h` : `${trimTenth(hours / 24)} d`;
}

/** A number with one decimal, which is left out if it is 0. */
export function trimTenth(n: number): string {
  const text = n.toFixed(1);
  return text.endsWith('.0') ? text.slice(0, -2) : text;
}
