/** Where a text stops being JSON. */

export interface JsonMistake {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** The first mistake; undefined when the text is JSON. Lines and columns count from 1. */
export function jsonMistake(text: string): JsonMistake | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (reason) {
    const message = reason instanceof Error ? reason.message : String(reason);
    const found = /position (\d+)/.exec(message);
    // Without a position the text ended too early.
    const at = found === null ? text.length : Number(found[1]);
    const before = text.slice(0, at).split('\n');
    return {
      line: before.length,
      column: (before.at(-1)?.length ?? 0) + 1,
      message: message.replace(/,? ?(in JSON )?at position .*$/, '').replace(/ in JSON$/, ''),
    };
  }
}
