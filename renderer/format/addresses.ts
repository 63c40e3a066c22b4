/** Changes the setting `app.address` for its cards. */

/** Host and port without a scheme, as the command line takes them too. */
const HOST_AND_PORT = /^(?:[\w.-]+|\[[\da-fA-F:.]+\]):\d{1,5}(?:\/|$)/;

/** A typed address in its usual form: `localhost:8080` is one over HTTP, and so is a port of this machine alone. */
export function wholeAddress(text: string): string {
  const typed = text.trim();
  if (/^\d{1,5}$/.test(typed)) return `http://127.0.0.1:${typed}`;
  return HOST_AND_PORT.test(typed) ? `http://${typed}` : typed.replace(/^(https?):\/(?!\/)/i, '$1://');
}

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
