/** State of a component in the words of its list. */
import { forNobodyText, mayUse } from '../../core/contract/component-scopes.ts';
import type { Result } from '../../core/contract/console.ts';
import type { ComponentRow, SubscriptionRow } from '../../core/contract/subscription.ts';

export type Standing = ComponentRow['state'] | 'lost';

/**
 * State of a component. One that is tried again by itself is not initialised yet, whatever the error is, and neither is a secret store whose
 * own file has no mistake, nor what takes its secrets from it: the file with the secrets has. A running one may have lost its server.
 */
export function standingOf({
  state,
  nextStartAt,
  awaitsSecrets,
  lost,
  kind,
  problems,
}: ComponentRow): Standing {
  const isSound =
    awaitsSecrets === true ||
    (kind === 'secretstore' && problems.every(({ severity }) => severity === 'warning'));
  if (state === 'failed' && (nextStartAt !== undefined || isSound)) return 'initialising';
  return state === 'ready' && lost !== undefined ? 'lost' : state;
}

/**
 * Number of components that have lost their server. One that is there again at the first try was not away for anybody.
 * @param appId app that would use them; "" for all
 */
export function componentsAway(
  items: readonly Pick<ComponentRow, 'lost' | 'scopes'>[],
  appId: string,
): number {
  return items.filter((item) => (item.lost?.tries ?? 0) > 0 && (appId === '' || mayUse(item, appId))).length;
}

/** As `Standing`, and a component that works, but whose scopes leave out every running app. */
export type Shown = Standing | 'unused';

/**
 * Standing of a component as the list shows it.
 * @param appIds running apps; undefined: they are not known yet
 */
export function shownStanding(item: ComponentRow, appIds: readonly string[] | undefined): Shown {
  const standing = standingOf(item);
  return standing === 'ready' && unusedBecause(item, appIds) !== undefined ? 'unused' : standing;
}

/**
 * Why no running app may use a component; undefined: one may.
 * @param appIds running apps; undefined: they are not known yet
 */
export function unusedBecause(
  item: Pick<ComponentRow, 'scopes'>,
  appIds: readonly string[] | undefined,
): string | undefined {
  // Where no app runs, as where Sidelight only observes, there is none that the scopes could leave out.
  if (appIds === undefined || appIds.length === 0) return undefined;
  return forNobodyText(item, appIds);
}

/** The pub/sub components that the app may use; those of all apps where none is named. */
export function pubsubsOf(items: readonly ComponentRow[], appId?: string): readonly ComponentRow[] {
  return items.filter((item) => item.kind === 'pubsub' && (appId === undefined || mayUse(item, appId)));
}

/**
 * The pub/sub component that is offered first: one that works, else one that is tried again by itself, else any.
 * @param appId app that is to use it; a component that only other apps may use is the last choice
 */
export function firstPubsub(items: readonly ComponentRow[], appId?: string): ComponentRow | undefined {
  const own = pubsubsOf(items, appId);
  const pubsubs = own.length === 0 ? pubsubsOf(items) : own;
  const order: readonly Standing[] = ['ready', 'lost', 'initialising'];
  const best = order.map((standing) => pubsubs.find((item) => standingOf(item) === standing));
  return best.find((item) => item !== undefined) ?? pubsubs[0];
}

/**
 * Component and topic of a publish that a person copies: of a subscription in use, on a component that the publishing app may use.
 * @param appId app whose sidecar takes the publish
 */
export function copiedTarget(
  subscriptions: readonly Pick<SubscriptionRow, 'pubsubname' | 'topic' | 'state'>[],
  components: readonly ComponentRow[],
  appId: string | undefined,
): { readonly pubsubname: string; readonly topic: string } {
  const own = components.filter((item) => appId === undefined || mayUse(item, appId));
  const works = subscriptions.find(
    ({ state, pubsubname }) => state === 'active' && own.some(({ name }) => name === pubsubname),
  );
  if (works !== undefined) return works;
  const pubsubname = firstPubsub(components, appId)?.name ?? 'pubsub';
  return { pubsubname, topic: subscriptions[0]?.topic ?? 'orders' };
}

/**
 * Number of problems that a person has to look at: those of its file, or that it does not work without any.
 */
export function troublesOf(item: ComponentRow): number {
  return item.problems.length > 0 || standingOf(item) === 'ready' ? item.problems.length : 1;
}

/** Number of problems that the screen Components shows: those of components, and those of files that make none. */
export function problemsOf(loaded: Result<'components.list'> | undefined): number {
  if (loaded === undefined) return 0;
  return loaded.items.reduce((sum, item) => sum + troublesOf(item), loaded.problems.length);
}
