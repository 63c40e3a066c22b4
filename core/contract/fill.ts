/** Puts facts into the named places of a text. */

export type Facts = Readonly<Record<string, string | number | undefined>>;

/**
 * Replaces each `{name}` by its fact; a place without one becomes an en dash.
 * `{name:message|messages}` is the first word where the fact is 1, and else the second.
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
