/**
 * Sends a handshake or sample events to a webhook, with the requested token. Nothing is queued or repeated.
 */
import type { RouterAttempt } from '../contract/event-router/local-router.ts';
import { withoutUndefined } from '../contract/without-undefined.ts';
import { redactHeaders, redactUrl } from '../domain/redact.ts';
import { firstValue } from '../domain/json.ts';
import { Refusal } from '../domain/refusal.ts';
import type { EmulateParams } from '../ports/local-router.ts';
import { callWithin } from './engine/call.ts';
import { iso } from './engine/entry.ts';
import type { OutboundRequest } from './outbound/outbound.ts';
import type { RouterDependencies } from './dependencies.ts';

/** Makes the call. Throws Refusal INVALID_PARAMS for a URL that is not https or a body that is not JSON. */
export async function emulate(deps: RouterDependencies, params: EmulateParams): Promise<RouterAttempt> {
  const { clock, ids } = deps.options;
  if (!URL.canParse(params.url) || new URL(params.url).protocol !== 'https:') {
    throw new Refusal('INVALID_PARAMS', { reason: 'url must be an absolute https URL' }, { field: 'url' });
  }
  if (params.body !== undefined && firstValue(params.body) === undefined) {
    throw new Refusal('INVALID_PARAMS', { reason: 'body must be JSON' }, { field: 'body' });
  }
  const { tenantId, clientId } = params;
  const token =
    tenantId === undefined || clientId === undefined
      ? undefined
      : await deps.tokens.faulty(params.token, tenantId, clientId);
  const { headers, body, method } = requestOf(deps, params);
  const sent = { ...headers, ...(token === undefined ? {} : { authorization: `Bearer ${token.text}` }) };
  const startedMs = clock.now();
  const request: OutboundRequest = {
    method,
    url: params.url,
    headers: sent,
    ...(body === '' ? {} : { body: Buffer.from(body) }),
  };
  // A late answer is dropped, because the call has ended.
  const answer = await callWithin({ outbound: deps.outbound, clock }, request, () => undefined);
  return {
    attemptId: ids.next('attempt'),
    number: 1,
    startedAt: iso(startedMs),
    endedAt: iso(clock.now()),
    durationMs: clock.now() - startedMs,
    batchSize: params.kind === 'batch' ? 2 : 1,
    request: { method, url: redactUrl(params.url), headers: redactHeaders(sent), body },
    ...(answer.kind === 'response'
      ? { response: { status: answer.status, headers: redactHeaders(answer.headers), body: answer.body } }
      : {
          error: {
            code: answer.code,
            message: answer.message,
            ...withoutUndefined({ evr: answer.evr }),
          },
          outcome: answer.outcome,
        }),
    ...(token === undefined ? {} : { token: token.shown }),
  };
}

function requestOf(
  deps: RouterDependencies,
  params: EmulateParams,
): { readonly method: 'POST' | 'OPTIONS'; readonly headers: Record<string, string>; readonly body: string } {
  const origin = { 'webhook-request-origin': deps.words.origin };
  if (params.kind === 'handshake') {
    return { method: 'OPTIONS', headers: { ...origin, 'webhook-request-rate': '120' }, body: '' };
  }
  const batch = params.kind === 'batch';
  const sample = (): Readonly<Record<string, unknown>> => ({
    specversion: '1.0',
    id: deps.options.ids.uuid(),
    source: '/sidelight/emulator',
    type: 'com.example.sample',
    subject: 'samples/1',
    time: iso(deps.options.clock.now()),
    datacontenttype: 'application/json',
    data: { hello: 'world' },
  });
  return {
    method: 'POST',
    headers: {
      ...origin,
      'content-type': `application/cloudevents${batch ? '-batch' : ''}+json; charset=utf-8`,
      'aeg-event-type': 'Notification',
      'aeg-subscription-name': 'EMULATED',
      'aeg-delivery-count': '0',
    },
    body: params.body ?? JSON.stringify(batch ? [sample(), sample()] : sample()),
  };
}
