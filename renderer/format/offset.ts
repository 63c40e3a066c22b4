/** Reads an offset in bytes as a person types it. */

/** "31" or "0x1f" as a number; undefined: the text is none. */
export function readOffset(text: string): number | undefined {
  const typed = text.trim();
  return /^(0x[0-9a-f]+|\d+)$/i.test(typed) ? Number(typed) : undefined;
}
