/** Puts facts into the named gaps of a text. */

export type Facts = Readonly<Record<string, string | number | undefined>>;

/**
 * Replaces each `{name}` by its fact; without a fact it becomes an en dash. `{name:message|messages}` becomes
 * the first word when the fact is 1, else the second.
 */
export function fill(text: string, facts: Facts): string {
  return text.replace(
    /\{(\w+)(?::([^|{}]*)\|([^|{}]*))?\}/g,
    (_, name: string, one?: string, many?: string) => {
      const fact = facts[name];
      if (one !== undefined && many !== undefined) return String(fact) === '1' ? one : many;
      return fact === undefined ? '–' : String(fact);
    },
  );
}
