/** Search in sorted names. */

/**
 * Index of the first name that is not before the given one; the length of the list if all are.
 * @param names in the order of `<`
 */
export function firstAtLeast(names: readonly string[], name: string): number {
  let [from, end] = [0, names.length];
  while (from < end) {
    const middle = (from + end) >>> 1;
    if ((names[middle] ?? '') < name) from = middle + 1;
    else end = middle;
  }
  return from;
}
