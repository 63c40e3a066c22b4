/** The message of a thrown error. The suite takes nothing from the product that it tests. */
export function textOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
