/** The identity service: discovery, keys, client credentials, what tokens say, rotation, wrong tokens on purpose. */
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import type { JSONWebKeySet } from 'jose';
import { describe, expect, test } from 'vitest';
import { LOCAL_ROUTER_DEFAULTS } from '../../core/local-router/options.ts';
import { SigningKeys } from '../../core/local-router/identity/signing-keys.ts';
import { TOKEN_FAULTS } from '../../core/contract/event-router/words.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { CLIENT, FORM, SECRET, TENANT, cloudEvent, wireStand } from './wire-stand.ts';
import type { Json, WireStand } from './wire-stand.ts';

const GOOD = { grant_type: 'client_credentials', client_id: CLIENT, client_secret: SECRET };

function ask(
  stand: WireStand,
  form: Readonly<Record<string, string>> | string,
  more: { tenant?: string; path?: string; headers?: Record<string, string> } = {},
) {
  const body = typeof form === 'string' ? form : new URLSearchParams(form).toString();
  const path = `/${more.tenant ?? TENANT}/${more.path ?? 'oauth2/v2.0/token'}?client-request-id=x`;
  return stand.call('POST', path, { ...FORM, ...more.headers }, body);
}

describe('discovery and keys', () => {
  test('both versions of the document name addresses of this service', async () => {
    const stand = await wireStand();
    const v2 = (await stand.call('GET', `/${TENANT}/v2.0/.well-known/openid-configuration`)).json();
    expect(v2).toMatchObject({
      issuer: `${stand.base}/${TENANT}/v2.0`,
      token_endpoint: `${stand.base}/${TENANT}/oauth2/v2.0/token`,
      authorization_endpoint: `${stand.base}/${TENANT}/oauth2/v2.0/authorize`,
      jwks_uri: `${stand.base}/${TENANT}/discovery/v2.0/keys`,
    });
    const v1 = (await stand.call('GET', `/${TENANT}/.well-known/openid-configuration`)).json();
    expect(v1).toMatchObject({
      issuer: `${stand.base}/${TENANT}/`,
      jwks_uri: `${stand.base}/${TENANT}/discovery/keys`,
    });
    const keys = await stand.call('GET', `/${TENANT}/discovery/keys`);
    expect(keys.headers['cache-control']).toBe('public, max-age=900');
    const [key] = keys.json()['keys'] as Json[];
    expect(key).toMatchObject({ kty: 'RSA', use: 'sig', alg: 'RS256' });
    for (const name of ['d', 'p', 'q', 'dp', 'dq', 'qi']) expect(key).not.toHaveProperty(name);
    expect(Buffer.from(String(key?.['n']), 'base64url')).toHaveLength(256);
    expect((await stand.call('GET', `/${TENANT}/oauth2/v2.0/authorize`)).status).toBe(501);
    expect((await stand.call('GET', '/common/discovery/instance?api-version=1.1')).json()).toMatchObject({
      'api-version': '1.1',
    });
  });

  test('a delivery token verifies against the published keys, with the claims of 5.3', async () => {
    const stand = await wireStand();
    await stand.subscribe();
    await stand.publish(cloudEvent());
    await expect.poll(() => stand.hook.events().length).toBe(1);
    const sent = String(stand.hook.events()[0]?.headers.authorization).replace('Bearer ', '');
    const published = (
      await stand.call('GET', `/${TENANT}/discovery/v2.0/keys`)
    ).json() as unknown as JSONWebKeySet;
    const keys = createLocalJWKSet(published);
    const { payload, protectedHeader } = await jwtVerify(sent, keys, {
      issuer: `${stand.base}/${TENANT}/v2.0`,
      audience: CLIENT,
      algorithms: ['RS256'],
      requiredClaims: ['exp', 'iat', 'nbf', 'uti', 'oid'],
    });
    expect(protectedHeader).toMatchObject({ alg: 'RS256', typ: 'JWT' });
    expect(payload).toMatchObject({
      azp: '4962773b-9cdb-44cf-a8bf-237846a00ab7',
      azpacr: '1',
      tid: TENANT,
      ver: '2.0',
      roles: ['AzureEventGridSecureWebhookSubscriber'],
    });
    expect(payload.sub).toBe(payload['oid']);
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(3600);
  });
});

describe('client credentials', () => {
  test('J17 right and wrong requests have their status, error and number', async () => {
    const stand = await wireStand();
    const scope = `${stand.base}/.default`;
    const good = await ask(stand, { ...GOOD, scope, x_client_sku: 'ignored' });
    expect([good.status, good.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(good.json()).toMatchObject({ token_type: 'Bearer', expires_in: 3599, ext_expires_in: 3599 });
    await stand.router.identity.registerClient({
      tenantId: TENANT,
      clientId: 'old',
      clientSecret: 's',
      secretExpiresMs: 1,
    });
    const cases: readonly (readonly [string, number, string, number, Awaited<ReturnType<typeof ask>>])[] = [
      ['tenant', 400, 'invalid_request', 90002, await ask(stand, { ...GOOD, scope }, { tenant: 'other' })],
      ['client', 400, 'unauthorized_client', 700016, await ask(stand, { ...GOOD, scope, client_id: 'x' })],
      ['secret', 401, 'invalid_client', 7000215, await ask(stand, { ...GOOD, scope, client_secret: 'x' })],
      [
        'expired',
        401,
        'invalid_client',
        7000222,
        await ask(stand, { ...GOOD, scope, client_id: 'old', client_secret: 's' }),
      ],
      ['no scope', 400, 'invalid_request', 900144, await ask(stand, GOOD)],
      ['no grant', 400, 'invalid_request', 900144, await ask(stand, { scope })],
      ['scope', 400, 'invalid_scope', 70011, await ask(stand, { ...GOOD, scope: stand.base })],
      ['resource', 400, 'invalid_scope', 70011, await ask(stand, { ...GOOD, scope: 'https://x/.default' })],
      [
        'grant',
        400,
        'unsupported_grant_type',
        70003,
        await ask(stand, { ...GOOD, scope, grant_type: 'password' }),
      ],
      [
        'twice',
        400,
        'invalid_request',
        900144,
        await ask(stand, `${new URLSearchParams({ ...GOOD, scope }).toString()}&client_id=x`),
      ],
    ];
    for (const [name, status, error, code, answer] of cases) {
      expect([name, answer.status, answer.json()]).toMatchObject([
        name,
        status,
        { error, error_codes: [code] },
      ]);
      expect(String(answer.json()['error_description'])).toMatch(new RegExp(`^IDP${code}: `));
      expect(answer.text).not.toContain(SECRET);
    }
    expect(stand.router.identity.status().requests[0]).toMatchObject({ status: 400, code: 900144 });
  });

  test.each([
    'openid profile offline_access {base}/.default',
    '{base}/.default offline_access openid profile email',
  ])('the words of a sign-in beside the resource mean nothing: %s', async (scope) => {
    const stand = await wireStand();
    const said = await ask(stand, { ...GOOD, scope: scope.replace('{base}', stand.base) });
    expect(said.status).toBe(200);
  });

  test('two resources, or only words of a sign-in, are an invalid scope', async () => {
    const stand = await wireStand();
    for (const scope of [`${stand.base}/.default ${stand.base}/.default`, 'openid profile']) {
      expect((await ask(stand, { ...GOOD, scope })).json()).toMatchObject({ error: 'invalid_scope' });
    }
  });

  test('profile dapr takes the management audiences of the real service, the other profile does not', async () => {
    const stand = await wireStand({ profile: 'dapr' });
    for (const audience of ['https://management.azure.com', 'https://management.core.windows.net/']) {
      const authorization = `Bearer ${await stand.token(audience)}`;
      const list = stand.recordPath().replace('/ordersin', '');
      expect((await stand.call('GET', list, { authorization })).status).toBe(200);
    }
    const version1 = new URLSearchParams({ ...GOOD, resource: 'https://management.azure.com/' }).toString();
    const given = await stand.call('POST', `/${TENANT}/oauth2/token`, FORM, version1);
    const authorization = `Bearer ${String(given.json()['access_token'])}`;
    expect((await stand.call('GET', stand.recordPath('nobody'), { authorization })).status).toBe(404);
    const own = await wireStand();
    const refused = await ask(own, { ...GOOD, scope: 'https://management.azure.com/.default' });
    expect(refused.json()).toMatchObject({ error: 'invalid_scope' });
  });

  test('id and secret may come as Basic authentication', async () => {
    const stand = await wireStand();
    const basic = Buffer.from(`${CLIENT}:${encodeURIComponent(SECRET)}`).toString('base64');
    const form = { grant_type: 'client_credentials', scope: `${stand.base}/.default` };
    expect((await ask(stand, form, { headers: { authorization: `Basic ${basic}` } })).status).toBe(200);
  });

  test('version 1 takes a resource, and answers numbers as text', async () => {
    const stand = await wireStand();
    const answer = await ask(stand, { ...GOOD, resource: stand.base }, { path: 'oauth2/token' });
    expect(answer.json()).toMatchObject({ expires_in: '3599', resource: stand.base });
    expect(decodeJwt(String(answer.json()['access_token']))).toMatchObject({
      ver: '1.0',
      appid: CLIENT,
      iss: `${stand.base}/${TENANT}/`,
    });
  });

  test('after ten failures a client has to wait', async () => {
    const stand = await wireStand();
    const scope = `${stand.base}/.default`;
    for (let n = 0; n < 10; n++) await ask(stand, { ...GOOD, scope, client_secret: 'x' });
    const answer = await ask(stand, { ...GOOD, scope });
    expect([answer.status, answer.headers['retry-after']]).toEqual([429, '30']);
  });
});

describe('keys over time', () => {
  test('a new key is published before it signs, and the old one stays until its tokens are over', async () => {
    const clock = new ManualClock();
    const keys = SigningKeys.open({ now: () => clock.now() });
    const published = async (): Promise<(string | undefined)[]> =>
      (await keys.jwks('i')).keys.map(({ kid }) => kid);
    const first = (await keys.current()).kid;
    await keys.rotate(false);
    const [, second] = await published();
    expect((await keys.current()).kid).toBe(first);
    clock.advance(5 * 60_000);
    expect((await keys.current()).kid).toBe(second);
    clock.advance(69 * 60_000);
    expect(await published()).toEqual([first, second]);
    clock.advance(60_000);
    expect(await published()).toEqual([second]);
    clock.advance(31 * 86_400_000);
    expect((await keys.current()).kid).toBe(second);
    expect(await published()).toHaveLength(2);
  });
});

test('F01 a key that is rotated during a hundred deliveries costs none of them', async () => {
  const stand = await wireStand({
    ownKeys: true,
    settings: { delivery: { ...LOCAL_ROUTER_DEFAULTS.delivery, onExhausted: 'drop' } },
  });
  await stand.subscribe();
  const published = (
    await stand.call('GET', `/${TENANT}/discovery/v2.0/keys`)
  ).json() as unknown as JSONWebKeySet;
  // A receiver that read the keys once need not look again for fifteen minutes.
  const keys = createLocalJWKSet(published);
  stand.hook.script.respond = ({ method, headers }, response) => {
    const token = String(headers.authorization).replace('Bearer ', '');
    void jwtVerify(token, keys, { audience: CLIENT }).then(
      () => response.end(),
      () => response.writeHead(method === 'POST' ? 401 : 200).end(),
    );
  };
  const events = Array.from({ length: 50 }, (_, n) => cloudEvent(`a${n}`));
  const batch = { 'content-type': 'application/cloudevents-batch+json' };
  await stand.publish(events, batch);
  await stand.router.identity.rotateKey();
  await stand.publish(events, batch);
  await expect.poll(() => stand.router.status().counts.processed, { timeout: 10_000 }).toBe(100);
  expect(stand.router.identity.status().keys).toHaveLength(2);
});

test('each token fault changes only its own part of the token', async () => {
  const stand = await wireStand();
  await stand.subscribe();
  const tokens = new Map<string, string>();
  for (const kind of TOKEN_FAULTS) {
    stand.router.identity.simulate(kind, 1);
    await stand.publish(cloudEvent(kind));
    await expect.poll(() => stand.hook.events().length).toBe(tokens.size + 1);
    tokens.set(kind, String(stand.hook.events().at(-1)?.headers.authorization).replace('Bearer ', ''));
  }
  const claims = (kind: string): Json => decodeJwt(tokens.get(kind) ?? '');
  const { kid } = decodeProtectedHeader(tokens.get('valid') ?? '');
  expect(tokens.get('none')).toBe('undefined');
  expect(Number(claims('expired')['exp']) * 1000).toBeLessThan(Date.now() - 300_000);
  expect(Number(claims('not-yet-valid')['nbf']) * 1000).toBeGreaterThan(Date.now() + 300_000);
  expect(claims('wrong-audience')['aud']).not.toBe(CLIENT);
  expect(claims('wrong-issuer')['iss']).not.toBe(claims('valid')['iss']);
  expect(claims('wrong-caller')['azp']).not.toBe(claims('valid')['azp']);
  expect(decodeProtectedHeader(tokens.get('unknown-kid') ?? '').kid).not.toBe(kid);
  expect(decodeProtectedHeader(tokens.get('bad-signature') ?? '').kid).toBe(kid);
});

test('J16 no secret and no token stands in a log, a record or a list', async () => {
  const stand = await wireStand();
  await stand.subscribe();
  await stand.publish(cloudEvent());
  await expect.poll(() => stand.hook.events().length).toBe(1);
  const token = String(stand.hook.events()[0]?.headers.authorization).replace('Bearer ', '');
  const { router } = stand;
  const [row] = stand.stored();
  const shown = JSON.stringify([
    stand.logged,
    router.status(),
    router.identity.status(),
    router.topics.list(),
    router.subscriptions.list(),
    router.deliveries.get(row?.deliveryId ?? ''),
  ]);
  for (const secret of [token, SECRET, router.topics.keys('orders').key1])
    expect(shown).not.toContain(secret);
  expect(shown).toContain('***');
});
