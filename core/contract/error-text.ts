/** What a person reads of something that was thrown. */

/** The message of an error; anything else that was thrown, as text. */
export function errorText(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** A sentence as a part of another one: without the full stop at its end. */
export function clause<T extends string | undefined>(text: T): T;
export function clause(text: string | undefined): string | undefined {
  return text?.replace(/\.$/, '');
}
