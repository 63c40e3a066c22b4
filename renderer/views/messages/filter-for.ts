/** The filter for the host: the typed one, limited to the chosen app. */

/**
 * Joins the typed filter and the chosen app.
 * @param appId '' = all apps
 */
export function filterFor(typed: string, appId: string): string {
  const text = typed.trim();
  if (appId === '') return text;
  const app = `app:${/^[\w.-]+$/.test(appId) ? appId : JSON.stringify(appId)}`;
  return text === '' ? app : `${app} (${text})`;
}
