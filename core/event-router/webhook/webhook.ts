/**
 * The webhook listener: OPTIONS handshakes and POSTed events on `handshakePort`, checked in a fixed order:
 * method, path, token, body.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HandshakeReport, TokenVerdict, WebhookRow } from '../../contract/event-router/components.ts';
import { errorText } from '../../contract/error-text.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import type { BindingEvent, BindingTaken } from '../../ports/binding.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { WebhookRules } from '../client/router-access.ts';
import { readBody, singleHeader } from './webhook-request.ts';
import { eventOf } from './webhook-event.ts';
import { serveWebhook } from './webhook-server.ts';
import type { Webhook } from './webhook-server.ts';
import type { Verified } from '../client/token-verifier.ts';

export interface WebhookDependencies {
  readonly port: number;
  /** Path of the subscriber endpoint, which is compared exactly. */
  readonly path: () => string;
  readonly verify: (header: string | undefined) => Promise<Verified>;
  readonly rules: () => WebhookRules;
  readonly take: (event: BindingEvent) => Promise<BindingTaken>;
  /** False: a person revoked the consent, so handshakes are answered without it. */
  readonly mayConsent: () => boolean;
  /** True while Sidelight's own probe is running, whose request is shown with its sender. */
  readonly isProbing: () => boolean;
  readonly onHandshake: (handshake: HandshakeReport) => void;
  readonly onRequest: (row: WebhookRow) => void;
  readonly onVerdict: (verdict: TokenVerdict) => void;
  readonly clock: Clock;
  readonly log: Log;
}

const PART = 'event-router';
const ALLOW = 'POST, OPTIONS';
const TYPES: ReadonlySet<string> = new Set([
  'application/cloudevents+json',
  'application/cloudevents-batch+json',
  'application/json',
]);
/** Origin of the binding's own probe through the ingress. */
export const PROBE_ORIGIN = 'self-probe';

/** Opens the webhook on 127.0.0.1. Rejects RouterTrouble EVR-NET-01 or -02. */
export function openWebhook(deps: WebhookDependencies): Promise<Webhook> {
  const { port, clock } = deps;
  return serveWebhook({
    port,
    clock,
    answer: (request, response) => answer(deps, request, response),
    broken: (status, reason) => {
      deps.onRequest(row(clock, { status, reason, method: '' }));
      deps.log.write('warn', PART, `A webhook request got ${status}: ${reason}`);
    },
  });
}

function row(clock: Clock, facts: { status: number; method: string } & Partial<WebhookRow>): WebhookRow {
  const at = new Date(clock.now()).toISOString();
  return { at, eventIds: [], events: 0, sizeBytes: 0, durationMs: 0, ...facts };
}

/** Answers one request; never rejects. */
async function answer(
  deps: WebhookDependencies,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    await new Answering(deps, request, response).run();
  } catch (error) {
    const reason = errorText(error);
    deps.log.write('error', PART, `Sidelight could not answer a webhook request: ${reason}`);
    if (!response.headersSent) send(response, 500, '500 Internal Server Error');
    else response.destroy();
  }
}

class Answering {
  readonly #deps: WebhookDependencies;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #started: number;

  constructor(deps: WebhookDependencies, request: IncomingMessage, response: ServerResponse) {
    this.#deps = deps;
    this.#request = request;
    this.#response = response;
    this.#started = deps.clock.monotonic();
  }

  async run(): Promise<void> {
    const { method = '', url = '' } = this.#request;
    if (method !== 'POST' && method !== 'OPTIONS')
      return this.#refuse(405, '405 Method Not Allowed', `the method ${method} is not accepted`, {
        allow: ALLOW,
      });
    if (url.split('?', 1)[0] !== this.#deps.path())
      return this.#refuse(404, '404 Not found', `there is nothing at ${url.slice(0, 200)}`);
    const authorization = singleHeader(this.#request, 'authorization');
    if (authorization === 'several')
      return this.#refuse(400, '400 Bad Request', 'there is more than one Authorization header');
    return method === 'OPTIONS' ? this.#handshake(authorization?.value) : this.#event(authorization?.value);
  }

  async #handshake(authorization: string | undefined): Promise<void> {
    const { rules } = this.#deps;
    const { handshakeAuth, allowedOrigins } = rules();
    const origin = headerText(this.#request, 'webhook-request-origin');
    if (origin !== undefined && /[\u0000-\u0008\u000a-\u001f\u007f]/.test(origin))
      return this.#refuse(400, '400 Bad Request', 'WebHook-Request-Origin has control characters');
    const isLooked =
      handshakeAuth === 'required' || (handshakeAuth === 'optional' && authorization !== undefined);
    const verdict = isLooked ? await this.#verify(authorization) : undefined;
    const token =
      authorization === undefined ? 'absent' : verdict === undefined || verdict.ok ? 'verified' : 'refused';
    if (verdict !== undefined && !verdict.ok) {
      this.#reportHandshake({
        status: verdict.status,
        headers: {},
        consent: 'no',
        token,
        reason: verdict.reason,
      });
      return this.#unauthorized(verdict);
    }
    const isAllowed =
      origin !== undefined &&
      this.#deps.mayConsent() &&
      (allowedOrigins.length === 0 ||
        allowedOrigins.some((one) => one.toLowerCase() === origin.toLowerCase()));
    const consent = isAllowed ? { 'webhook-allowed-origin': origin, 'webhook-allowed-rate': '*' } : undefined;
    const headers = { ...consent, allow: ALLOW };
    this.#reportHandshake({
      status: 200,
      headers,
      consent: consent === undefined ? 'no' : 'yes',
      token: isLooked || authorization === undefined ? token : 'absent',
      ...(consent === undefined
        ? {
            message:
              origin === undefined
                ? 'no origin was named'
                : this.#deps.mayConsent()
                  ? `the origin ${origin} is not allowed`
                  : 'a person withdrew consent',
          }
        : {}),
    });
    return send(this.#response, 200, '', headers);
  }

  async #event(authorization: string | undefined): Promise<void> {
    const verdict = await this.#verify(authorization);
    if (!verdict.ok) return this.#unauthorized(verdict);
    const body = await readBody(this.#request);
    if (body === 'too-large')
      return this.#refuse(413, '413 Payload Too Large', 'the body is larger than 1 MiB', {
        connection: 'close',
      });
    if (body === 'cut')
      return this.#refuse(400, '400 Bad Request', 'the body ended early', { connection: 'close' });
    const type =
      (headerText(this.#request, 'content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
    if (!TYPES.has(type))
      return this.#refuse(
        415,
        '415 Unsupported Media Type',
        `the content type ${type.slice(0, 100)} is not accepted`,
      );
    const { event, seen } = eventOf(this.#request, body, this.#deps.rules().forwardRouterHeaders);
    const taken = await this.#deps.take(event);
    const reason = taken.accepted ? undefined : appTrouble(taken);
    this.#report({
      status: taken.accepted ? 200 : 500,
      ...seen,
      sizeBytes: body.byteLength,
      ...withoutUndefined({ messageId: taken.messageId, reason }),
    });
    if (reason === undefined) return send(this.#response, 200, '');
    this.#deps.log.write(
      'warn',
      PART,
      reason,
      taken.messageId === undefined ? {} : { messageId: taken.messageId },
    );
    return send(this.#response, 500, reason);
  }

  async #verify(authorization: string | undefined): Promise<Verified> {
    const verdict = await this.#deps.verify(authorization);
    this.#deps.onVerdict(verdict.shown);
    if (verdict.line !== undefined) this.#deps.log.write('warn', PART, verdict.line);
    return verdict;
  }

  #unauthorized(verdict: Extract<Verified, { ok: false }>): void {
    const { status, reason, code } = verdict;
    this.#report({ status, reason: `${reason} (${code})` });
    const text = status === 401 ? '401 Unauthorized' : `503 Service Unavailable: ${code}`;
    // The rest of the body is not read, so the connection closes.
    send(this.#response, status, text, { connection: 'close' });
  }

  #refuse(
    status: number,
    text: string,
    reason: string,
    headers: Readonly<Record<string, string>> = {},
  ): void {
    this.#report({ status, reason });
    this.#deps.log.write('warn', PART, `A webhook request got ${status}: ${reason}`);
    send(this.#response, status, text, headers);
  }

  #report(facts: { status: number } & Partial<WebhookRow>): void {
    const { clock, onRequest } = this.#deps;
    const { method = '' } = this.#request;
    const durationMs = Math.round((clock.monotonic() - this.#started) * 10) / 10;
    onRequest(row(clock, { method, durationMs, ...facts }));
  }

  #reportHandshake(
    row: Pick<HandshakeReport, 'status' | 'headers' | 'consent' | 'token' | 'reason' | 'message'>,
  ): void {
    const { clock, onHandshake, isProbing } = this.#deps;
    const origin = headerText(this.#request, 'webhook-request-origin');
    if (origin === PROBE_ORIGIN && isProbing()) return;
    const callback = headerText(this.#request, 'webhook-request-callback');
    const rate = headerText(this.#request, 'webhook-request-rate');
    onHandshake({
      at: new Date(clock.now()).toISOString(),
      by: 'router',
      ...(origin === undefined ? {} : { origin: origin.slice(0, 300) }),
      // The query of the callback is left out, because it holds the consent token, a secret of the router.
      ...(callback === undefined ? {} : { callback: callback.split('?', 1)[0]?.slice(0, 500) ?? '' }),
      ...(rate === undefined ? {} : { requestedRate: rate.slice(0, 20) }),
      ...row,
    });
  }
}

function appTrouble({ status, body, error }: BindingTaken): string {
  if (status !== undefined)
    return `fails to send binding event to http app channel, status code: ${status} body: ${body ?? ''}`;
  return `error invoking app: ${error ?? 'response object is nil'}`;
}

function headerText(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

function send(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (response.destroyed) return;
  const type = text === '' ? {} : { 'content-type': 'text/plain; charset=utf-8' };
  response.writeHead(status, { ...type, 'content-length': Buffer.byteLength(text), ...headers });
  response.end(text);
}
