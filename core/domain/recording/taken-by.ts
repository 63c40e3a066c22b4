/**
 * Finds the subscriptions by which recorded messages reached their apps. An app may have changed or removed
 * them since; then the deliveries themselves say what they were.
 */
import type { RecordedSubscription } from '../../contract/recording.ts';
import type { Codec } from '../codec.ts';
import { readRuledEvent } from '../inbound.ts';
import { readRawPayload } from '../metadata.ts';
import { chooseRoute, compileRoutes } from '../routing.ts';
import type { RecordedDelivery, RecordedMessage } from './recorded.ts';

type Taken = Pick<RecordedMessage, 'message'> & RecordedDelivery;

/**
 * Subscriptions of a test: those of now where the messages still take the same way, else the recorded ones.
 * @param now subscriptions of now, or of the recording
 */
export function subscriptionsOfTest(
  messages: readonly RecordedMessage[],
  now: readonly RecordedSubscription[],
  codec: Codec,
): readonly RecordedSubscription[] {
  const groups = new Map<string, Taken[]>();
  for (const { message, deliveries } of messages)
    for (const each of deliveries) {
      if (each.delivery.subscription.source === 'binding') continue;
      const key = subscriptionKey(addressOf(each));
      groups.set(key, [...(groups.get(key) ?? []), { message, ...each }]);
    }
  const chosen = now.map((one) => {
    const taken = groups.get(subscriptionKey(one)) ?? [];
    groups.delete(subscriptionKey(one));
    return taken.every((each) => takesAlike(one, each, codec)) ? one : (recordedOf(taken) ?? one);
  });
  return [...chosen, ...[...groups.values()].flatMap((taken) => recordedOf(taken) ?? [])];
}

/** Why a message would take another way in a test with these subscriptions; undefined: it takes the same. */
export function whyOtherWay(
  { message, deliveries }: RecordedMessage,
  subscriptions: readonly RecordedSubscription[],
  codec: Codec,
): string | undefined {
  for (const each of deliveries) {
    if (each.delivery.subscription.source === 'binding') continue;
    const address = addressOf(each);
    const key = subscriptionKey(address);
    const by = subscriptions.find((one) => subscriptionKey(one) === key);
    if (by !== undefined && takesAlike(by, { message, ...each }, codec)) continue;
    const named = `subscription of ${address.appId} to ${address.pubsubname}/${address.topic}`;
    return hasNoPath(each)
      ? `no rule of the ${named} took it, and those rules are no longer known`
      : `the ${named} has changed, and another message of the test took another way`;
  }
  return undefined;
}

/** What identifies a subscription among those of all apps. */
export function subscriptionKey({
  appId,
  pubsubname,
  topic,
}: Pick<RecordedSubscription, 'appId' | 'pubsubname' | 'topic'>): string {
  return JSON.stringify([appId, pubsubname, topic]);
}

function addressOf({
  delivery: {
    appId,
    subscription: { pubsubname, topic },
  },
}: RecordedDelivery): Pick<RecordedSubscription, 'appId' | 'pubsubname' | 'topic'> {
  return { appId, pubsubname, topic };
}

/** Whether a subscription leads a message to the recorded route, in the same form, and to the same end. */
function takesAlike(one: RecordedSubscription, taken: Taken, codec: Codec): boolean {
  const { delivery, message } = taken;
  const { settings } = delivery.subscription;
  // Another sidecar chose the way of an observed message, perhaps by subscriptions that nobody here knows.
  if (message.row.tap !== undefined) return true;
  if (settings !== undefined) {
    const isRaw = isRawSubscription(one);
    if (isRaw !== (settings.rawPayload === true)) return false;
    if ((one.bulkSubscribe?.enabled === true) !== (settings.bulk !== undefined)) return false;
    const isSameDeadLetter = (one.deadLetterTopic ?? '') === (settings.deadLetterTopic ?? '');
    if (!isSameDeadLetter && delivery.state !== 'processed') return false;
    // What a rule reads of a raw payload depends on the sidecar.
    if (isRaw) return pathsOf(one).includes(delivery.route.path) || hasNoPath(taken);
  }
  const read = readRuledEvent(message.wire, codec);
  const { routes, route } = one;
  const rules = (routes?.rules ?? []).map(({ match = '', path }) => ({ match, path }));
  const defaultPath = routes?.default ?? route;
  const compiled = compileRoutes({ rules, ...(defaultPath === undefined ? {} : { defaultPath }) });
  if (compiled.needsEvent && !read.ok) return true;
  const choice = chooseRoute(compiled, read.ok ? read.event : {});
  // An app that is called over gRPC gets its route only if a rule chose one.
  const isByRule = choice.kind === 'path' && choice.rule !== undefined;
  if (isGrpc(taken) && !isByRule && delivery.route.path === '') return true;
  return (choice.kind === 'path' ? choice.path : '') === delivery.route.path;
}

function pathsOf({ routes, route }: RecordedSubscription): readonly (string | undefined)[] {
  return [...(routes?.rules ?? []).map(({ path }) => path), routes?.default ?? route];
}

function isRawSubscription({ metadata }: RecordedSubscription): boolean {
  // Some clients quote the value twice, which a subscription may.
  return readRawPayload(metadata?.['rawPayload']?.replace(/^"(.*)"$/, '$1')) === true;
}

function isGrpc({ delivery, attempts }: RecordedDelivery): boolean {
  const { source, settings } = delivery.subscription;
  return (
    source === 'streaming' ||
    settings?.protocol === 'grpc' ||
    attempts.some(({ protocol }) => protocol === 'grpc')
  );
}

/** Whether the delivery ended before a route was chosen. */
function hasNoPath(taken: RecordedDelivery): boolean {
  return taken.delivery.route.path === '' && !isGrpc(taken);
}

/** The subscription as its deliveries show it; undefined: none of them shows a route. */
function recordedOf(all: readonly Taken[]): RecordedSubscription | undefined {
  const taken = all.filter((each) => !hasNoPath(each));
  const [first] = taken;
  if (first === undefined) return undefined;
  const routes = taken.map(({ delivery }) => delivery.route);
  const byIndex = new Map(
    routes.flatMap(({ path, rule }) =>
      rule === undefined ? [] : [[rule.index, { match: rule.match, path }]],
    ),
  );
  const rules = [...byIndex].sort(([a], [b]) => a - b).map(([, rule]) => rule);
  const path = routes.find((route) => route.rule === undefined && route.path !== '')?.path;
  const ofEnd = taken.find(({ delivery: { state } }) => state !== 'processed') ?? first;
  const { rawPayload, bulk, deadLetterTopic } = ofEnd.delivery.subscription.settings ?? {};
  return {
    ...addressOf(first),
    routes: { rules, ...(path === undefined ? {} : { default: path }) },
    ...(rawPayload === true ? { metadata: { rawPayload: 'true' } } : {}),
    ...(bulk === undefined ? {} : { bulkSubscribe: { enabled: true, ...bulk } }),
    ...(deadLetterTopic === undefined ? {} : { deadLetterTopic }),
  };
}
