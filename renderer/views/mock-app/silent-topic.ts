/** Answers that no call can get, because the mock app does not subscribe to their topic. */
import type { MockAppState, ResponseRule } from '../../../core/contract/mock-app.ts';
import type { AppRow, SubscriptionRow } from '../../../core/contract/subscription.ts';
import { topicMatches } from '../../../core/contract/topic-pattern.ts';

/** Topics of the subscriptions of a mock app; undefined: not known, or its deliveries go elsewhere. */
export function topicsOfMock(
  { appId, subscriptions, tap, on }: Pick<MockAppState, 'appId' | 'subscriptions' | 'tap' | 'on'>,
  apps: readonly Pick<AppRow, 'appId' | 'mock'>[] | undefined,
  known: readonly Pick<SubscriptionRow, 'appId' | 'topic'>[] | undefined,
): readonly string[] | undefined {
  // A tapped app chooses its subscriptions, and an app with another address gets no answer from here.
  if (tap === true || !on || known === undefined) return undefined;
  if (apps?.some((app) => app.appId === appId && app.mock) !== true) return undefined;
  return [...subscriptions, ...known.filter((each) => each.appId === appId)].map(({ topic }) => topic);
}

/** The topic of an answer that is in use, if none of the subscribed topics is it; one with `*` is not judged. */
export function silentTopic(
  { enabled, match: { topic } }: Pick<ResponseRule, 'enabled' | 'match'>,
  topics: readonly string[] | undefined,
): string | undefined {
  if (!enabled || topics === undefined || topic === undefined || topic.includes('*')) return undefined;
  return topics.some((each) => topicMatches(each, topic)) ? undefined : topic;
}
