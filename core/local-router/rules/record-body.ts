/** Reads the body of a PUT or PATCH of an event subscription, with checks and defaults. */
import { DELIVERY_SCHEMAS } from '../../contract/event-router/words.ts';
import type {
  DeadLetterDestination,
  DeliverySchema,
  InputSchema,
  RetryPolicy,
  SubscriptionProperties,
  WebHookDestination,
} from '../../contract/event-router/wire.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import { isObject } from '../../domain/json.ts';
import type { JsonObject } from '../../domain/json.ts';
import { no, ok } from '../../domain/result.ts';
import type { Result } from '../../domain/result.ts';
import { readAttributeMappings } from './delivery-attributes.ts';
import { readEndpointUrl } from './endpoint-url.ts';
import { readFilter } from './filter-body.ts';

/** Properties with all values that the engine needs. */
export interface FullProperties extends SubscriptionProperties {
  readonly destination: WebHookDestination & {
    readonly properties: {
      readonly endpointUrl: string;
      readonly maxEventsPerBatch: number;
      readonly preferredBatchSizeInKilobytes: number;
    };
  };
  readonly eventDeliverySchema: DeliverySchema;
  readonly retryPolicy: Required<RetryPolicy>;
  /** Whether one of the two batch settings was given. */
  readonly batching: boolean;
}

export interface BodyFacts {
  readonly nowMs: number;
  readonly allowInsecureSubscribers: boolean;
}

const MAX_IN_BATCH = 5000;
const NAMES: Readonly<Record<string, RegExp>> = {
  sidecar: /^[A-Za-z0-9]{3,64}$/,
  dapr: /^[A-Za-z0-9-]{3,64}$/,
};

/** Whether an event subscription may have this name; profile "dapr" allows hyphens. */
export function isSubscriptionName(name: string, profile: string): boolean {
  return (NAMES[profile] ?? /^[A-Za-z0-9]{3,64}$/).test(name);
}

/** Reads `properties`. The complaint is one sentence with the member and what was expected. */
export function readSubscriptionBody(properties: unknown, facts: BodyFacts): Result<FullProperties, string> {
  if (!isObject(properties)) return no('properties is missing.');
  const destination = readDestination(properties['destination'], facts);
  if (!destination.ok) return destination;
  const filter = readFilter(properties['filter'] ?? {});
  if (!filter.ok) return filter;
  const retryPolicy = readRetry(properties['retryPolicy'] ?? {});
  if (!retryPolicy.ok) return retryPolicy;
  const deadLetter = readDeadLetter(properties['deadLetterDestination']);
  if (!deadLetter.ok) return deadLetter;
  const expiration = readExpiration(properties['expirationTimeUtc'], facts.nowMs);
  if (!expiration.ok) return expiration;
  const given = properties['eventDeliverySchema'] ?? 'EventGridSchema';
  const schema = DELIVERY_SCHEMAS.find((name) => name === given);
  if (schema === undefined) {
    return no(`properties.eventDeliverySchema must be one of ${DELIVERY_SCHEMAS.join(', ')}.`);
  }
  const labels = properties['labels'] ?? [];
  if (!Array.isArray(labels) || !labels.every((label) => typeof label === 'string')) {
    return no('properties.labels must be an array of strings.');
  }
  return ok({
    destination: destination.value.destination,
    batching: destination.value.batching,
    filter: filter.value,
    labels,
    eventDeliverySchema: schema,
    retryPolicy: retryPolicy.value,
    deadLetterDestination: deadLetter.value,
    expirationTimeUtc: expiration.value,
  });
}

/** Why a topic cannot deliver in a schema; undefined: it can (the table of 4.2). */
export function schemaConflict(input: InputSchema, delivery: DeliverySchema): string | undefined {
  if (input === 'CloudEventSchemaV1_0' && delivery === 'EventGridSchema') {
    return 'Events of a topic with the input schema CloudEventSchemaV1_0 cannot be delivered as EventGridSchema: extension attributes would be lost.';
  }
  return undefined;
}

function readDestination(
  given: unknown,
  facts: BodyFacts,
): Result<{ readonly destination: FullProperties['destination']; readonly batching: boolean }, string> {
  if (!isObject(given)) return no('properties.destination is missing.');
  if (given['endpointType'] !== 'WebHook') {
    return no(
      `properties.destination.endpointType ${JSON.stringify(given['endpointType'])}: destination type is not supported by the local router; use WebHook.`,
    );
  }
  const properties = given['properties'];
  if (!isObject(properties)) return no('properties.destination.properties is missing.');
  const endpoint = readEndpoint(properties['endpointUrl'], facts);
  if (!endpoint.ok) return endpoint;
  const count = readInteger(properties, 'maxEventsPerBatch', { least: 1, most: MAX_IN_BATCH });
  if (!count.ok) return count;
  const size = readInteger(properties, 'preferredBatchSizeInKilobytes', { least: 1, most: 1024 });
  if (!size.ok) return size;
  const tenant = readText(properties, 'azureActiveDirectoryTenantId');
  if (!tenant.ok) return tenant;
  const application = readText(properties, 'azureActiveDirectoryApplicationIdOrUri');
  if (!application.ok) return application;
  const secured = tenant.value !== undefined && application.value !== undefined;
  const mappings = readAttributeMappings(properties['deliveryAttributeMappings'] ?? [], secured);
  if (!mappings.ok) return mappings;
  const { url, base } = endpoint.value;
  const most = count.value ?? (size.value === undefined ? 1 : MAX_IN_BATCH);
  return ok({
    // A record that was read and is put again names both settings: one event at a time still means no
    // batches.
    batching: most > 1,
    destination: {
      endpointType: 'WebHook',
      properties: {
        endpointUrl: url,
        endpointBaseUrl: base,
        maxEventsPerBatch: most,
        preferredBatchSizeInKilobytes: size.value ?? 64,
        ...withoutUndefined({
          azureActiveDirectoryTenantId: tenant.value,
          azureActiveDirectoryApplicationIdOrUri: application.value,
        }),
        deliveryAttributeMappings: mappings.value,
      },
    },
  });
}

function readEndpoint(
  given: unknown,
  facts: BodyFacts,
): Result<{ readonly url: string; readonly base: string }, string> {
  const field = 'properties.destination.properties.endpointUrl';
  if (typeof given !== 'string' || given === '') return no(`${field} is missing.`);
  const url = given.length > 2048 ? undefined : readEndpointUrl(given);
  if (url === undefined) return no(`${field} is not an absolute URL.`);
  if (url.scheme !== 'https' && !facts.allowInsecureSubscribers) return no(`${field} must use https.`);
  if (url.hasUser || url.hasFragment) return no(`${field} must have no user information and no fragment.`);
  return ok({ url: given, base: given.replace(/\?.*$/s, '') });
}

function readRetry(given: unknown): Result<Required<RetryPolicy>, string> {
  if (!isObject(given)) return no('properties.retryPolicy must be an object.');
  const attempts = readInteger(given, 'maxDeliveryAttempts', { least: 1, most: 30 });
  if (!attempts.ok) return attempts;
  const minutes = readInteger(given, 'eventTimeToLiveInMinutes', { least: 1, most: 1440 });
  if (!minutes.ok) return minutes;
  return ok({
    maxDeliveryAttempts: attempts.value ?? 30,
    eventTimeToLiveInMinutes: minutes.value ?? 1440,
  });
}

function readDeadLetter(given: unknown): Result<DeadLetterDestination | null, string> {
  if (given === undefined || given === null) return ok(null);
  const field = 'properties.deadLetterDestination';
  if (!isObject(given)) return no(`${field} must be an object.`);
  const properties = isObject(given['properties']) ? given['properties'] : {};
  if (given['endpointType'] === 'StorageBlob') {
    const container = properties['blobContainerName'] ?? 'deadletters';
    // The container becomes a folder. The rules for container names exclude everything that could change the
    // path.
    if (typeof container !== 'string' || !/^[a-z0-9](-?[a-z0-9]){2,62}$/.test(container)) {
      return no(
        `${field}.properties.blobContainerName must be 3 to 63 lower-case letters, digits and hyphens.`,
      );
    }
    const resourceId = typeof properties['resourceId'] === 'string' ? properties['resourceId'] : '';
    return ok({ endpointType: 'StorageBlob', properties: { resourceId, blobContainerName: container } });
  }
  if (given['endpointType'] === 'LocalTopic') {
    const topic = properties['topic'];
    if (typeof topic !== 'string' || !/^[A-Za-z0-9-]{3,50}$/.test(topic)) {
      return no(`${field}.properties.topic must be the name of a topic of this router.`);
    }
    return ok({ endpointType: 'LocalTopic', properties: { topic } });
  }
  return no(`${field}.endpointType must be StorageBlob or LocalTopic.`);
}

function readExpiration(given: unknown, nowMs: number): Result<string | null, string> {
  if (given === undefined || given === null) return ok(null);
  const ms = typeof given === 'string' ? Date.parse(given) : Number.NaN;
  return Number.isNaN(ms) || ms <= nowMs ? no('Invalid expiration time.') : ok(new Date(ms).toISOString());
}

function readInteger(
  of: JsonObject,
  name: string,
  range: { readonly least: number; readonly most: number },
): Result<number | undefined, string> {
  const value = of[name];
  if (value === undefined || value === null) return ok(undefined);
  const fine =
    typeof value === 'number' && Number.isInteger(value) && value >= range.least && value <= range.most;
  return fine
    ? ok(value)
    : no(`${name} must be an integer ${range.least} to ${range.most}, got ${JSON.stringify(value)}.`);
}

function readText(of: JsonObject, name: string): Result<string | undefined, string> {
  const value = of[name];
  if (value === undefined || value === null || value === '') return ok(undefined);
  const fine = typeof value === 'string' && value.length <= 1024 && !/[\u0000-\u001f\u007f]/.test(value);
  return fine ? ok(value) : no(`${name} must be text without control characters.`);
}
