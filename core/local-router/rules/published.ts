/** Reads a publish: its content type, its events one by one, and the first mistake. */
import type { InputSchema, InputSchemaMapping } from '../../contract/event-router/wire.ts';
import { elementTexts } from '../../contract/json-scan.ts';
import { firstValue, isObject } from '../../domain/json.ts';
import type { JsonObject } from '../../domain/json.ts';
import { no, ok } from '../../domain/result.ts';
import type { Result } from '../../domain/result.ts';
import { cloudEventComplaint } from './cloud-event-check.ts';
import { eventSchemaComplaint, fromCustom } from './event-mapping.ts';

export interface PublishedTopic {
  readonly resourceId: string;
  readonly inputSchema: InputSchema;
  readonly inputSchemaMapping: InputSchemaMapping | null;
}

/** One event in the form in which it is stored. */
export interface PublishedEvent {
  readonly schema: InputSchema;
  /** JSON text of the event, as published. */
  readonly text: string;
  readonly event: JsonObject;
}

export interface PublishComplaint {
  readonly status: 400 | 413 | 415;
  readonly reason: string;
  readonly index?: number;
}

export interface PublishRequest {
  /** Content type as sent; "" if there was none. */
  readonly contentType: string;
  /** The body as text. */
  readonly text: string;
  /** Attributes of binary mode by name, and the data as base64; undefined: structured mode. */
  readonly binary?: JsonObject;
  readonly maxEventBytes: number;
  /** Number of bytes of a text. */
  readonly sizeOf: (text: string) => number;
}

type Events = Result<
  { readonly events: readonly PublishedEvent[]; readonly warning?: string },
  PublishComplaint
>;

const CLOUD_EVENT = 'application/cloudevents+json';
const CLOUD_BATCH = 'application/cloudevents-batch+json';

/** All events of a request, or the first complaint: one bad event refuses all. */
export function readPublish(topic: PublishedTopic, request: PublishRequest): Events {
  const [type = '', ...parameters] = request.contentType
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const charset = parameters
    .find((one) => one.startsWith('charset='))
    ?.slice('charset='.length)
    .replaceAll('"', '');
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') {
    return no({ status: 415, reason: `The charset ${charset} is not supported; use utf-8.` });
  }
  if (request.binary !== undefined) {
    if (topic.inputSchema !== 'CloudEventSchemaV1_0') return wrongType(topic, request.contentType);
    return checked(topic, [{ text: JSON.stringify(request.binary), value: request.binary }], request);
  }
  const cloud = topic.inputSchema === 'CloudEventSchemaV1_0';
  const expected = cloud ? [CLOUD_EVENT, CLOUD_BATCH, 'application/json'] : ['application/json'];
  if (!expected.includes(type)) return wrongType(topic, request.contentType);
  const parsed = firstValue(request.text);
  if (parsed === undefined || parsed.trailing) return no({ status: 400, reason: 'The body is not JSON.' });
  const isArray = Array.isArray(parsed.value);
  if (type === CLOUD_EVENT && isArray) {
    return no({ status: 400, reason: `An array of events needs the content type ${CLOUD_BATCH}.` });
  }
  if (!isArray && (type === CLOUD_BATCH || !cloud)) {
    return no({
      status: 400,
      reason: 'Unexpected token when reading JSON. Expected: StartArray, actual: StartObject.',
    });
  }
  const found = isArray ? arrayOf(parsed.value, parsed.text) : [{ value: parsed.value, text: parsed.text }];
  const events = checked(topic, found, request);
  if (!events.ok || !cloud || type !== 'application/json') return events;
  return ok({
    ...events.value,
    warning: `Content-Type application/json was read as ${isArray ? CLOUD_BATCH : CLOUD_EVENT}.`,
  });
}

interface Found {
  readonly value: unknown;
  readonly text: string;
}

function checked(topic: PublishedTopic, found: readonly Found[], request: PublishRequest): Events {
  const events: PublishedEvent[] = [];
  for (const [index, { value, text }] of found.entries()) {
    if (!isObject(value))
      return no({ status: 400, reason: `Event[${index}]: an event must be an object.`, index });
    if (request.sizeOf(text) > request.maxEventBytes) {
      return no({
        status: 413,
        reason: `Event[${index}]: the event is larger than ${request.maxEventBytes} bytes.`,
        index,
      });
    }
    const complaint = complaintOf(topic, value);
    if (complaint !== undefined) return no({ status: 400, reason: `Event[${index}]: ${complaint}`, index });
    events.push({ schema: topic.inputSchema, text, event: value });
  }
  return ok({ events });
}

function complaintOf(topic: PublishedTopic, event: JsonObject): string | undefined {
  switch (topic.inputSchema) {
    case 'CloudEventSchemaV1_0':
      return cloudEventComplaint(event);
    case 'EventGridSchema':
      return eventSchemaComplaint(event, topic.resourceId);
    case 'CustomEventSchema': {
      const mapped = fromCustom(event, topic, { id: '', time: '' });
      return mapped.ok ? undefined : mapped.complaint;
    }
  }
}

function wrongType(topic: PublishedTopic, contentType: string): Events {
  const type = contentType === '' ? 'no content type' : `the content type ${contentType}`;
  return no({
    status: 400,
    reason: `A topic with the input schema ${topic.inputSchema} does not accept ${type}.`,
  });
}

function arrayOf(value: unknown, text: string): Found[] {
  const texts = elementTexts(text);
  const values: unknown[] = Array.isArray(value) ? value : [];
  return values.map((one, index) => ({ value: one, text: texts[index] ?? '' }));
}
