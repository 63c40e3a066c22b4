/** Changes the setting `app.address` for its cards. */

/** The addresses of all apps after one is changed or removed; null: none is set any more. */
export function addressesWith(
  value: unknown,
  appId: string,
  url: string | undefined,
): Readonly<Record<string, unknown>> | null {
  const old = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const others = old.filter(([id]) => id !== appId);
  const next = url === undefined ? others : [...others, [appId, url] as const];
  return next.length === 0 ? null : Object.fromEntries(next);
}
