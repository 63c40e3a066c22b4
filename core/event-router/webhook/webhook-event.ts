/**
 * Turns the body of a webhook request into an event for the app, with unchanged bytes, and the facts that
 * lists show.
 */
import type { IncomingMessage } from 'node:http';
import type { WebhookRow } from '../../contract/event-router/components.ts';
import { isObject, tryParse } from '../../domain/json.ts';
import type { BindingEvent } from '../../ports/binding.ts';

type Seen = Pick<WebhookRow, 'eventIds' | 'events' | 'deliveryCount'>;

/** Maximum number of ids in a row of the list. */
const MAX_IDS = 20;
const MAX_TEXT_LENGTH = 300;
/** Headers that are kept with the message beside `aeg-*`. */
const KEPT: ReadonlySet<string> = new Set([
  'content-type',
  'webhook-request-origin',
  'x-ms-request-id',
  'traceparent',
  'tracestate',
]);

/**
 * Makes the event.
 * @param forward the app also gets the router's `aeg-*` headers
 */
export function eventOf(
  { headers }: IncomingMessage,
  body: Buffer,
  forward: boolean,
): { readonly event: BindingEvent; readonly seen: Seen } {
  const metadata: Record<string, string> = {};
  const toApp: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    const text = Array.isArray(value) ? value.join(', ') : value;
    const isRouters = name.startsWith('aeg-') && !name.startsWith('aeg-sas-');
    if (isRouters || KEPT.has(name)) metadata[name] = text;
    if (name === 'traceparent' || name === 'tracestate' || (forward && isRouters)) toApp[name] = text;
  }
  const events = eventsIn(body);
  const [first] = events;
  const count = Number(headers['aeg-delivery-count'] ?? Number.NaN);
  return {
    event: {
      data: body,
      metadata,
      headers: toApp,
      about: {
        ...member(first, 'id', 'eventId'),
        ...member(first, 'type', 'eventType'),
        ...member(first, 'subject', 'subject'),
      },
    },
    seen: {
      eventIds: events.slice(0, MAX_IDS).flatMap((one) => textOf(one['id']) ?? []),
      events: events.length,
      ...(Number.isSafeInteger(count) && count >= 0 ? { deliveryCount: count } : {}),
    },
  };
}

function eventsIn(body: Buffer): readonly Readonly<Record<string, unknown>>[] {
  const value = tryParse(body.toString('utf8'))?.value;
  return (Array.isArray(value) ? (value as readonly unknown[]) : [value]).filter(isObject);
}

function member<K extends string>(
  event: Readonly<Record<string, unknown>> | undefined,
  name: string,
  as: K,
): Partial<Record<K, string>> {
  const text = textOf(event?.[name]);
  const result: Partial<Record<K, string>> = {};
  if (text !== undefined) result[as] = text;
  return result;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, MAX_TEXT_LENGTH) : undefined;
}
