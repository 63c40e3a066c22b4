/** Counts in words. */

/** Made once: each row of a list is named by a count, and making one takes longer than drawing the row. */
const NUMBER = new Intl.NumberFormat('en-US');

/** A count with its noun: `1 message`, `2,000 messages`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${NUMBER.format(count)} ${count === 1 ? one : many}`;
}
