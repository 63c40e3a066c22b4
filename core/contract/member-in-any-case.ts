/** Reads of objects whose writer may have spelled a name in other letter case. */

/** A member by its exact name, else by its name in another letter case; the last one if several match. */
export function memberInAnyCase(
  of: Readonly<Record<string, unknown>>,
  name: string,
): { readonly name: string; readonly value: unknown } | undefined {
  if (Object.hasOwn(of, name)) return { name, value: of[name] };
  const lower = name.toLowerCase();
  let found: { name: string; value: unknown } | undefined;
  for (const key of Object.keys(of)) {
    if (key.toLowerCase() === lower) found = { name: key, value: of[key] };
  }
  return found;
}
