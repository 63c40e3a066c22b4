/** A delivery as a list row shows it. */
import type { DeliveryState } from '../contract/delivery.ts';
import type { AwaitedSubscription, DeliveryRow } from '../contract/message.ts';

/** What is known of a delivery, as far as it is shown in a row. */
export interface DeliveryFacts {
  readonly deliveryId: string;
  readonly appId: string;
  readonly state: DeliveryState | null;
  readonly attemptCount: number;
  readonly route: { readonly path: string };
  /** When the next attempt is due; undefined: none is planned. */
  readonly dueMs: number | undefined;
  readonly lastDurationMs: number | undefined;
  readonly span: DeliveryRow['span'];
  readonly lastAnswer: DeliveryRow['lastAnswer'];
  /** No attempt is made before the app subscribes again. */
  readonly waits: boolean;
  readonly subscription: AwaitedSubscription;
  readonly heldAt: 'delivery' | 'response' | undefined;
}

type Making<T> = { -readonly [K in keyof T]: T[K] };

/**
 * Setting members takes a fraction of what a literal takes that spreads an object for each member that may be absent.
 * @param rule that of its last transition
 */
export function shownDelivery(
  facts: DeliveryFacts,
  rule: DeliveryRow['rule'],
  iso: (ms: number) => string,
): DeliveryRow {
  const { state, route, dueMs, lastDurationMs, span, lastAnswer } = facts;
  const row: Making<DeliveryRow> = {
    deliveryId: facts.deliveryId,
    appId: facts.appId,
    state: state ?? 'queued',
    attempts: facts.attemptCount,
  };
  if (route.path !== '') row.route = route.path;
  if (dueMs !== undefined && state === 'retrying') row.nextAttemptAt = iso(dueMs);
  if (lastDurationMs !== undefined) row.lastDurationMs = lastDurationMs;
  if (span !== undefined) row.span = span;
  if (rule !== undefined) row.rule = rule;
  if (lastAnswer !== undefined) row.lastAnswer = lastAnswer;
  if (facts.waits) row.waitsFor = awaitedBy(facts);
  if (facts.heldAt === 'response') row.heldAt = facts.heldAt;
  return row;
}

/** The subscription that a delivery waits for, where it waits. */
export function awaitedBy({
  subscription: { pubsubname, topic },
}: Pick<DeliveryFacts, 'subscription'>): AwaitedSubscription {
  return { pubsubname, topic };
}
