/** The backlog of a topic: that of all its subscriptions together, in the words of the list of subscriptions. */
import type { SubscriptionLag, SubscriptionRow, TopicRow } from '../../core/contract/subscription.ts';
import { isTopicPattern, topicMatches } from '../../core/contract/topic-pattern.ts';
import { fill } from '../copy/fill.ts';
import { LAG } from '../copy/topics.ts';
import { lagCell } from './lag.ts';

type Named = Pick<TopicRow, 'pubsubname' | 'topic'>;
type Row = Pick<
  SubscriptionRow,
  'appId' | 'pubsubname' | 'topic' | 'state' | 'counts' | 'lag' | 'missingRoutes'
>;

/**
 * Gives the backlog of each topic as text at a time. Thousands of topics are listed at once, so subscriptions are sorted by topic first.
 * Subscriptions that are not active count as little as among the subscriptions of the topic.
 */
export function topicLags(rows: readonly Row[]): (topic: Named) => (nowMs: number) => string {
  const exact = new Map<string, Map<string, Row>>();
  const patterns = new Map<string, Row>();
  for (const row of rows.filter(({ state }) => state === 'active')) {
    const key = keyOf(row);
    // The deliveries of two subscriptions of one app to one topic are counted together.
    if (isTopicPattern(row.topic)) patterns.set(JSON.stringify([key, row.appId]), row);
    else exact.set(key, (exact.get(key) ?? new Map<string, Row>()).set(row.appId, row));
  }
  return (of) => {
    const own = [...(exact.get(keyOf(of))?.values() ?? [])];
    const wide = [...patterns.values()].filter(
      ({ pubsubname, topic }) => pubsubname === of.pubsubname && topicMatches(topic, of.topic),
    );
    const all = together(own);
    return (nowMs) => {
      const parts = [
        ...(own.length === 0 ? [] : [lagCell(all, nowMs)]),
        ...wide.map((row) => fill(LAG.ofPattern, { lag: lagCell(row, nowMs), pattern: row.topic })),
      ];
      return parts.length === 0 ? LAG.noSubscription : parts.join(' · ');
    };
  };
}

/** Subscriptions as one: figures added, and the oldest of their deliveries. */
function together(rows: readonly Row[]): Pick<Row, 'counts' | 'lag' | 'missingRoutes'> {
  const lags = rows.flatMap(({ lag }) => (lag === undefined ? [] : [lag]));
  const parked = sum(rows.map(({ counts }) => counts.parked ?? 0));
  const missing = rows.flatMap(({ missingRoutes }) => missingRoutes ?? []);
  return {
    counts: parked === 0 ? {} : { parked },
    ...(lags.length === 0 ? {} : { lag: added(lags) }),
    ...(missing.length === 0 ? {} : { missingRoutes: missing }),
  };
}

function added(lags: readonly SubscriptionLag[]): SubscriptionLag {
  const [oldestAt] = lags.flatMap((lag) => (lag.oldestAt === undefined ? [] : [lag.oldestAt])).toSorted();
  const held = sum(lags.map((lag) => lag.held ?? 0));
  const asked = sum(lags.map((lag) => lag.asked ?? 0));
  return {
    unfinished: sum(lags.map(({ unfinished }) => unfinished)),
    ...(held === 0 ? {} : { held }),
    ...(asked === 0 ? {} : { asked }),
    ...(oldestAt === undefined ? {} : { oldestAt }),
    inPerSecond: sum(lags.map(({ inPerSecond }) => inPerSecond)),
    outPerSecond: sum(lags.map(({ outPerSecond }) => outPerSecond)),
  };
}

function sum(figures: readonly number[]): number {
  return figures.reduce((total, figure) => total + figure, 0);
}

function keyOf({ pubsubname, topic }: Named): string {
  return JSON.stringify([pubsubname, topic]);
}
