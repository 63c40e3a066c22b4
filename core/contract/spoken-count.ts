/** Counts in words. */

/** A count with its noun: `1 message`, `2,000 messages`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}
