/** The measured rows, each with its subscriptions, its load and its comparison. */

export interface Scenario {
  readonly id: string;
  readonly title: string;
  readonly publishers: number;
  readonly padding: number;
  readonly entries: number;
  readonly topics: number;
  /** The scenario runs once more with a console attached. */
  readonly withConsole: boolean;
  /**
   * Through the event router: output side, topic, delivery with a token, ingress, webhook. Beside it the plain path of the same product.
   */
  readonly viaRouter?: true;
  readonly subscription: (topic: string) => Readonly<Record<string, unknown>>;
}

const PADDING = 200;
const plain: Scenario['subscription'] = (topic) => ({
  pubsubname: 'pubsub',
  topic,
  routes: { default: `/${topic}` },
});
const base = {
  publishers: 8,
  padding: PADDING,
  entries: 0,
  topics: 1,
  withConsole: false,
  subscription: plain,
} as const;

/** Rules of which only the last one holds. */
const RULES = Array.from({ length: 10 }, (_, at) => ({
  match: at === 9 ? 'event.data.t > 0' : `event.type == "never.${at}"`,
  path: `/rule-${at}`,
}));

export const SCENARIOS: readonly Scenario[] = [
  { ...base, id: 'single-1', title: 'publish, 1 publisher', publishers: 1, withConsole: true },
  { ...base, id: 'single-8', title: 'publish, 8 publishers', withConsole: true },
  { ...base, id: 'single-64', title: 'publish, 64 publishers', publishers: 64, withConsole: true },
  { ...base, id: 'bulk-publish', title: 'bulk publish of 100 entries', entries: 100 },
  {
    ...base,
    id: 'bulk-subscribe',
    title: 'bulk subscribe, batches of 100',
    publishers: 64,
    subscription: (topic) => ({
      ...plain(topic),
      bulkSubscribe: { enabled: true, maxMessagesCount: 100, maxAwaitDurationMs: 20 },
    }),
  },
  {
    ...base,
    id: 'rules-10',
    title: '10 rules, the last one holds',
    publishers: 64,
    subscription: (topic) => ({ ...plain(topic), routes: { rules: RULES, default: '/none' } }),
  },
  { ...base, id: 'body-64k', title: 'bodies of 64 KiB', padding: 65_536 },
  { ...base, id: 'topics-1000', title: '1,000 topics', publishers: 64, topics: 1_000 },
  { ...base, id: 'event-router', title: 'event router; bare = plain publish', viaRouter: true },
  { ...base, id: 'history', title: 'publish, 64 publishers, long history', publishers: 64 },
];

/** Names of a scenario's topics. */
export function topicsOf(scenario: Scenario): readonly string[] {
  return Array.from({ length: scenario.topics }, (_, at) => `t${at}`);
}
