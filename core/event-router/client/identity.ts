/** Client of the identity service: discovery, published keys, tokens for management. */
import type { EvrCode } from '../../contract/event-router/wire.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import { isObject, tryParse } from '../../domain/json.ts';
import { RouterTrouble, retryAfterMs } from '../rules/trouble.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Secret } from './router-client.ts';
import type { TrustedClient } from './trusted-client.ts';

/** Addresses in the discovery document. */
export interface Discovered {
  readonly issuer: string;
  readonly tokenEndpoint: string;
  readonly jwksUri: string;
}

export interface AccessToken {
  readonly secret: string;
  readonly obtainedMs: number;
  readonly expiresMs: number;
}

export interface IdentityPorts {
  readonly client: TrustedClient;
  readonly clock: Clock;
}

const TIMEOUT_MS = 5_000;
const TOKEN_TIMEOUT_MS = 30_000;
const MAX_BYTES = 64 * 1024;
/** Errors of the identity service that only another configuration can fix. */
const FINAL: ReadonlySet<string> = new Set(['invalid_client', 'unauthorized_client']);

/** Reads the discovery document. Rejects RouterTrouble EVR-ID-01, or EVR-ID-04 for addresses of another origin. */
export async function discover(
  authority: string,
  tenantId: string,
  { client }: IdentityPorts,
  signal: AbortSignal,
): Promise<Discovered> {
  const url = `${authority.replace(/\/+$/, '')}/${encodeURIComponent(tenantId)}/v2.0/.well-known/openid-configuration`;
  const document = await getJson(client, url, 'EVR-ID-01', signal);
  const text = (name: string): string => {
    const value = document[name];
    if (typeof value === 'string' && URL.canParse(value)) return value;
    throw new RouterTrouble('EVR-ID-01', `${url}: ${name} is missing or is not an address`);
  };
  const found = { issuer: text('issuer'), tokenEndpoint: text('token_endpoint'), jwksUri: text('jwks_uri') };
  const { origin } = new URL(authority);
  for (const one of [found.tokenEndpoint, found.jwksUri]) {
    if (new URL(one).origin === origin) continue;
    throw new RouterTrouble('EVR-ID-04', `${url} names ${one}, which is not of ${origin}`);
  }
  return found;
}

/** GET of a JSON object, with at most 5 s and 64 KiB, and without redirects. */
export async function getJson(
  client: TrustedClient,
  url: string,
  code: EvrCode,
  signal?: AbortSignal,
): Promise<Readonly<Record<string, unknown>>> {
  const answer = await client.call(
    {
      url,
      method: 'GET',
      headers: { accept: 'application/json' },
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      onTooLarge: 'refuse',
      ...withoutUndefined({ signal }),
    },
    code,
  );
  if (answer.status !== 200) throw new RouterTrouble(code, `${url} answered ${answer.status}`);
  const value = tryParse(answer.text)?.value;
  if (!isObject(value)) throw new RouterTrouble(code, `${url} did not answer with a JSON object`);
  return value;
}

export interface TokenRequest {
  readonly endpoint: string;
  readonly clientId: string;
  readonly clientSecret: Secret;
  /** Scope of the token: audience + "/.default". */
  readonly scope: string;
}

/**
 * Requests a token by client credentials. Rejects RouterTrouble EVR-ID-10 with the identity service's own
 * error and number.
 */
export async function requestToken(
  request: TokenRequest,
  { client, clock }: IdentityPorts,
  signal: AbortSignal,
): Promise<AccessToken> {
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: request.clientId,
    client_secret: request.clientSecret.reveal(),
    scope: request.scope,
  });
  const answer = await client.call(
    {
      url: request.endpoint,
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: form.toString(),
      timeoutMs: TOKEN_TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      onTooLarge: 'refuse',
      signal,
    },
    'EVR-ID-10',
  );
  const value = tryParse(answer.text)?.value;
  const body = isObject(value) ? value : {};
  const token = body['access_token'];
  const now = clock.now();
  if (answer.status === 200 && typeof token === 'string') {
    const lives = Number(body['expires_in']);
    const lifeMs = Number.isFinite(lives) && lives > 0 ? lives * 1000 : 0;
    return { secret: token, obtainedMs: now, expiresMs: now + lifeMs };
  }
  const error = typeof body['error'] === 'string' ? body['error'] : '';
  const wait = retryAfterMs(answer.headers['retry-after'], now);
  throw new RouterTrouble('EVR-ID-10', describeRefusal(answer.status, error, body), {
    final: FINAL.has(error),
    status: answer.status,
    ...withoutUndefined({ retryAfterMs: wait }),
  });
}

function describeRefusal(status: number, error: string, body: Readonly<Record<string, unknown>>): string {
  const description = typeof body['error_description'] === 'string' ? body['error_description'] : '';
  const codes = Array.isArray(body['error_codes']) ? body['error_codes'].join(', ') : '';
  const firstLine = description.split(/[\r\n]/, 1)[0] ?? '';
  const number = codes === '' || firstLine.includes(codes) ? '' : ` ${codes}`;
  const what = error === '' ? `the answer was ${status}` : `${error}${number}`;
  return `the token was refused: ${what}${firstLine === '' ? '' : ` (${firstLine.slice(0, 500)})`}`;
}
