/**
 * The plan of "Send sample traffic": rules and messages that show every state of a delivery within seconds.
 */
import type { DeliveryState } from '../contract/delivery.ts';
import type { HoldParams } from '../contract/hold.ts';
import type { Answer, ResponseRule, RuleAnswer } from '../contract/mock-app.ts';
import type { Profile } from '../contract/profile.ts';
import type { PublishBulkParams, PublishParams } from '../contract/publish.ts';
import type { WireSubscription } from '../contract/subscription.ts';

export interface SamplePublish extends PublishParams {
  readonly pubsubname: string;
  /** State of the delivery after a few seconds. */
  readonly leadsTo: DeliveryState;
}

export interface SampleBulkPublish extends PublishBulkParams {
  /**
   * States of the entries in no particular order: which entry gets which depends on the order in which they
   * reach the app.
   */
  readonly leadsTo: readonly DeliveryState[];
}

/** Data of the samples. The host adds the rules, publishes, and removes the rules again. */
export interface SamplePlan {
  /** Subscriptions to add if their topic has none yet. */
  readonly subscriptions: readonly WireSubscription[];
  /**
   * Rules to place before the existing ones. Their ids begin with SAMPLE_PREFIX; they match only sample
   * messages.
   */
  readonly rules: readonly ResponseRule[];
  /** Members of the retry policy that differ, by "pubsubname/topic". */
  readonly retryByTopic: Readonly<
    Record<
      string,
      {
        readonly maxAttempts: number;
        readonly firstDelayMs: number;
        readonly factor: number;
        readonly maxDelayMs: number;
      }
    >
  >;
  readonly holds: readonly HoldParams[];
  /** Messages to publish in this order, after the bulk publishes. */
  readonly publishes: readonly SamplePublish[];
  readonly bulkPublishes: readonly SampleBulkPublish[];
}

/** Prefix of the ids and names of all samples. */
export const SAMPLE_PREFIX = 'sample-';

const TEN_MINUTES_MS = 600_000;
const TTL_SECONDS = '3';

/**
 * Twelve messages that end in all nine states: eight published one by one, four in bulk. Rules match them by
 * their event type, so that a person's own messages on the same topics get the same answers as before.
 */
export function samplePlan(profile: Profile, pubsubname: string): SamplePlan {
  return {
    subscriptions: sampleSubscriptions(profile, pubsubname),
    rules: sampleRules(),
    retryByTopic: {
      [`${pubsubname}/payments`]: steady(2, 200),
      [`${pubsubname}/refunds`]: steady(3, TEN_MINUTES_MS),
      [`${pubsubname}/shipments`]: steady(2, 200),
    },
    holds: [{ name: `${SAMPLE_PREFIX}hold`, at: 'delivery', filter: `type:${typeOf('held')}` }],
    publishes: samplePublishes(pubsubname),
    bulkPublishes: [
      {
        pubsubname,
        topic: 'shipments',
        entries: ['sent', 'delayed', 'cancelled', 'lost'].map((state, index) => ({
          entryId: `${SAMPLE_PREFIX}${index + 1}`,
          event: { shipmentId: `s-${index + 1}`, orderId: 1001 + index, state },
          contentType: 'application/json',
          metadata: { 'cloudevent.type': typeOf('mixed') },
        })),
        leadsTo: ['processed', 'dead-lettered', 'dropped', 'dead-lettered'],
      },
    ],
  };
}

const SUCCESS: Answer = { kind: 'respond', status: 200, body: { status: 'SUCCESS' } };
const RETRY: Answer = { kind: 'respond', status: 200, body: { status: 'RETRY' } };

function sampleSubscriptions(profile: Profile, pubsubname: string): SamplePlan['subscriptions'] {
  const bulkSubscribe = profile.bulkEnabledByDefault ? {} : { enabled: true };
  return [
    { pubsubname, topic: 'orders', routes: { default: '/orders' } },
    { pubsubname, topic: 'payments', routes: { default: '/payments' } },
    { pubsubname, topic: 'refunds', routes: { default: '/refunds' } },
    {
      pubsubname,
      topic: 'shipments',
      routes: { default: '/shipments' },
      bulkSubscribe: { ...bulkSubscribe, maxMessagesCount: 4, maxAwaitDurationMs: 500 },
      deadLetterTopic: 'shipments-dead',
    },
    {
      pubsubname,
      topic: 'invoices',
      routes: { default: '/invoices' },
      bulkSubscribe: { ...bulkSubscribe, maxMessagesCount: 100, maxAwaitDurationMs: TEN_MINUTES_MS },
    },
  ];
}

function sampleRules(): SamplePlan['rules'] {
  return [
    rule('hangs', 'never answers', 'orders', { kind: 'hang' }),
    rule('expires', 'asks for a retry until it expires', 'orders', RETRY),
    {
      ...rule('recovers', 'fails twice, then succeeds', 'orders', {
        kind: 'sequence',
        steps: [{ kind: 'respond', status: 503 }, { kind: 'respond', status: 503 }, SUCCESS],
        then: 'repeat-last',
      }),
      per: 'message',
    },
    rule('unknown', 'does not know the order', 'orders', { kind: 'respond', status: 404 }),
    rule('parked', 'asks for a retry each time', 'payments', RETRY),
    rule('retrying', 'asks for a retry each time', 'refunds', RETRY),
    rule('mixed', 'answers each entry differently', 'shipments', {
      kind: 'sequence',
      steps: [
        {
          kind: 'respond-bulk',
          status: 200,
          statuses: { '#1': 'SUCCESS', '#2': 'RETRY', '#3': 'DROP', '#4': null },
        },
        { kind: 'respond-bulk', status: 200, statuses: 'all-retry' },
      ],
      then: 'repeat-last',
    }),
  ];
}

function samplePublishes(pubsubname: string): SamplePlan['publishes'] {
  const one = (
    topic: string,
    name: string,
    data: Readonly<Record<string, unknown>>,
    leadsTo: DeliveryState,
  ): SamplePublish => ({
    pubsubname,
    topic,
    data,
    metadata: { 'cloudevent.type': typeOf(name) },
    leadsTo,
  });
  return [
    one('orders', 'held', { orderId: 1001, total: 120 }, 'held'),
    one('orders', 'hangs', { orderId: 1002, total: 75.5 }, 'attempting'),
    {
      ...one('orders', 'expires', { orderId: 1003, total: 19.9 }, 'expired'),
      metadata: { 'cloudevent.type': typeOf('expires'), ttlInSeconds: TTL_SECONDS },
    },
    one('orders', 'recovers', { orderId: 1004, total: 310 }, 'processed'),
    one('orders', 'unknown', { orderId: 9999, total: 1 }, 'dropped'),
    one('payments', 'parked', { paymentId: 'p-501', orderId: 1001, amount: 120 }, 'parked'),
    one('refunds', 'retrying', { refundId: 'r-77', orderId: 998, amount: 42 }, 'retrying'),
    one('invoices', 'queued', { invoiceId: 'i-2024', orderId: 1001, total: 120 }, 'queued'),
  ];
}

function typeOf(name: string): string {
  return `com.example.sample.${name}`;
}

function rule(name: string, title: string, topic: string, answer: RuleAnswer): ResponseRule {
  return {
    ruleId: `${SAMPLE_PREFIX}${name}`,
    name: `Sample: ${title}`,
    enabled: true,
    match: { topic, eventType: typeOf(name) },
    answer,
  };
}

function steady(maxAttempts: number, delayMs: number): SamplePlan['retryByTopic'][string] {
  return { maxAttempts, firstDelayMs: delayMs, factor: 1, maxDelayMs: delayMs };
}
