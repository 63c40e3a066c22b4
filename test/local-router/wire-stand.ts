/** A whole router over real sockets and real TLS, with a webhook behind its ingress. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent, request } from 'undici';
import { expect, onTestFinished } from 'vitest';
import { SigningKeys } from '../../core/local-router/identity/signing-keys.ts';
import { Certificates } from '../../core/local-router/trust/certificates.ts';
import { LOCAL_ROUTER_DEFAULTS } from '../../core/local-router/options.ts';
import type { LocalRouterSettings } from '../../core/local-router/options.ts';
import { createLocalRouter } from '../../core/local-router/local-router.ts';
import { randomIds, systemRandom } from '../../core/adapters/random-ids.ts';
import { systemClock } from '../../core/adapters/system-clock.ts';
import type { Brand } from '../../core/contract/profile.ts';

export const TENANT = '11111111-1111-4111-8111-111111111111';
export const CLIENT = '33333333-3333-4333-8333-333333333333';
export const SECRET = 'local-dev-secret';
export const KEY = Buffer.alloc(32, 'k').toString('base64');

export interface HookRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

export interface WireRequest {
  readonly settings?: Partial<LocalRouterSettings>;
  readonly profile?: Brand;
  readonly folder?: string;
  readonly skipAdopt?: boolean;
  /** Signing keys that no other stand of the file uses, for a test that rotates them. */
  readonly ownKeys?: boolean;
}

const SHARED_KEYS = SigningKeys.open({ now: Date.now });
/** Authority and leaf of every stand that keeps none: making them takes longer than most tests. */
const SHARED_CERTIFICATES = await Certificates.open({ hosts: [], now: Date.now });

export type WireStand = Awaited<ReturnType<typeof wireStand>>;

export async function wireStand(wish: WireRequest = {}) {
  const profile = wish.profile ?? 'sidecar';
  const namespace = profile === 'dapr' ? 'Microsoft.EventGrid' : 'Cloud.EventRouter';
  const logged: string[] = [];
  const router = await createLocalRouter({
    settings: {
      ...LOCAL_ROUTER_DEFAULTS,
      namespace,
      listen: {
        router: 'localhost:0',
        ingress: 'localhost:0',
        topicPorts: {},
        soft: { router: true, ingress: true },
      },
      trust: { extraCaFiles: [], trustSystemRoots: false },
      handshakeRetryMs: 5,
      ...wish.settings,
    },
    profile,
    ...(wish.folder === undefined ? {} : { folder: wish.folder }),
    ...(wish.folder === undefined && wish.ownKeys !== true ? { signingKeys: SHARED_KEYS } : {}),
    ...(wish.folder === undefined && wish.settings?.hostNames === undefined
      ? { certificates: SHARED_CERTIFICATES }
      : {}),
    clock: systemClock(),
    random: systemRandom(),
    ids: randomIds(),
    log: { write: (_level, _part, text) => void logged.push(text) },
  });
  onTestFinished(() => router.stop());
  await router.start();
  const hook = await webhook();
  const base = router.addresses().router;
  const scope = `/subscriptions/s1/resourceGroups/dev/providers/${namespace}/topics/orders`;
  const dispatcher = new Agent({ connect: { ca: router.certificates.caPem() }, allowH2: false });
  onTestFinished(() => dispatcher.close());
  const subscriber = `${router.addresses().ingress}/api/events`;
  if (wish.skipAdopt !== true) {
    await router.adopt({
      component: 'orders',
      topicEndpoint: `${base}/topics/orders/api/events`,
      accessKey: KEY,
      input: {
        tenantId: TENANT,
        subscriptionId: 's1',
        clientId: CLIENT,
        clientSecret: SECRET,
        scope,
        subscriberEndpoint: subscriber,
        handshakePort: hook.port,
      },
    });
  }

  const call = async (
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS',
    url: string,
    headers: Readonly<Record<string, string>> = {},
    body?: string | Buffer,
  ) => {
    const address = url.startsWith('https:') ? url : base + url;
    const answer = await request(address, { method, headers, body: body ?? null, dispatcher });
    const text = await answer.body.text();
    return { status: answer.statusCode, headers: answer.headers, text, json: () => JSON.parse(text) as Json };
  };
  const token = async (audience = base): Promise<string> => {
    const form = {
      grant_type: 'client_credentials',
      client_id: CLIENT,
      client_secret: SECRET,
      scope: `${audience}/.default`,
    };
    const answer = await call(
      'POST',
      `/${TENANT}/oauth2/v2.0/token`,
      FORM,
      new URLSearchParams(form).toString(),
    );
    return String(answer.json()['access_token']);
  };
  const recordPath = (name = 'ordersin', of = scope): string =>
    `/${of}/providers/${namespace}/eventSubscriptions/${name}?api-version=2022-06-15`;
  const manage = async (method: 'GET' | 'PUT' | 'PATCH' | 'DELETE' | 'POST', path: string, body?: unknown) =>
    call(
      method,
      path,
      { authorization: `Bearer ${await token()}`, 'content-type': 'application/json' },
      body === undefined ? undefined : JSON.stringify(body),
    );
  return {
    router,
    hook,
    base,
    scope,
    namespace,
    subscriber,
    dispatcher,
    logged,
    call,
    token,
    manage,
    recordPath,
    /** Puts a subscription and waits until it is no longer being created. */
    async subscribe(properties: Json = {}, name = 'ordersin'): Promise<Json> {
      const put = await manage('PUT', recordPath(name), {
        properties: { ...wanted(subscriber), ...properties },
      });
      if (put.status !== 201) throw new Error(`${put.status} ${put.text}`);
      return this.settled(name);
    },
    async settled(name = 'ordersin'): Promise<Json> {
      let found: Json = {};
      await expect
        .poll(async () => {
          found = (await manage('GET', recordPath(name))).json()['properties'] as Json;
          return found['provisioningState'];
        })
        .not.toMatch(/^(Creating|Updating)$/);
      return found;
    },
    publish: (
      body: unknown,
      headers: Readonly<Record<string, string>> = {},
      path = '/topics/orders/api/events?api-version=2018-01-01',
    ) =>
      call(
        'POST',
        path,
        { 'content-type': 'application/cloudevents+json', 'aeg-sas-key': KEY, ...headers },
        typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
      ),
    stored: () => router.deliveries.list({ limit: 500 }).items,
  };
}

export type Json = Record<string, unknown>;

export const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

export function wanted(endpointUrl: string): Json {
  return {
    destination: {
      endpointType: 'WebHook',
      properties: {
        endpointUrl,
        azureActiveDirectoryTenantId: TENANT,
        azureActiveDirectoryApplicationIdOrUri: CLIENT,
      },
    },
    eventDeliverySchema: 'CloudEventSchemaV1_0',
  };
}

/** A plain webhook on loopback that keeps what it was sent. */
async function webhook() {
  const seen: HookRequest[] = [];
  const script = {
    respond(_request: HookRequest, response: http.ServerResponse): void {
      response.end();
    },
  };
  const server = http.createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const { method = '', url = '', headers } = incoming;
      const one: HookRequest = { method, url, headers, body: Buffer.concat(chunks).toString('utf8') };
      seen.push(one);
      if (method === 'OPTIONS') response.setHeader('WebHook-Allowed-Origin', '*');
      script.respond(one, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    port: (server.address() as AddressInfo).port,
    seen,
    script,
    events: () => seen.filter(({ method }) => method === 'POST'),
  };
}

export function cloudEvent(id = 'e1', more: Json = {}): Json {
  return {
    specversion: '1.0',
    id,
    source: '/shop',
    type: 'order.placed',
    subject: 'orders/1',
    data: { n: 1 },
    ...more,
  };
}
