/** Paths at which an app takes the messages of its subscriptions, and whether a delivery keeps one that it no longer has. */
import type { Subscription, SubscriptionRow } from './subscription.ts';
import { topicMatches } from './topic-pattern.ts';

const MAX_PATHS = 5;

/** Paths of the rules and of the default route; those are no paths over gRPC, where an app may have one handler for all events: "". */
export function pathsOf({
  rules,
  defaultPath,
}: Pick<Subscription, 'defaultPath'> & {
  readonly rules: readonly { readonly path: string }[];
}): readonly string[] {
  const paths = rules.map(({ path }) => path);
  return defaultPath === undefined ? paths : [...paths, defaultPath];
}

/** Where an app takes a topic, in words such as "at /orders". */
export function pathsText(all: readonly string[]): string {
  const paths = all.filter((path) => path !== '');
  if (paths.length === 0) return 'without a route';
  const shown = paths.slice(0, MAX_PATHS).join(', ');
  return `at ${paths.length > MAX_PATHS ? `${shown} and ${paths.length - MAX_PATHS} more` : shown}`;
}

type Row = Pick<
  SubscriptionRow,
  'appId' | 'pubsubname' | 'topic' | 'source' | 'state' | 'rules' | 'defaultPath'
>;

/** A delivery, as far as its route is concerned; the topic is that of its message or of its subscription. */
interface Routed {
  readonly appId: string;
  readonly pubsubname: string;
  readonly topic: string;
  readonly path: string;
}

/**
 * Where the app takes the topic of a delivery now, in words, if the route that the delivery keeps is none of the present ones; undefined: the
 * app still has this route, or no path to which the delivery could be sent instead.
 */
export function pathsInstead(
  rows: readonly Row[],
  { appId, pubsubname, topic, path }: Routed,
): string | undefined {
  if (path === '') return undefined;
  const paths = rows
    .filter((row) => row.appId === appId && row.pubsubname === pubsubname && topicMatches(row.topic, topic))
    .filter(({ source, state }) => source !== 'streaming' && state === 'active')
    .flatMap(pathsOf)
    .filter((each) => each !== '');
  return paths.length === 0 || paths.includes(path) ? undefined : pathsText([...new Set(paths)]);
}
