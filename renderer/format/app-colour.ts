/** A colour for each app, the same on every screen and in every run. */

const COLOURS = 6;

/** Number of the colour of an app id, from 0; texts and marks of an app carry it as `data-app`. */
export function appColour(appId: string): number {
  let sum = 0;
  for (const letter of appId) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 65_521;
  return sum % COLOURS;
}
