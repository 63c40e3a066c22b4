/** A request as rules see it: a delivery, a batch of them, or the event of a binding. */
import type { FastifyRequest } from 'fastify';

import type { Wire } from '../domain/codec.ts';
import { BINARY_CONTENT_TYPE, CLOUDEVENT_CONTENT_TYPE } from '../domain/content-type.ts';
import { isObject, tryParse } from '../domain/json.ts';
import type { JsonObject } from '../domain/json.ts';
import { ATTEMPT_HEADER } from '../ports/mock-app.ts';

export interface IncomingEvent {
  /** Id of the entry; only in a batch. */
  readonly entryId?: string;
  readonly id?: string;
  readonly type?: string;
  /** The CloudEvent; absent: the body, or the entry, is none. */
  readonly event?: JsonObject;
  /** Content of an entry that is no CloudEvent: the bytes that a raw subscription gets, or a text. */
  readonly wire?: Wire;
}

export interface Incoming {
  readonly kind: 'delivery' | 'bulk' | 'binding';
  /** Path as it was sent, with its query. */
  readonly path: string;
  readonly pubsubname?: string;
  readonly topic?: string;
  /** Events: one for a delivery, one per entry of a batch. */
  readonly events: readonly IncomingEvent[];
  readonly body: Buffer;
  /** True: the body is the text of the only event. */
  readonly isWhole?: boolean;
  readonly headers: Readonly<Record<string, string>>;
  /** Attempt id of Sidelight's own sidecar; absent: another sidecar, or a person's own request. */
  readonly attemptId?: string;
}

/**
 * Reads a POST. A batch is recognised by its body (`entries` with an `entryId` each, not sent as a
 * CloudEvent), a delivery by its header `pubsubname` or a CloudEvent body; anything else is the event of a
 * binding.
 */
export function readIncoming(
  path: string,
  headers: FastifyRequest['raw']['headers'],
  body: Buffer,
): Incoming {
  return incomingOf({ path, headers, body }, tryParse(body.toString('utf8'))?.value);
}

/**
 * The POST whose body was read already.
 * @param parsed value of the body; undefined: it is no JSON
 */
export function incomingOf(
  { path, headers, body }: Pick<Incoming, 'path' | 'body'> & Pick<FastifyRequest['raw'], 'headers'>,
  parsed: unknown,
): Incoming {
  const flat = flatHeaders(headers);
  const value = isObject(parsed) ? parsed : undefined;
  const attemptId = flat[ATTEMPT_HEADER];
  const common = { path, body, headers: flat, ...(attemptId === undefined ? {} : { attemptId }) };
  const entries = value === undefined || isCloudEventType(flat) ? undefined : entriesOf(value);
  if (entries !== undefined) return { ...common, kind: 'bulk', ...addressOf(value, flat), events: entries };
  const isDelivery = flat['pubsubname'] !== undefined || value?.['specversion'] !== undefined;
  return {
    ...common,
    kind: isDelivery ? 'delivery' : 'binding',
    ...(isDelivery ? addressOf(value, flat) : {}),
    events: [eventOf(value)],
    isWhole: true,
  };
}

/** The path without its query. */
export function routeOf(path: string): string {
  const query = path.indexOf('?');
  return query === -1 ? path : path.slice(0, query);
}

function flatHeaders(headers: FastifyRequest['raw']['headers']): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return flat;
}

function isCloudEventType(headers: Readonly<Record<string, string>>): boolean {
  return (headers['content-type'] ?? '').toLowerCase().startsWith(CLOUDEVENT_CONTENT_TYPE);
}

function addressOf(
  value: JsonObject | undefined,
  headers: Readonly<Record<string, string>>,
): Pick<Incoming, 'pubsubname' | 'topic'> {
  const pubsubname = headers['pubsubname'] ?? textAt(value, 'pubsubname');
  const topic = textAt(value, 'topic');
  return { ...(pubsubname === undefined ? {} : { pubsubname }), ...(topic === undefined ? {} : { topic }) };
}

function entriesOf(value: JsonObject): IncomingEvent[] | undefined {
  const entries = value['entries'];
  if (!Array.isArray(entries)) return undefined;
  const events: IncomingEvent[] = [];
  for (const entry of entries as readonly unknown[]) {
    const entryId = isObject(entry) ? textAt(entry, 'entryId') : undefined;
    if (!isObject(entry) || entryId === undefined) return undefined;
    events.push({ ...entryOf(entry), entryId });
  }
  return events;
}

function entryOf({ event, contentType }: JsonObject): IncomingEvent {
  if (isObject(event)) return eventOf(event);
  if (event === undefined) return {};
  if (typeof event !== 'string') return { wire: JSON.stringify(event) };
  // A raw subscription gets its bytes in base64.
  return { wire: contentType === BINARY_CONTENT_TYPE ? Buffer.from(event, 'base64') : event };
}

function eventOf(event: JsonObject | undefined): IncomingEvent {
  const [id, type] = [textAt(event, 'id'), textAt(event, 'type')];
  return {
    ...(id === undefined ? {} : { id }),
    ...(type === undefined ? {} : { type }),
    ...(event === undefined ? {} : { event }),
  };
}

function textAt(object: JsonObject | undefined, name: string): string | undefined {
  const value = object?.[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
