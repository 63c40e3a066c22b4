/** One request of the engine to an endpoint, and the answer within the time limit. */
import type { RouterAttempt } from '../../contract/event-router/local-router.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import { attributeHeaders } from '../rules/delivery-attributes.ts';
import { redactHeaders, redactUrl } from '../../domain/redact.ts';
import type { FullProperties } from '../rules/record-body.ts';
import { isObject, tryParse } from '../../domain/json.ts';
import type { Clock } from '../../ports/clock.ts';
import type { IdSource } from '../../ports/ids.ts';
import type { MadeToken } from '../identity/tokens.ts';
import type { Outbound, OutboundAnswer, OutboundRequest } from '../outbound/outbound.ts';

export interface CallDependencies {
  readonly outbound: Outbound;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** Value of WebHook-Request-Origin. */
  readonly origin: string;
  readonly token: (tenantId: string, application: string) => Promise<MadeToken | undefined>;
}

export interface CallFacts {
  readonly subscriptionName: string;
  readonly active: FullProperties;
  /** Texts of the events as they are delivered. */
  readonly texts: readonly string[];
  /** Number of earlier attempts of the first event. */
  readonly count: number;
}

/** A prepared request, with the parts that may be shown. */
export interface PreparedCall {
  readonly request: OutboundRequest;
  readonly shown: RouterAttempt['request'];
  readonly token?: MadeToken;
  readonly warnings: readonly string[];
}

const MAX_SHOWN = 256 * 1024;
const ANSWER_MS = 30_000;
const LATE_MS = 180_000;

/** Builds body and headers for the delivery schema. */
export async function prepareCall(deps: CallDependencies, facts: CallFacts): Promise<PreparedCall> {
  const { active, texts } = facts;
  const { endpointUrl, deliveryAttributeMappings = [] } = active.destination.properties;
  const tenant = active.destination.properties.azureActiveDirectoryTenantId;
  const application = active.destination.properties.azureActiveDirectoryApplicationIdOrUri;
  const token =
    tenant === undefined || application === undefined ? undefined : await deps.token(tenant, application);
  const first = tryParse(texts[0] ?? '')?.value;
  const event = isObject(first) ? first : {};
  const attributes = attributeHeaders(deliveryAttributeMappings, event);
  const cloud = active.eventDeliverySchema === 'CloudEventSchemaV1_0';
  const single = cloud && !active.batching;
  const body = single ? (texts[0] ?? '') : `[${texts.join(',')}]`;
  const traceparent = event['traceparent'];
  const headers = {
    ...attributes.headers,
    'content-type': contentType(cloud, single),
    ...(token === undefined ? {} : { authorization: `Bearer ${token.text}` }),
    'webhook-request-origin': deps.origin,
    'aeg-event-type': 'Notification',
    'aeg-subscription-name': facts.subscriptionName.toUpperCase(),
    'aeg-delivery-count': String(facts.count),
    'aeg-data-version': cloud || typeof event['dataVersion'] !== 'string' ? '' : safe(event['dataVersion']),
    'aeg-metadata-version': cloud ? '1.0' : '1',
    'aeg-output-event-id': deps.ids.uuid(),
    'x-ms-request-id': deps.ids.uuid(),
    ...(typeof traceparent === 'string' ? { traceparent: safe(traceparent) } : {}),
  };
  const secrets = deliveryAttributeMappings.flatMap((mapping) =>
    mapping.type === 'Static' && mapping.properties.isSecret === true ? [mapping.name.toLowerCase()] : [],
  );
  return {
    request: { method: 'POST', url: endpointUrl, headers, body: Buffer.from(body) },
    shown: {
      method: 'POST',
      url: redactUrl(endpointUrl),
      headers: redactHeaders(headers, secrets),
      body: body.slice(0, MAX_SHOWN),
      ...(body.length > MAX_SHOWN ? { bodyTruncated: true } : {}),
    },
    ...withoutUndefined({ token }),
    warnings: attributes.warnings,
  };
}

/**
 * Sends the request and waits 30 s by the clock.
 * @param late called at most once, with an answer that arrives after that and within three minutes
 */
export function callWithin(
  deps: Pick<CallDependencies, 'outbound' | 'clock'>,
  request: OutboundRequest,
  late: (answer: OutboundAnswer) => void,
): Promise<OutboundAnswer> {
  const { clock } = deps;
  const call = deps.outbound.send(request);
  return new Promise((resolve) => {
    let inTime = true;
    let stop = clock.at(clock.now() + ANSWER_MS, () => {
      inTime = false;
      stop = clock.at(clock.now() + LATE_MS - ANSWER_MS, () => call.cancel());
      resolve({ kind: 'none', outcome: 'TimedOut', code: 'TIMEOUT', message: 'No answer within 30 s.' });
    });
    void call.answer.then((answer) => {
      stop();
      if (inTime) resolve(answer);
      else late(answer);
    });
  });
}

function contentType(cloud: boolean, single: boolean): string {
  if (!cloud) return 'application/json; charset=utf-8';
  return single
    ? 'application/cloudevents+json; charset=utf-8'
    : 'application/cloudevents-batch+json; charset=utf-8';
}

/** Text of an event as part of a header, without the characters that a header cannot have. */
function safe(text: string): string {
  return text.replaceAll(/[^\u0020-\u007e]/g, '').slice(0, 512);
}
