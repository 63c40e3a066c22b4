/** What a person reads of something that was thrown. */

/** The message of an error; anything else that was thrown, as text. */
export function errorText(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
