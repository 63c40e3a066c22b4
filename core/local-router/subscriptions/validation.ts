/**
 * Runs the validation handshake with an endpoint: OPTIONS or a validation event, three tries, a record of
 * each.
 */
import { randomBytes } from 'node:crypto';
import type { RouterHandshake } from '../../contract/event-router/local-router.ts';
import { judgeOptions, judgeValidationEvent } from '../rules/handshake.ts';
import type { HandshakeVerdict } from '../rules/handshake.ts';
import type { FullProperties } from '../rules/record-body.ts';
import type { Clock } from '../../ports/clock.ts';
import type { IdSource } from '../../ports/ids.ts';
import type { MadeToken } from '../identity/tokens.ts';
import type { Outbound, OutboundAnswer, OutboundRequest } from '../outbound/outbound.ts';
import { digestOf } from '../secrets.ts';
import type { Callback, StoredSubscription } from './stored-subscription.ts';

const TRIES = 3;
const ANSWER_MS = 30_000;
const CALLBACK_MS = 300_000;
const REQUESTED_RATE = '120';

export interface ValidationDependencies {
  readonly outbound: Outbound;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** Value of WebHook-Request-Origin. */
  readonly origin: string;
  /** Base address of the callback. */
  readonly base: () => string;
  readonly retryMs: number;
  /** Waits; ends early when the router stops. */
  readonly sleep: (ms: number) => Promise<void>;
  readonly sendToken: boolean;
  readonly token: (tenantId: string, application: string) => Promise<MadeToken | undefined>;
  readonly record: (handshake: RouterHandshake) => void;
}

export type ValidationResult =
  | { readonly kind: 'validated'; readonly rate?: number }
  | { readonly kind: 'awaiting'; readonly callback: Callback; readonly url: string }
  | { readonly kind: 'failed'; readonly message: string }
  /** Another request or the end of the router interrupted the handshake. */
  | { readonly kind: 'superseded' };

/** Runs the handshake to its end. `isCurrent` is called after every wait. */
export async function validate(
  deps: ValidationDependencies,
  kept: StoredSubscription,
  isCurrent: () => boolean,
): Promise<ValidationResult> {
  const { desired } = kept;
  const base = desired.destination.properties.endpointBaseUrl ?? '';
  const { callback, url } = newCallback(deps, kept);
  let last = '';
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    if (attempt > 1) await deps.sleep(deps.retryMs);
    if (!isCurrent()) return { kind: 'superseded' };
    const verdict = await tryOnce(deps, kept, { attempt, url, callback });
    if (!isCurrent()) return { kind: 'superseded' };
    if (verdict.kind === 'validated') return verdict;
    if (verdict.kind === 'awaiting') {
      return { kind: 'awaiting', callback: { ...callback, untilMs: deps.clock.now() + CALLBACK_MS }, url };
    }
    last = verdict.message;
    if (verdict.kind === 'failed') break;
  }
  return { kind: 'failed', message: `Webhook validation handshake failed for ${base}. ${last}` };
}

async function tryOnce(
  deps: ValidationDependencies,
  kept: StoredSubscription,
  run: { readonly attempt: number; readonly url: string; readonly callback: Callback },
): Promise<HandshakeVerdict> {
  const code = deps.ids.uuid();
  const asEvent = kept.desired.eventDeliverySchema !== 'CloudEventSchemaV1_0';
  const token = await tokenFor(deps, kept.desired);
  const request = asEvent
    ? eventRequest(deps, kept, code, run.url)
    : optionsRequest(deps, kept.desired, run.url);
  const headers = {
    ...request.headers,
    ...(token === undefined ? {} : { authorization: `Bearer ${token.text}` }),
  };
  const answer = await answerWithin(deps, { ...request, headers });
  const verdict = judge(answer, asEvent ? code : undefined, deps.origin);
  deps.record({
    at: new Date(deps.clock.now()).toISOString(),
    kind: asEvent ? 'event' : 'options',
    subscriptionId: kept.id,
    url: kept.desired.destination.properties.endpointBaseUrl ?? '',
    origin: deps.origin,
    requestedRate: REQUESTED_RATE,
    token: token === undefined ? 'omitted' : 'sent',
    attempt: run.attempt,
    ...(answer.kind === 'response' ? { status: answer.status, headers: answer.headers } : {}),
    consent: verdict.kind === 'validated' ? 'yes' : verdict.kind === 'awaiting' ? 'pending' : 'no',
    ...(verdict.kind === 'awaiting'
      ? { callbackUntil: new Date(deps.clock.now() + CALLBACK_MS).toISOString() }
      : {}),
    ...('message' in verdict ? { error: verdict.message } : {}),
    ...(answer.kind === 'none' && answer.evr !== undefined ? { evr: answer.evr } : {}),
  });
  return verdict;
}

function judge(answer: OutboundAnswer, code: string | undefined, origin: string): HandshakeVerdict {
  if (answer.kind === 'none') {
    const evr = answer.evr === undefined ? '' : ` (${answer.evr})`;
    return { kind: 'again', message: `${answer.message}${evr}` };
  }
  return code === undefined ? judgeOptions(answer, origin) : judgeValidationEvent(answer, code);
}

async function tokenFor(
  deps: ValidationDependencies,
  desired: FullProperties,
): Promise<MadeToken | undefined> {
  const { azureActiveDirectoryTenantId: tenant, azureActiveDirectoryApplicationIdOrUri: application } =
    desired.destination.properties;
  if (!deps.sendToken || tenant === undefined || application === undefined) return undefined;
  return deps.token(tenant, application);
}

function optionsRequest(deps: ValidationDependencies, desired: FullProperties, url: string): OutboundRequest {
  return {
    method: 'OPTIONS',
    url: desired.destination.properties.endpointUrl,
    headers: {
      'webhook-request-origin': deps.origin,
      'webhook-request-callback': url,
      'webhook-request-rate': REQUESTED_RATE,
    },
  };
}

function eventRequest(
  deps: ValidationDependencies,
  kept: StoredSubscription,
  code: string,
  url: string,
): OutboundRequest {
  const event = {
    id: deps.ids.uuid(),
    topic: kept.scope.text,
    subject: '',
    data: { validationCode: code, validationUrl: url },
    eventType: 'Microsoft.EventGrid.SubscriptionValidationEvent',
    eventTime: new Date(deps.clock.now()).toISOString(),
    metadataVersion: '1',
    dataVersion: '2',
  };
  return {
    method: 'POST',
    url: kept.desired.destination.properties.endpointUrl,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'aeg-event-type': 'SubscriptionValidation',
      'aeg-subscription-name': kept.name.toUpperCase(),
    },
    body: Buffer.from(JSON.stringify([event])),
  };
}

function newCallback(
  deps: ValidationDependencies,
  kept: StoredSubscription,
): { readonly callback: Callback; readonly url: string } {
  const id = deps.ids.uuid();
  const token = randomBytes(32).toString('base64url');
  const startedAt = new Date(deps.clock.now()).toISOString();
  const query = new URLSearchParams({ id, t: startedAt, apiVersion: '2022-06-15', token });
  return {
    callback: { id, digest: digestOf(token), startedAt, untilMs: deps.clock.now() + CALLBACK_MS },
    url: `${deps.base()}/eventsubscriptions/${encodeURIComponent(kept.name)}/validate?${query.toString()}`,
  };
}

/** The answer, or a timeout after 30 s by the clock. */
function answerWithin(deps: ValidationDependencies, request: OutboundRequest): Promise<OutboundAnswer> {
  const call = deps.outbound.send(request);
  return new Promise((resolve) => {
    const stop = deps.clock.at(deps.clock.now() + ANSWER_MS, () => {
      call.cancel();
      resolve({ kind: 'none', outcome: 'TimedOut', code: 'TIMEOUT', message: 'No answer within 30 s.' });
    });
    void call.answer.then((answer) => {
      stop();
      resolve(answer);
    });
  });
}
