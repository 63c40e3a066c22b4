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

/** A page of the newest messages that match a filter, and the number of all. */
export interface Found {
  readonly items: readonly Pick<MessageRow, 'messageId' | 'deliveries'>[];
  readonly total: number;
  /** Where the next page begins; null: there is none. */
  readonly nextCursor: string | null;
}

/** Number of messages of a page. The key `app` also finds what the app published, so each is looked at. */
const PAGE = 200;
/** Number of pages that are read until one has a message that is parked at the app. */
const MAX_PAGES = 5;

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
  readonly find: (filter: string, limit: number, cursor?: string) => Promise<Found | undefined>;
}

/** Messages that are parked at an app, and whether there may be more. */
interface Parked {
  readonly ids: readonly string[];
  readonly hasMore: boolean;
}

/** The newest ones. Undefined: the host did not answer. */
async function newestParked(
  find: BackAgainDependencies['find'],
  filter: string,
  appId: string,
): Promise<Parked | undefined> {
  let cursor: string | undefined;
  for (let page = 1; ; page += 1) {
    const found = await find(filter, PAGE, cursor);
    if (found === undefined) return undefined;
    const ids = parkedAt(appId, found);
    const { nextCursor } = found;
    if (ids.length > 0 || nextCursor === null || page === MAX_PAGES)
      return { ids, hasMore: nextCursor !== null };
    cursor = nextCursor;
  }
}

/** Watches the apps of the host. Returns the function that ends it. */
export function watchBackAgain({ connection, toasts, navigation, find }: BackAgainDependencies): () => void {
  let away: ReadonlySet<string> = new Set();
  /** What was told of each app last. */
  const told = new Map<string, string>();

  async function report(appId: string): Promise<void> {
    const filter = `app:${filterValue(appId)} state:parked`;
    const parked = await newestParked(find, filter, appId);
    if (parked === undefined || parked.ids.length === 0) return;
    const { ids, hasMore } = parked;
    const which = ids.join(' ');
    if (told.get(appId) === which) return;
    told.set(appId, which);
    const text = hasMore ? NOTIFICATIONS.backMany : NOTIFICATIONS.back;
    toasts.news(fill(text, { App: theAppFirst(appId), n: count(ids.length) }), {
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
