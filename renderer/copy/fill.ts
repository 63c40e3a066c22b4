/** Puts facts into the named places of a text. */

export type Facts = Readonly<Record<string, string | number | undefined>>;

/** Replaces each `{name}` by its fact; a place without one becomes an en dash. */
export function fill(text: string, facts: Facts): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const fact = facts[name];
    return fact === undefined ? '–' : String(fact);
  });
}
