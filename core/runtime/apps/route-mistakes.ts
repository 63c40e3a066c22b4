/** Problems with the routes of an app's subscriptions, one sentence after another for a person. */
import { theApp, theAppFirst } from '../../contract/app-text.ts';
import { counted } from '../../contract/count-text.ts';
import { NO_ROUTE_AT_APP } from '../../contract/delivery.ts';
import type { RuleId } from '../../contract/delivery.ts';
import type { DeliveriesAt, Problem } from '../../contract/subscription.ts';
import { isTopicPattern } from '../../contract/topic-pattern.ts';
import { MAX_FILTER_LENGTH } from '../../domain/filter/parse.ts';
import { printText } from '../../domain/filter/print.ts';
import { pathsOf, pathsText } from '../../contract/route-paths.ts';
import type { App } from '../state/app.ts';
import type { LiveDelivery } from '../state/live.ts';
import type { MissingRouteOf } from '../state/route-answers.ts';

type Row = App['rows'][number];
type Place = Pick<MissingRouteOf, 'pubsubname' | 'topic' | 'path'>;

const NO_ROUTE: ReadonlySet<RuleId | undefined> = new Set(NO_ROUTE_AT_APP);

/** Routes of an app that are named; of more only the number is. */
const MAX_NAMED = 20;

/** Problems: the routes that an app does not serve. */
export function missingRoutes(
  app: Pick<App, 'appId' | 'rows' | 'discovery' | 'routeAnswers'>,
): readonly Problem[] {
  const missing = app.routeAnswers.missing();
  const named = missing.slice(0, MAX_NAMED).map((one) => missingRoute(app, one));
  const more = missing.length - named.length;
  if (more <= 0) return named;
  const text = `${theAppFirst(app.appId)} does not serve ${counted(more, 'more route', 'more routes')} of its subscriptions: the screen Topics, tab Subscriptions, has all of them.`;
  return [...named, { code: 'missing-route', severity: 'error', message: text }];
}

/** Problem: the app answers 404 at the route of its subscription, so it gets none of these messages. */
export function missingRoute(
  { appId, rows, discovery }: Pick<App, 'appId' | 'rows' | 'discovery'>,
  missing: MissingRouteOf,
): Problem {
  const { pubsubname, topic, path, answer, times, rule } = missing;
  const row = rows.find((each) => hasRoute(each, missing));
  const copies =
    rule === 'single.404.drop' && row?.subscription.deadLetterTopic !== undefined
      ? `, with a copy on ${row.subscription.deadLetterTopic}`
      : '';
  const became = `${counted(times, 'message was', 'messages were')} dropped${copies}`;
  return {
    code: 'missing-route',
    severity: 'error',
    message: `${theAppFirst(appId)} answers ${answer} ${where(path, row)} to ${topic} of ${pubsubname}. ${became}. ${todoFor(row, discovery)}.`,
    filter: missingRouteFilter({ appId, ...missing }),
    deliveries: { appId, pubsubname, topic, path },
  };
}

/** Finds messages with deliveries that were dropped because the app does not serve their route. */
export function missingRouteFilter(of: DeliveriesAt): string {
  return filterOf(of, `lastrule:${NO_ROUTE_AT_APP.join(',')}`);
}

/** Whether a delivery was dropped because its app does not serve this route. */
export function isDroppedAt(
  { appId, subscription, route, state, lastTransition }: LiveDelivery,
  at: DeliveriesAt,
): boolean {
  const isThere =
    appId === at.appId &&
    subscription.pubsubname === at.pubsubname &&
    subscription.topic === at.topic &&
    route.path === at.path;
  return isThere && state === 'dropped' && NO_ROUTE.has(lastTransition?.rule);
}

/** An app over gRPC may have one handler for all events, and no paths. */
function where(path: string, row: Row | undefined): string {
  const whose = row === undefined ? 'an earlier subscription' : 'its subscription';
  return path === '' ? `to events of ${whose}` : `at ${path}, the route of ${whose}`;
}

function todoFor(row: Row | undefined, { url }: Pick<App['discovery'], 'url'>): string {
  if (row === undefined) return 'Reroute what was dropped to send it by the current subscriptions';
  const { file } = row.subscription;
  const where = file === undefined ? `the list that the app gives at ${url}` : file;
  return `Serve this route in the app, or correct it in ${where}. Then reroute what was dropped`;
}

function hasRoute({ subscription }: Row, { pubsubname, topic, path }: Place): boolean {
  return (
    subscription.pubsubname === pubsubname &&
    subscription.topic === topic &&
    pathsOf(subscription).includes(path)
  );
}

/** Paths at which an app takes the topic of a subscription now. A stream has none. */
export function pathsFor(
  { rows }: Pick<App, 'rows'>,
  { pubsubname, topic }: Pick<Place, 'pubsubname' | 'topic'>,
): readonly string[] {
  const paths = rows
    .map(({ subscription }) => subscription)
    .filter((one) => one.pubsubname === pubsubname && one.topic === topic && one.source !== 'streaming')
    .flatMap(pathsOf);
  return [...new Set(paths)];
}

/** Messages that were dropped at a route of an app. */
export interface DroppedAt extends Place {
  readonly answer: string;
  readonly count: number;
  /** Whether there are more than were counted. */
  readonly hasMore: boolean;
}

/** Problem: the app serves its route now, or has another one, and what was dropped before is not sent again. */
export function mendedRoute(app: Pick<App, 'appId' | 'rows'>, dropped: DroppedAt): Problem {
  const { appId } = app;
  const { pubsubname, topic, path, answer, count, hasMore } = dropped;
  const pathsNow = pathsText(pathsFor(app, dropped));
  const messages = `${hasMore ? 'more than ' : ''}${counted(count, 'message')}`;
  const were = count === 1 ? 'it was' : 'they were';
  const where = path === '' ? '' : ` at ${path}`;
  return {
    code: 'mended-route',
    severity: 'warning',
    message: `Reroute ${messages} of topic ${topic} (${pubsubname}): ${were} dropped because ${theApp(appId)} answered ${answer}${where}. ${theAppFirst(appId)} now takes this topic ${pathsNow}.`,
    filter: missingRouteFilter({ appId, pubsubname, topic, path }),
    deliveries: { appId, pubsubname, topic, path },
  };
}

/**
 * The filter of messages on their way to a route of an app. A name that would make it longer than a filter may be is left out: acts compare
 * each delivery with the whole names.
 */
function filterOf({ appId, pubsubname, topic, path }: DeliveriesAt, more: string): string {
  const names = [
    ['app', appId],
    ['pubsub', pubsubname],
    // A pattern is no name that a message has.
    ...(isTopicPattern(topic) ? [] : [['topic', topic]]),
    ...(path === '' ? [] : [['route', path]]),
  ];
  let terms = '';
  for (const [key, name = ''] of names) {
    const next = `${terms}${key}:${printText(name)} `;
    if (next.length + more.length <= MAX_FILTER_LENGTH) terms = next;
  }
  return `${terms}${more}`;
}

/** Deliveries of one subscription that keep a route which it no longer has. */
export interface LeftDeliveries extends Place {
  readonly count: number;
  /** Whether all of them came from subscriptions of the mock app. */
  readonly isOfMock: boolean;
}

/** Problem: deliveries wait under a subscription that the app has no longer, or has with other routes. A delivery keeps its route. */
export function oldRoute({ appId, rows }: Pick<App, 'appId' | 'rows'>, left: LeftDeliveries): Problem {
  const { pubsubname, topic, path, count, isOfMock } = left;
  const now = rows.filter(
    ({ subscription }) => subscription.pubsubname === pubsubname && subscription.topic === topic,
  );
  const whose = isOfMock ? "the mock app's subscription" : 'an earlier subscription';
  const routed = now.filter(({ subscription }) => subscription.source !== 'streaming');
  const paths = pathsFor({ rows }, left);
  const pathsNow = pathsText(paths);
  const deliveries = counted(count, 'delivery', 'deliveries');
  const ofTopic = `topic ${topic} (${pubsubname})`;
  const keep = count === 1 ? 'it keeps' : 'they keep';
  // Only the beginning is seen where another banner stands beside this one, so what helps comes first.
  const text =
    paths.length === 0
      ? `${subscribeAgain(now, routed, { app: theApp(appId), ofTopic, path })}, or drop ${deliveries}: ${keep} this route of ${whose}, which the app no longer has.`
      : `Reroute or drop ${deliveries} of ${ofTopic}: ${keep} the route ${path} of ${whose}. ${theAppFirst(appId)} now takes this topic ${pathsNow}.`;
  return {
    code: paths.length === 0 ? 'old-subscription' : 'old-route',
    severity: 'warning',
    message: text,
    filter: filterOf({ appId, ...left }, 'state:queued,held,attempting,retrying,parked'),
    deliveries: { appId, pubsubname, topic, path },
    ...(paths.length === 0 ? {} : { pathsNow }),
  };
}

/** What helps where an app has no path for a topic now. */
function subscribeAgain(
  now: readonly Row[],
  routed: readonly Row[],
  { app, ofTopic, path }: { readonly app: string; readonly ofTopic: string; readonly path: string },
): string {
  if (routed.length > 0) return `Give the subscription of ${app} to ${ofTopic} the route ${path}`;
  const beside = now.length > 0 ? ' beside its stream' : '';
  return `Subscribe ${app} to ${ofTopic} at ${path}${beside}`;
}
