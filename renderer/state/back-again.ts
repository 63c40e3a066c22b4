/** Tells a person that an app answers again which has left messages parked: nothing tries them again by itself. */
import { theAppFirst } from '../../core/contract/app-text.ts';
import { filterValue } from '../../core/contract/filter-value.ts';
import { fill } from '../copy/fill.ts';
import { FRAME } from '../copy/frame.ts';
import { NOTIFICATIONS } from '../copy/notifications.ts';
import { count } from '../format/quantity.ts';
import type { ConnectionStore } from './connection.ts';
import type { Navigation } from './navigation.ts';
import type { Toasts } from './toasts.ts';

/** Messages that match a filter: their number, and the newest one. */
export interface Found {
  readonly total: number;
  readonly newest: string | undefined;
}

export interface BackAgainDependencies {
  readonly connection: ConnectionStore;
  readonly toasts: Pick<Toasts, 'news'>;
  readonly navigation: Pick<Navigation, 'go'>;
  /** Undefined: the host did not answer. */
  readonly find: (filter: string) => Promise<Found | undefined>;
}

/** Watches the apps of the host. Returns the function that ends it. */
export function watchBackAgain({ connection, toasts, navigation, find }: BackAgainDependencies): () => void {
  let away: ReadonlySet<string> = new Set();
  /** What was told of each app last. */
  const told = new Map<string, Found>();

  async function report(appId: string): Promise<void> {
    const filter = `app:${filterValue(appId)} state:parked`;
    const found = await find(filter);
    if (found === undefined || found.total === 0) return;
    const before = told.get(appId);
    if (before?.total === found.total && before.newest === found.newest) return;
    told.set(appId, found);
    toasts.news(fill(NOTIFICATIONS.back, { App: theAppFirst(appId), n: count(found.total) }), {
      title: FRAME.showThem,
      isLink: true,
      run: () => navigation.go('/messages', { f: filter }),
    });
  }

  return connection.subscribe(({ runtime }, before) => {
    if (runtime === undefined || runtime === before.runtime) return;
    const at = (channel: string): ReadonlySet<string> =>
      new Set(runtime.health.flatMap((app) => (app.channel === channel ? app.appId : [])));
    const [awayNow, answering] = [at('not-reachable'), at('answering')];
    for (const appId of away) if (!awayNow.has(appId) && answering.has(appId)) void report(appId);
    // An app of which nothing is known for a moment is not back yet.
    away = new Set([...awayNow, ...[...away].filter((appId) => !answering.has(appId))]);
  });
}
