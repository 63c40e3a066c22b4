/** Routes of the identity service: discovery, published keys, tokens by client credentials. */
import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IdentityStatus } from '../../contract/event-router/local-router-status.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import { TOKEN_REFUSALS, readTokenRequest } from '../rules/token-request.ts';
import type { TokenRefusal } from '../rules/token-request.ts';
import type { RouterWords } from '../options.ts';
import { bytesOf } from './listener.ts';
import type { Web } from './listener.ts';
import { WireError } from '../rules/wire-error.ts';
import type { Client, Directory } from '../identity/directory.ts';
import type { SigningKeys } from '../identity/signing-keys.ts';
import { TOKEN_SECONDS } from '../identity/tokens.ts';
import type { Tokens } from '../identity/tokens.ts';

export interface IdentityDependencies {
  readonly keys: SigningKeys;
  readonly directory: Directory;
  readonly tokens: Tokens;
  readonly words: RouterWords;
  readonly authority: () => string;
  readonly now: () => number;
  /** Resources that are no registered application (management and publishing), without a slash at the end. */
  readonly resources: () => readonly string[];
  readonly changed: () => void;
}

type Asked = IdentityStatus['requests'][number];

const MAX_FAILURES = 10;
const FAILURE_WINDOW_MS = 60_000;
const MAX_SHOWN = 20;
const MAX_COUNTED = 10_000;

/** Adds the routes; returns the newest token requests for the console. */
export function addIdentity(app: Web, deps: IdentityDependencies): { requests(): readonly Asked[] } {
  const requests: Asked[] = [];
  const failures = new Map<string, number[]>();
  const discovery = (version: 1 | 2) => async (request: FastifyRequest, reply: FastifyReply) => {
    await reply.send(discoveryOf(deps, tenantOf(request), version));
  };
  const keys = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const issuer = `${deps.authority()}/${tenantOf(request)}/v2.0`;
    await reply.header('cache-control', 'public, max-age=900').send(await deps.keys.jwks(issuer));
  };
  const token = (version: 1 | 2) => async (request: FastifyRequest, reply: FastifyReply) => {
    const seen: { clientId: string; audience?: string } = { clientId: '' };
    const note = (status: number, error?: string, code?: number): void => {
      const at = new Date(deps.now()).toISOString();
      const more = { ...withoutUndefined({ error, code }) };
      requests.unshift({ at, tenantId: tenantOf(request), ...seen, status, ...more });
      requests.length = Math.min(requests.length, MAX_SHOWN);
      deps.changed();
    };
    const found = examine(deps, failures, request, version, seen);
    if ('error' in found) {
      note(found.status, found.error, found.code);
      throw refusal(deps, found);
    }
    const answer = await issue(deps, found, tenantOf(request), version);
    note(200);
    await reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' }).send(answer);
  };
  app.get('/:tenant/v2.0/.well-known/openid-configuration', discovery(2));
  app.get('/:tenant/.well-known/openid-configuration', discovery(1));
  app.get('/:tenant/discovery/v2.0/keys', keys);
  app.get('/:tenant/discovery/keys', keys);
  app.post('/:tenant/oauth2/v2.0/token', token(2));
  app.post('/:tenant/oauth2/token', token(1));
  app.get('/:tenant/oauth2/v2.0/authorize', async () => {
    throw new WireError(501, 'NotImplemented', 'No interactive sign-in; use client credentials.');
  });
  app.get('/common/discovery/instance', async (_request, reply) => {
    await reply.send({
      tenant_discovery_endpoint: `${deps.authority()}/common/v2.0/.well-known/openid-configuration`,
      'api-version': '1.1',
      metadata: [],
    });
  });
  return { requests: () => requests };
}

interface Found {
  readonly client: Client;
  readonly audience: string;
  readonly asked: string;
}

function examine(
  deps: IdentityDependencies,
  failures: Map<string, number[]>,
  request: FastifyRequest,
  version: 1 | 2,
  seen: { clientId: string; audience?: string },
): Found | TokenRefusal {
  const tenant = tenantOf(request);
  const form = [...new URLSearchParams(bytesOf(request).toString('utf8'))];
  const read = readTokenRequest(form, version, basicOf(request.headers.authorization));
  if ('error' in read) return read;
  seen.clientId = read.clientId;
  seen.audience = read.audience;
  if (!deps.directory.hasTenant(tenant)) return TOKEN_REFUSALS.unknownTenant;
  const client = deps.directory.client(tenant, read.clientId);
  if (client === undefined) return TOKEN_REFUSALS.unknownClient;
  const key = `${tenant}/${read.clientId}`.toLowerCase();
  const now = deps.now();
  const recent = (failures.get(key) ?? []).filter((at) => now - at < FAILURE_WINDOW_MS);
  if (recent.length >= MAX_FAILURES) return TOKEN_REFUSALS.tooMany;
  const secret = deps.directory.checkSecret(client, read.clientSecret, now);
  if (secret !== 'right') {
    if (failures.size > MAX_COUNTED) failures.clear();
    failures.set(key, [...recent, now]);
    return secret === 'expired' ? TOKEN_REFUSALS.expiredSecret : TOKEN_REFUSALS.wrongSecret;
  }
  failures.delete(key);
  const known =
    deps.resources().includes(read.audience) || deps.directory.application(read.audience) !== undefined;
  return known ? { client, audience: read.audience, asked: read.asked } : TOKEN_REFUSALS.unknownResource;
}

async function issue(
  deps: IdentityDependencies,
  found: Found,
  tenantId: string,
  version: 1 | 2,
): Promise<Readonly<Record<string, unknown>>> {
  const application = deps.directory.application(found.audience);
  const holds = deps.directory.holds(found.client.clientId, 'webhook-subscriber', found.audience);
  const made = await deps.tokens.mint({
    tenantId,
    audience: version === 1 ? found.asked : found.audience,
    caller: found.client.clientId,
    version: version === 1 ? 1 : (application?.acceptedTokenVersion ?? 2),
    ...(holds ? { roles: ['AzureEventGridSecureWebhookSubscriber'] } : {}),
  });
  const answer = {
    token_type: 'Bearer',
    expires_in: TOKEN_SECONDS - 1,
    ext_expires_in: TOKEN_SECONDS - 1,
    access_token: made.text,
  };
  if (version === 2) return answer;
  const from = Math.floor(deps.now() / 1000);
  return {
    ...answer,
    expires_in: String(TOKEN_SECONDS - 1),
    ext_expires_in: String(TOKEN_SECONDS - 1),
    expires_on: String(from + TOKEN_SECONDS),
    not_before: String(from),
    resource: found.asked,
  };
}

function discoveryOf(
  deps: IdentityDependencies,
  tenant: string,
  version: 1 | 2,
): Readonly<Record<string, unknown>> {
  const base = `${deps.authority()}/${tenant}`;
  const part = version === 2 ? '/v2.0' : '';
  return {
    issuer: version === 2 ? `${base}/v2.0` : deps.words.version1Issuer(deps.authority(), tenant),
    token_endpoint: `${base}/oauth2${part}/token`,
    authorization_endpoint: `${base}/oauth2/v2.0/authorize`,
    jwks_uri: `${base}/discovery${part}/keys`,
    token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
    response_types_supported: ['token'],
    subject_types_supported: ['pairwise'],
    id_token_signing_alg_values_supported: ['RS256'],
  };
}

function refusal(deps: IdentityDependencies, refused: TokenRefusal): WireError {
  const trace = randomUUID();
  return new WireError(refused.status, refused.error, refused.says, {
    headers: refused.status === 429 ? { 'retry-after': '30' } : {},
    body: {
      error: refused.error,
      error_description: `${deps.words.errorPrefix}${refused.code}: ${refused.says}`,
      error_codes: [refused.code],
      timestamp: `${new Date(deps.now()).toISOString().slice(0, 19).replace('T', ' ')}Z`,
      trace_id: trace,
      correlation_id: trace,
    },
  });
}

function basicOf(header: string | undefined): { readonly id: string; readonly secret: string } | undefined {
  const encoded = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(header ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 0) return undefined;
  const [id, secret] = [text.slice(0, colon), text.slice(colon + 1)].map(formDecoded);
  return id === undefined || secret === undefined ? undefined : { id, secret };
}

function formDecoded(text: string): string {
  return new URLSearchParams(`v=${text}`).get('v') ?? '';
}

function tenantOf(request: FastifyRequest): string {
  const params = request.params;
  const tenant = typeof params === 'object' && params !== null && 'tenant' in params ? params.tenant : '';
  return String(tenant);
}
