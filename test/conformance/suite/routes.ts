/** Subscriptions with rules, and publishes that the rules look at. */
import type { Context, Own, WireSubscription } from './case.ts';
import { accepted } from './checks.ts';

/** A subscription of `topic()` with rules that lead to the routes of the named topics. */
export const routed =
  (
    rules: readonly (readonly [match: string | undefined, to: string])[],
    fallback?: string,
    more: WireSubscription = {},
  ) =>
  (own: Own): readonly WireSubscription[] => [
    own.subscription('t', {
      routes: {
        rules: rules.map(([match, to]) => ({
          ...(match === undefined ? {} : { match }),
          path: own.path(to),
        })),
        ...(fallback === undefined ? {} : { default: own.path(fallback) }),
      },
      ...more,
    }),
  ];

/** Publishes with this event type; the data are the type's name unless given. */
export const publishType = async (context: Context, type: string, data = type): Promise<void> =>
  accepted(
    await context.sidecar.publish(context.topic(), data, { query: `metadata.cloudevent.type=${type}` }),
  );
/** Publishes a JSON value. */
export const publishJson = async (context: Context, value: unknown): Promise<void> =>
  accepted(
    await context.sidecar.publish(context.topic(), JSON.stringify(value), {
      contentType: 'application/json',
    }),
  );
/** The data of the deliveries at the route of `topic(name)`. */
export const dataAt = (context: Context, name: string): readonly unknown[] =>
  context.seen(name).map((delivery) => delivery.json()['data']);
