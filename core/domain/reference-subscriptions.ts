/**
 * Chooses the hints about the reference sidecar for a subscription, the settings of its component and an
 * event.
 */
import { shortened } from '../contract/cut-place.ts';
import type { ReferenceHint } from '../contract/reference-hint.ts';
import type { Subscription } from '../contract/subscription.ts';
import { parseDuration, durationText } from './duration.ts';
import { isObject } from './json.ts';
import { hintOf } from './reference-hints.ts';
import { pathsOf } from '../contract/route-paths.ts';

/** Type of the component whose behaviour on the reference is known in figures. */
const REDIS = 'pubsub.redis';
/** Type of the component of which the reference hands over one message at a time, so that its batches have one entry. */
const IN_MEMORY = 'pubsub.in-memory';
const REDIS_CONCURRENCY = 10;
const REDIS_PROCESSING_TIMEOUT_MS = 60_000;
const REDIS_REDELIVER_INTERVAL_MS = 15_000;

/** A component as hints see it. */
export interface HintedComponent {
  readonly name: string;
  /** Type in lower case. */
  readonly type: string;
  /** Settings without secrets. */
  readonly settings: Readonly<Record<string, string>>;
}

export interface SubscriptionFacts {
  readonly subscription: Omit<Subscription, 'rawPayload'> & {
    readonly rawPayload?: boolean | null | undefined;
  };
  /** Component of the subscription; undefined: there is none. */
  readonly component: HintedComponent | undefined;
  /** Maximum number of attempts of a delivery here; 0 = no limit. */
  readonly attempts: number;
  /** Whether a Resiliency document sets the number of attempts for the component. */
  readonly hasPolicy: boolean;
  /** Topics whose dead-letter topic this subscription takes, or of very many a few more than `MAX_NAMED`. */
  readonly takesDeadLettersOf: readonly string[];
}

/** All hints about a subscription except those about its rules, which `ruleHints` gives. */
export function subscriptionHints(facts: SubscriptionFacts): readonly ReferenceHint[] {
  return [...rawHints(facts), ...batchHints(facts), ...deadLetterHints(facts), ...redisHints(facts)];
}

/**
 * Hints about an event that a subscription gets which is not raw.
 * @param event as it was published: parsed JSON, or anything else
 */
export function eventHints(event: unknown): readonly ReferenceHint[] {
  if (!isObject(event)) return [];
  const traceid = event['traceid'] ?? undefined;
  // An event without it gets both members from the reference, which then reads `traceparent` where an event has both.
  if (traceid === undefined) return [];
  const traceparent = event['traceparent'] ?? undefined;
  const [name, read] = traceparent === undefined ? ['traceid', traceid] : ['traceparent', traceparent];
  return typeof read === 'string' ? [] : [hintOf('trace-not-text', `${name}: ${JSON.stringify(read)}`)];
}

function rawHints({ subscription }: SubscriptionFacts): readonly ReferenceHint[] {
  const value = subscription.metadata['rawPayload'] ?? '';
  const isReadHere = typeof subscription.rawPayload === 'boolean';
  return isReadHere && /^".*"$/.test(value) ? [hintOf('raw-payload-quoted', `rawPayload: ${value}`)] : [];
}

function batchHints({
  subscription,
  component,
  attempts,
  hasPolicy,
}: SubscriptionFacts): readonly ReferenceHint[] {
  const { bulk, deadLetterTopic } = subscription;
  if (component?.type === IN_MEMORY || bulk === undefined || deadLetterTopic === undefined) return [];
  const paths = new Set(pathsOf(subscription));
  const parted = [
    ...(paths.size < 2 ? [] : [`paths ${[...paths].join(', ')}`]),
    // Without a policy it hands over the whole batch again, as one of its own.
    ...(hasPolicy && attempts !== 1 ? ['retries of a Resiliency policy'] : []),
  ];
  if (parted.length === 0) return [];
  return [hintOf('batch-drop-split', [`dead-letter topic ${deadLetterTopic}`, ...parted].join(', '))];
}

/** Hints about features that the newer release has dropped. */
export function lossHints({
  subscription,
  attempts,
  hasPolicy,
}: SubscriptionFacts): readonly ReferenceHint[] {
  const { bulk, deadLetterTopic, rules, defaultPath } = subscription;
  const hints: ReferenceHint[] = [];
  if (deadLetterTopic === undefined && !hasPolicy && attempts !== 1)
    hints.push(hintOf('lost-after-one-attempt', 'no dead-letter topic, no policy'));
  if (bulk !== undefined && rules.length > 0 && defaultPath === undefined)
    hints.push(hintOf('batch-also-to-root', 'rules without a default route'));
  return hints;
}

function deadLetterHints(facts: SubscriptionFacts): readonly ReferenceHint[] {
  const { subscription, attempts, hasPolicy, takesDeadLettersOf } = facts;
  const { deadLetterTopic, rawPayload } = subscription;
  const hints: ReferenceHint[] = [];
  if (deadLetterTopic !== undefined && !hasPolicy && attempts !== 1) {
    const often = attempts === 0 ? 'attempts without end here' : `${attempts} attempts here`;
    hints.push(hintOf('dead-letter-at-once', `dead-letter topic ${deadLetterTopic}, ${often}`));
  }
  if (takesDeadLettersOf.length > 0 && rawPayload === false)
    hints.push(hintOf('expired-dead-letter', `dead-letter topic of ${fewOf(takesDeadLettersOf)}`));
  return hints;
}

/** Maximum number of topics that a hint names. */
export const MAX_NAMED = 5;
/** Maximum number of characters of such a name. */
const MAX_NAME_LENGTH = 60;

function fewOf(topics: readonly string[]): string {
  const named = topics.slice(0, MAX_NAMED).map((topic) => shortened(topic, MAX_NAME_LENGTH));
  return `${named.join(', ')}${topics.length > MAX_NAMED ? ' and others' : ''}`;
}

function redisHints({ subscription, component }: SubscriptionFacts): readonly ReferenceHint[] {
  if (component === undefined || component.type !== REDIS) return [];
  const { bulk, deadLetterTopic } = subscription;
  const hints: ReferenceHint[] = [];
  const intervalMs = redeliverIntervalMs(component);
  if (deadLetterTopic === undefined)
    hints.push(hintOf('redis-redelivery', redeliveryText(component, intervalMs)));
  const interval = settingOf(component, 'redeliverInterval');
  const here = parseDuration(interval);
  if (here !== undefined && !isBare(interval) && here !== intervalMs) {
    const more = { component: component.name };
    hints.push(hintOf('redis-redeliver-interval', `redeliverInterval: ${interval}`, more));
  }
  const given = settingOf(component, 'concurrency');
  // With 0 the reference hands over nothing.
  const concurrency = isBare(given) ? Number(given) : REDIS_CONCURRENCY;
  if (bulk !== undefined && bulk.maxMessagesCount > concurrency) {
    const found = `maxMessagesCount ${bulk.maxMessagesCount}, concurrency ${concurrency}`;
    hints.push(hintOf('redis-batch-size', found));
  }
  return hints;
}

/** Text on when the reference hands a failed message over again. */
function redeliveryText(component: HintedComponent, intervalMs: number): string {
  const given = settingOf(component, 'processingTimeout');
  const timeoutMs = isBare(given) ? Number(given) : (parseDuration(given) ?? REDIS_PROCESSING_TIMEOUT_MS);
  if (timeoutMs <= 0 || intervalMs <= 0)
    return 'there never again: processingTimeout or redeliverInterval is 0';
  return `there after ${durationText(timeoutMs)} to ${durationText(timeoutMs + intervalMs)}`;
}

/** The interval in ms as the reference reads the setting. */
function redeliverIntervalMs(component: HintedComponent): number {
  const given = settingOf(component, 'redeliverInterval');
  return isBare(given) ? Number(given) : REDIS_REDELIVER_INTERVAL_MS;
}

function isBare(value: string): boolean {
  return /^\d+$/.test(value);
}

/** A setting by its name in any letter case; '' = absent. */
function settingOf({ settings }: HintedComponent, name: string): string {
  const wanted = name.toLowerCase();
  const found = Object.entries(settings).findLast(([key]) => key.toLowerCase() === wanted);
  return found?.[1].trim() ?? '';
}
