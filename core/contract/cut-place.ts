/**
 * The place at which a text of more than `most` characters is cut: never between the halves of a surrogate pair, which would leave a
 * character that cannot be drawn or sent.
 */
export function cutPlace(text: string, most: number): number {
  const last = text.charCodeAt(most - 1);
  return last >= 0xd800 && last <= 0xdbff ? most - 1 : most;
}
