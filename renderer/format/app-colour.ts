/** A colour for each app, the same on every screen. */

const COLOURS = 6;

/**
 * Number of an app's colour, from 0; texts and marks of an app have it as `data-app`.
 * @param among ids of all apps in order: the first six differ; the colour of an app that is not among them depends on its letters
 */
export function appColour(appId: string, among: readonly string[]): number {
  const place = [...new Set(among)].indexOf(appId);
  if (place >= 0) return place % COLOURS;
  let sum = 0;
  for (const letter of appId) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 65_521;
  return sum % COLOURS;
}
