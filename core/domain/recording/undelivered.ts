/** Subscriptions to which a message never came. In a test each is there from the start, so what is published again comes to it. */
import type { RecordedSubscription } from '../../contract/recording.ts';
import type { Codec } from '../codec.ts';
import { readRuledEvent } from '../inbound.ts';
import { chooseRoute, compileRoutes } from '../routing.ts';
import { topicMatches } from '../subscription.ts';
import type { RecordedMessage } from './recorded.ts';

/** Those that take the message's topic and have no delivery of it. @param subscriptions those of the test */
export function undeliveredTo(
  { message: { row }, deliveries }: RecordedMessage,
  subscriptions: readonly RecordedSubscription[],
): readonly RecordedSubscription[] {
  return subscriptions
    .filter(({ pubsubname, topic }) => pubsubname === row.pubsubname && topicMatches(topic, row.topic))
    .filter(
      ({ appId, pubsubname, topic }) =>
        !deliveries.some(
          ({ delivery: { appId: to, subscription } }) =>
            to === appId && subscription.topic === topic && subscription.pubsubname === pubsubname,
        ),
    );
}

/** True where the message itself says why: no rule holds for it, so a test drops it there before the first attempt. */
export function hasNoRoute(
  { message: { row, wire } }: RecordedMessage,
  { route, routes, metadata, deadLetterTopic }: RecordedSubscription,
  codec: Codec,
): boolean {
  const rules = (routes?.rules ?? []).map(({ match = '', path }) => ({ match, path }));
  const defaultPath = routes?.default ?? route;
  // What a raw subscription reads, and what happens to a copy, is up to the sidecar.
  const isPlain = !row.raw && metadata?.['rawPayload'] === undefined && (deadLetterTopic ?? '') === '';
  if (!isPlain || rules.length === 0 || defaultPath !== undefined) return false;
  const read = readRuledEvent(wire, codec);
  return read.ok && chooseRoute(compileRoutes({ rules }), read.event).kind === 'none';
}
