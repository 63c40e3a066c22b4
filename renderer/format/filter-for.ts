/** The filter for the host: the typed one, limited to the chosen app. */
import { filterValue } from './cell-term.ts';

/**
 * Joins the typed filter and the chosen app.
 * @param appId '' = all apps
 */
export function filterFor(typed: string, appId: string): string {
  const text = typed.trim();
  if (appId === '') return text;
  const app = `app:${filterValue(appId)}`;
  return text === '' ? app : `${app} (${text})`;
}
