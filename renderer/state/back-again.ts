/** Tells a person that an app answers again which has left messages parked: nothing tries them again by itself. */
import { theAppFirst } from '../../core/contract/app-text.ts';
import type { MessageRow } from '../../core/contract/message.ts';
import { filterValue } from '../../core/contract/filter-value.ts';
import { fill } from '../copy/fill.ts';
import { FRAME } from '../copy/frame.ts';
import { NOTIFICATIONS } from '../copy/notifications.ts';
import { count } from '../format/quantity.ts';
import type { ConnectionStore } from './connection.ts';
import type { Navigation } from './navigation.ts';
import type { Toasts } from './toasts.ts';

/** The newest messages that match a filter, and the number of all. */
export interface Found {
  readonly items: readonly Pick<MessageRow, 'messageId' | 'deliveries'>[];
  readonly total: number;
}

/** Number of messages that are read. The key `app` also finds what the app published, so each is looked at. */
const READ = 200;

/** Messages with a parked delivery to the app, the newest first. */
function parkedAt(appId: string, { items }: Found): readonly string[] {
  return items
    .filter(({ deliveries }) => deliveries.some((each) => each.appId === appId && each.state === 'parked'))
    .map(({ messageId }) => messageId);
}

export interface BackAgainDependencies {
  readonly connection: ConnectionStore;
  readonly toasts: Pick<Toasts, 'news'>;
  readonly navigation: Pick<Navigation, 'go'>;
  /** Undefined: the host did not answer. */
  readonly find: (filter: string, limit: number) => Promise<Found | undefined>;
}

/** Watches the apps of the host. Returns the function that ends it. */
export function watchBackAgain({ connection, toasts, navigation, find }: BackAgainDependencies): () => void {
  let away: ReadonlySet<string> = new Set();
  /** What was told of each app last. */
  const told = new Map<string, string>();

  async function report(appId: string): Promise<void> {
    const filter = `app:${filterValue(appId)} state:parked`;
    const found = await find(filter, READ);
    const parked = found === undefined ? [] : parkedAt(appId, found);
    if (found === undefined || parked.length === 0) return;
    const which = parked.join(' ');
    if (told.get(appId) === which) return;
    told.set(appId, which);
    const text = found.total > found.items.length ? NOTIFICATIONS.backMany : NOTIFICATIONS.back;
    toasts.news(fill(text, { App: theAppFirst(appId), n: count(parked.length) }), {
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
