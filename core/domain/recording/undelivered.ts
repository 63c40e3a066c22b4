/**
 * Finds subscriptions that a message never reached. In a test every subscription exists from the start, so a
 * repeated message reaches it.
 */
import type { RecordedSubscription } from '../../contract/recording.ts';
import { topicMatches } from '../../contract/topic-pattern.ts';
import type { Codec } from '../codec.ts';
import { readRuledEvent } from '../inbound.ts';
import { chooseRoute, compileRoutes } from '../routing.ts';
import type { RecordedMessage } from './recorded.ts';

/**
 * Subscriptions to the message's topic without a delivery of it.
 * @param subscriptions those of the test
 */
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

/**
 * Whether the message itself shows the reason: no rule matches, so a test drops it there before the first
 * attempt.
 */
export function hasNoRoute(
  { message: { row, wire } }: RecordedMessage,
  { route, routes, metadata, deadLetterTopic }: RecordedSubscription,
  codec: Codec,
): boolean {
  const rules = (routes?.rules ?? []).map(({ match = '', path }) => ({ match, path }));
  const defaultPath = routes?.default ?? route;
  // How a raw subscription reads it, and what happens to a copy, depends on the sidecar.
  const isPlain = !row.raw && metadata?.['rawPayload'] === undefined && (deadLetterTopic ?? '') === '';
  if (!isPlain || rules.length === 0 || defaultPath !== undefined) return false;
  const read = readRuledEvent(wire, codec);
  return read.ok && chooseRoute(compileRoutes({ rules }), read.event).kind === 'none';
}
