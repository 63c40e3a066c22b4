/** Makes the dead letter of an event, with the facts of its end. */
import type { DeadLetterReason } from '../../contract/event-router/local-router.ts';
import { isObject } from '../../domain/json.ts';

export interface LastFacts {
  readonly reason: DeadLetterReason;
  readonly attempts: number;
  /** Outcome of the last attempt; "" if there was none. */
  readonly lastOutcome: string;
  readonly publishTime: string;
  /** Time of the last attempt; "" if there was none. */
  readonly lastAttemptTime: string;
}

/**
 * Makes the text.
 * @param text the event as it is delivered; for CloudEvents the added members are in lower case
 */
export function deadLetterEvent(text: string, last: LastFacts): Readonly<Record<string, unknown>> {
  const parsed: unknown = JSON.parse(text);
  const event = isObject(parsed) ? parsed : { data: parsed };
  const facts = {
    deadLetterReason: last.reason,
    deliveryAttempts: last.attempts,
    lastDeliveryOutcome: last.lastOutcome,
    publishTime: last.publishTime,
    lastDeliveryAttemptTime: last.lastAttemptTime,
  };
  if (event['specversion'] === undefined) return { ...event, ...facts };
  const lower = Object.entries(facts).map(([name, value]) => [name.toLowerCase(), value]);
  return { ...event, ...Object.fromEntries(lower) };
}
