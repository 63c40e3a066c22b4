/** A router that does what a test says, over real TLS: identity, keys, management; it notes every request. */
import { createServer } from 'node:https';
import type { Server } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { SignJWT, exportJWK, generateKeyPair } from 'jose';
import type { JWK, JWTPayload } from 'jose';
import type { SubscriptionProperties } from '../../core/contract/event-router/wire.ts';
import { leaves } from './certificates.ts';

export const TENANT = '11111111-1111-4111-8111-111111111111';
export const SUBSCRIPTION = '22222222-2222-4222-8222-222222222222';
export const CLIENT = '33333333-3333-4333-8333-333333333333';
export const ROUTER_APP = '4962773b-9cdb-44cf-a8bf-237846a00ab7';
export const SECRET = 'local-dev-secret-of-a-test';

export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface Scripted {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

type Key = Awaited<ReturnType<typeof generateKeyPair>>['privateKey'];

export interface SigningKey {
  readonly kid: string;
  readonly key: Key;
  readonly jwk: JWK;
}

let keys: Promise<readonly SigningKey[]> | undefined;

/** Three keys, made once per file. */
export function signingKeys(): Promise<readonly SigningKey[]> {
  keys ??= Promise.all(
    ['one', 'two', 'three'].map(async (kid) => {
      const { privateKey, publicKey } = await generateKeyPair('RS256');
      const jwk = { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' };
      return { kid, key: privateKey, jwk };
    }),
  );
  return keys;
}

export class ScriptedRouter {
  readonly asked: Asked[] = [];
  /** Answers instead of the usual one, by "METHOD part-of-path", in order. */
  readonly scripts = new Map<string, Scripted[]>();
  readonly records = new Map<string, SubscriptionProperties>();
  secret = SECRET;
  /** Result of the operations of the next PUTs. */
  operation: { status: string; error?: { code: string; message: string } } = { status: 'Succeeded' };
  /** Called for each PUT before it is answered. */
  onPut: () => Promise<void> | void = () => undefined;
  published: readonly SigningKey[] = [];
  readonly #now: () => number;
  #server: Server | undefined;
  readonly #port: number;

  /** @param port one that stays its own while it is stopped */
  constructor(now: () => number, port: number) {
    this.#now = now;
    this.#port = port;
  }

  get url(): string {
    return `https://localhost:${this.#port}`;
  }

  get issuer(): string {
    return `${this.url}/${TENANT}/v2.0`;
  }

  /** Listens on its port. */
  async start(): Promise<void> {
    const [first] = await signingKeys();
    if (this.published.length === 0 && first !== undefined) this.published = [first];
    const { cert, key } = await (await leaves()).leaf('good');
    const server = createServer({ cert, key }, (request, response) => void this.#answer(request, response));
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve));
    this.#server = server;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    server?.closeAllConnections();
    await new Promise<void>((resolve) => (server === undefined ? resolve() : server.close(() => resolve())));
  }

  script(what: string, ...answers: readonly Scripted[]): void {
    this.scripts.set(what, [...(this.scripts.get(what) ?? []), ...answers]);
  }

  count(method: string, part: string): number {
    return this.asked.filter((one) => one.method === method && one.url.includes(part)).length;
  }

  /**
   * A delivery's token.
   * @param claims instead of the usual ones; undefined leaves one out
   */
  async token(
    claims: JWTPayload = {},
    how: { readonly kid?: string; readonly signedBy?: SigningKey; readonly without?: readonly string[] } = {},
  ): Promise<string> {
    const by = how.signedBy ?? this.published[0];
    if (by === undefined) throw new Error('there is no key');
    const now = Math.floor(this.#now() / 1000);
    const all: JWTPayload = {
      iss: this.issuer,
      aud: CLIENT,
      azp: ROUTER_APP,
      tid: TENANT,
      ver: '2.0',
      iat: now,
      nbf: now,
      exp: now + 3600,
      roles: ['AzureEventGridSecureWebhookSubscriber'],
      ...claims,
    };
    for (const name of how.without ?? []) delete all[name];
    return new SignJWT(all)
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: how.kid ?? by.kid })
      .sign(by.key);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const { method = '', url = '', headers } = request;
    const asked: Asked = { method, url, headers, body: Buffer.concat(chunks).toString() };
    this.asked.push(asked);
    const scripted = [...this.scripts].find(
      ([what, answers]) => answers.length > 0 && isFor(what, asked),
    )?.[1];
    const { status, body, headers: more } = scripted?.shift() ?? (await this.#usual(asked));
    const text = body === undefined ? '' : JSON.stringify(body);
    response.writeHead(status, { 'content-type': 'application/json', ...more });
    response.end(text);
  }

  async #usual(asked: Asked): Promise<Scripted> {
    const path = asked.url.split('?', 1)[0] ?? '';
    if (path.endsWith('/.well-known/openid-configuration')) {
      return {
        status: 200,
        body: {
          issuer: this.issuer,
          token_endpoint: `${this.url}/${TENANT}/oauth2/v2.0/token`,
          authorization_endpoint: `${this.url}/${TENANT}/oauth2/v2.0/authorize`,
          jwks_uri: `${this.url}/${TENANT}/discovery/v2.0/keys`,
        },
      };
    }
    if (path.endsWith('/discovery/v2.0/keys'))
      return { status: 200, body: { keys: this.published.map(({ jwk }) => jwk) } };
    if (path.endsWith('/oauth2/v2.0/token')) return this.#tokenAnswer(asked);
    if (path.includes('/operationsStatus/'))
      return { status: 200, body: { id: path, name: 'op', ...this.operation } };
    if (path.includes('/eventSubscriptions/')) return this.#record(asked, path);
    return { status: 404, body: { error: { code: 'NotFound', message: 'There is nothing here.' } } };
  }

  #tokenAnswer({ body }: Asked): Scripted {
    const form = new URLSearchParams(body);
    if (form.get('client_secret') === this.secret)
      return {
        status: 200,
        body: {
          token_type: 'Bearer',
          expires_in: 3599,
          access_token: `management-${this.count('POST', '/token')}`,
        },
      };
    return {
      status: 401,
      body: {
        error: 'invalid_client',
        error_description: 'IDP7000215: Invalid client secret provided.',
        error_codes: [7_000_215],
      },
    };
  }

  async #record({ method, body }: Asked, path: string): Promise<Scripted> {
    const key = path.replaceAll(/\/{2,}/g, '/').toLowerCase();
    const name = key.split('/').at(-1) ?? '';
    const record = (properties: SubscriptionProperties) => ({ id: path, name, type: 't', properties });
    if (method === 'GET') {
      const found = this.records.get(key);
      return found === undefined
        ? { status: 404, body: { error: { code: 'ResourceNotFound', message: 'It is not there.' } } }
        : { status: 200, body: record(found) };
    }
    if (method === 'DELETE') {
      this.records.delete(key);
      return { status: 200 };
    }
    await this.onPut();
    const { properties } = JSON.parse(body) as { properties: SubscriptionProperties };
    const { destination } = properties;
    const kept: Record<string, unknown> = { ...destination?.properties };
    kept['endpointBaseUrl'] = String(kept['endpointUrl']).split('?', 1)[0];
    delete kept['endpointUrl'];
    this.records.set(key, {
      ...properties,
      destination: { endpointType: 'WebHook', properties: kept },
      provisioningState: this.operation.status === 'Succeeded' ? 'Succeeded' : 'Failed',
    });
    return {
      status: 201,
      body: record({ ...properties, provisioningState: 'Creating' }),
      headers: { 'azure-asyncoperation': `${this.url}/subscriptions/s/operationsStatus/op?api-version=x` },
    };
  }
}

function isFor(what: string, { method, url }: Asked): boolean {
  const [wanted, part = ''] = what.split(' ');
  return method === wanted && url.includes(part);
}
