/** Converts events between schemas: from the topic's to the subscription's. */
import type { DeliverySchema, InputSchema, InputSchemaMapping } from '../../contract/event-router/wire.ts';
import { isObject } from '../../domain/json.ts';
import type { JsonObject } from '../../domain/json.ts';
import { no, ok } from '../../domain/result.ts';
import type { Result } from '../../domain/result.ts';
import { fieldOf } from './event-field.ts';

export interface MappingTopic {
  readonly resourceId: string;
  readonly inputSchemaMapping: InputSchemaMapping | null;
}

/** Values for members that an event lacks. */
export interface MappingFacts {
  readonly id: string;
  readonly time: string;
}

/** The complaint in one sentence; undefined: the object is an event of the event schema. */
export function eventSchemaComplaint(event: JsonObject, resourceId: string): string | undefined {
  for (const name of ['id', 'subject', 'eventType', 'eventTime']) {
    const value = event[name];
    if (value === undefined || value === null || value === '')
      return `Required property '${name}' was not set.`;
    if (typeof value !== 'string' || value.trim() === '')
      return `Property '${name}' must be text that is not blank.`;
  }
  if (!Object.hasOwn(event, 'data')) return "Required property 'data' was not set.";
  const time = String(event['eventTime']);
  if (!/(?:[Zz]|[+-]\d{2}:?\d{2})$/.test(time) || Number.isNaN(Date.parse(time))) {
    return "Property 'eventTime' must be a time with its zone.";
  }
  const version = event['dataVersion'];
  if (version !== undefined && version !== null && typeof version !== 'string')
    return "Property 'dataVersion' must be a string.";
  const metadata = event['metadataVersion'];
  if (metadata !== undefined && metadata !== null && metadata !== '1')
    return 'Property \'metadataVersion\' must be "1".';
  const topic = event['topic'];
  if (topic === undefined || topic === null || topic === '') return undefined;
  const same = typeof topic === 'string' && topic.toLowerCase() === resourceId.toLowerCase();
  return same ? undefined : "Property 'topic' must be empty.";
}

/** A custom event in the event schema; the complaint is one sentence. */
export function fromCustom(
  event: JsonObject,
  topic: MappingTopic,
  facts: MappingFacts,
): Result<JsonObject, string> {
  const mapping = topic.inputSchemaMapping?.properties ?? {};
  const mapped = (name: 'id' | 'eventTime' | 'eventType' | 'subject' | 'dataVersion'): string | undefined => {
    const source: { readonly sourceField?: string; readonly defaultValue?: string } | undefined =
      mapping[name];
    const value = source?.sourceField === undefined ? undefined : fieldOf(event, source.sourceField);
    if (typeof value === 'string' && value !== '') return value;
    return typeof value === 'number' || typeof value === 'boolean' ? String(value) : source?.defaultValue;
  };
  const eventType = mapped('eventType');
  const subject = mapped('subject');
  if (eventType === undefined) return no("Property 'eventType' is neither mapped nor has it a default.");
  if (subject === undefined) return no("Property 'subject' is neither mapped nor has it a default.");
  return ok({
    id: mapped('id') ?? facts.id,
    topic: topic.resourceId,
    subject,
    data: event,
    eventType,
    eventTime: mapped('eventTime') ?? facts.time,
    metadataVersion: '1',
    dataVersion: mapped('dataVersion') ?? '',
  });
}

/** An event of the event schema as a CloudEvent. */
function toCloudEvent(event: JsonObject, resourceId: string): JsonObject {
  const topic = event['topic'];
  return {
    specversion: '1.0',
    id: event['id'],
    source: typeof topic === 'string' && topic !== '' ? topic : resourceId,
    type: event['eventType'],
    subject: event['subject'],
    time: event['eventTime'],
    data: event['data'],
    dataschema: `#${typeof event['dataVersion'] === 'string' ? event['dataVersion'] : ''}`,
  };
}

/**
 * The text to deliver. An event without a mapping is delivered byte for byte as it was published. Never
 * called for the pair that PUT refuses (CloudEvents to the event schema).
 */
export function deliveredText(
  published: { readonly schema: InputSchema; readonly text: string },
  delivery: DeliverySchema,
  context: MappingTopic & MappingFacts,
): string {
  if (delivery === 'CustomInputSchema' || published.schema === 'CloudEventSchemaV1_0') return published.text;
  const event = objectOf(published.text);
  const inEventSchema =
    published.schema === 'EventGridSchema' ? filled(event, context) : customOf(event, context);
  if (delivery === 'CloudEventSchemaV1_0')
    return JSON.stringify(toCloudEvent(inEventSchema, context.resourceId));
  return JSON.stringify(inEventSchema);
}

/** Members for filters and lists; of a custom event those to which it is mapped. */
export function envelopeOf(
  published: { readonly schema: InputSchema; readonly event: JsonObject },
  context: MappingTopic & MappingFacts,
): JsonObject {
  return published.schema === 'CustomEventSchema' ? customOf(published.event, context) : published.event;
}

/** An event with the members that the router adds to the event schema. */
function filled(event: JsonObject, context: MappingTopic): JsonObject {
  return {
    ...event,
    topic: context.resourceId,
    metadataVersion: '1',
    dataVersion: event['dataVersion'] ?? '',
  };
}

function customOf(event: JsonObject, context: MappingTopic & MappingFacts): JsonObject {
  const mapped = fromCustom(event, context, context);
  return mapped.ok ? mapped.value : event;
}

function objectOf(text: string): JsonObject {
  const value: unknown = JSON.parse(text);
  return isObject(value) ? value : {};
}
