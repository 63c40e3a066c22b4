/** Joins class names. */

/** The given names, without false ones, separated by spaces. */
export function cx(...names: readonly (string | false | undefined)[]): string {
  return names.filter((name) => name !== false && name !== undefined && name !== '').join(' ');
}
