/** Tokens on the webhook: what is let in, what is not and why, and that it never shows. */
import { CompactSign, base64url } from 'jose';
import { beforeEach, expect, test } from 'vitest';
import type { EventRouterBinding } from '../../core/event-router/binding/binding.ts';
import { passes, rig } from './rig.ts';
import type { Rig, WebhookAnswer } from './rig.ts';
import { signingKeys } from './scripted-router.ts';

const EVENT = '{"specversion":"1.0","id":"e1","source":"s","type":"t"}';

let it: Rig;
let binding: EventRouterBinding;
beforeEach(async () => {
  it = await rig();
  binding = await it.listening();
  await it.reaches(binding, 'ready');
});

const now = (): number => Math.floor(it.clock.now() / 1000);
const post = (token: string): Promise<WebhookAnswer> => it.send({ token, body: EVENT });
const verdict = () => binding.input?.tokens().verdicts[0];

/** Refused with 401, the reason in log and status, nothing at the app. */
async function refused(token: string, reason: string, errorCode: string): Promise<number> {
  expect(await post(token)).toMatchObject({ status: 401, text: '401 Unauthorized' });
  expect(verdict()).toMatchObject({ accepted: false, errorCode });
  expect(verdict()?.reason).toContain(reason);
  expect(it.lines.at(-1)?.text).toContain(
    `Failed to validate JWT in the incoming webhook request: ${reason}`,
  );
  expect(binding.report().input?.received[0]).toMatchObject({ status: 401 });
  return it.events.length;
}

const CLAIM = 'ERR_JWT_CLAIM_VALIDATION_FAILED';

test('J01: a good token passes every check', async () => {
  expect((await post(await it.router.token())).status).toBe(200);
  expect(verdict()).toMatchObject({ accepted: true, reason: 'verified' });
  expect(verdict()?.checks.map(({ check, result }) => `${check} ${result}`)).toEqual([
    'signature ok',
    'iss ok',
    'aud ok',
    'exp ok',
    'nbf ok',
    'tid ok',
    'caller ok',
    'role not-checked',
  ]);
});

test.each([
  ['no header', {}, 'Incoming webhook request does not contain an Authorization header'],
  ['Basic', { authorization: 'Basic abc' }, 'does not contain a valid bearer token'],
  ['one part', { authorization: 'Bearer x' }, 'does not contain a valid bearer token'],
  ['two spaces', { authorization: 'bearer  a.b.c' }, 'does not contain a valid bearer token'],
])('J02: %s is refused', async (_name, headers, text) => {
  expect(await it.send({ body: EVENT, headers })).toMatchObject({ status: 401, text: '401 Unauthorized' });
  expect(it.lines.at(-1)?.text).toContain(text);
  expect(it.events).toEqual([]);
});

test('J03: the word Bearer may be left out', async () => {
  const headers = { authorization: await it.router.token() };
  expect((await it.send({ body: EVENT, headers })).status).toBe(200);
});

test('J04: a wrong audience, issuer or tenant is refused', async () => {
  expect(await refused(await it.router.token({ aud: 'another' }), 'audience mismatch', CLAIM)).toBe(0);
  expect(
    await refused(await it.router.token({ iss: 'https://evil.example/v2.0' }), 'issuer mismatch', CLAIM),
  ).toBe(0);
  expect(await refused(await it.router.token({ tid: 'another' }), 'tenant mismatch', CLAIM)).toBe(0);
  const several = await it.router.token({ aud: ['x', it.metadata['cloudClientId'] ?? ''] });
  expect((await post(several)).status).toBe(200);
});

test('J05: a token expired for less than five minutes is accepted, and one expired for longer is refused', async () => {
  expect((await post(await it.router.token({ exp: now() - 299 }))).status).toBe(200);
  it.events.length = 0;
  expect(await refused(await it.router.token({ exp: now() - 301 }), 'token expired', 'ERR_JWT_EXPIRED')).toBe(
    0,
  );
});

test('J06, F04: a token from the near future is accepted, and the refusal of a later one names the clocks', async () => {
  expect((await post(await it.router.token({ nbf: now() + 299 }))).status).toBe(200);
  it.events.length = 0;
  expect(await refused(await it.router.token({ nbf: now() + 301 }), 'not yet valid', CLAIM)).toBe(0);
  expect(
    await refused(
      await it.router.token({ nbf: now() + 600 }),
      'not yet valid: it begins 10 min from now',
      CLAIM,
    ),
  ).toBe(0);
  expect(verdict()?.reason).toContain('the clocks of the router and of this machine are apart');
  expect(
    await refused(await it.router.token({ iat: now() + 600 }, { without: ['nbf'] }), 'not yet valid', CLAIM),
  ).toBe(0);
});

test('J07: a token without an expiry is refused', async () => {
  expect(await refused(await it.router.token({}, { without: ['exp'] }), 'no expiry', CLAIM)).toBe(0);
});

test('J08: a token with the algorithm none, or HS256 keyed with the published key, is refused', async () => {
  const part = (value: unknown): string => base64url.encode(JSON.stringify(value));
  const claims = { iss: it.router.issuer, aud: it.metadata['cloudClientId'], exp: now() + 600 };
  const none = `${part({ alg: 'none', kid: 'one' })}.${part(claims)}.`;
  expect(await refused(none, 'algorithm refused', 'ERR_JOSE_ALG_NOT_ALLOWED')).toBe(0);
  const [key] = await signingKeys();
  const secret = new TextEncoder().encode(JSON.stringify(key?.jwk));
  const hmac = await new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
    .setProtectedHeader({ alg: 'HS256', kid: 'one' })
    .sign(secret);
  expect(await refused(hmac, 'algorithm refused', 'ERR_JOSE_ALG_NOT_ALLOWED')).toBe(0);
});

test('J09: an unknown key is looked up once, and a second one within 30 s is not', async () => {
  const [one, two, three] = await signingKeys();
  if (one === undefined || two === undefined || three === undefined) throw new Error('no keys');
  const fetches = (): number => it.router.count('GET', '/discovery/');
  const before = fetches();
  it.router.published = [two, one];
  expect((await post(await it.router.token({}, { signedBy: two }))).status).toBe(200);
  expect(fetches()).toBe(before + 1);
  it.events.length = 0;
  expect(
    await refused(
      await it.router.token({}, { signedBy: three }),
      'unknown signing key',
      'ERR_JWKS_NO_MATCHING_KEY',
    ),
  ).toBe(0);
  expect(fetches()).toBe(before + 1);
  it.clock.advance(30_000);
  it.router.published = [three, two];
  expect((await post(await it.router.token({}, { signedBy: three }))).status).toBe(200);
  expect(fetches()).toBe(before + 2);
});

test('J10: a token signed by another key with the same name is refused', async () => {
  const [, two] = await signingKeys();
  if (two === undefined) throw new Error('no key');
  const token = await it.router.token({}, { signedBy: two, kid: 'one' });
  expect(await refused(token, 'bad signature', 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED')).toBe(0);
});

test('a key in the token itself is not used', async () => {
  const [, two] = await signingKeys();
  if (two === undefined) throw new Error('no key');
  const claims = { iss: it.router.issuer, aud: it.metadata['cloudClientId'], exp: now() + 600 };
  const own = await new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
    .setProtectedHeader({
      alg: 'RS256',
      kid: 'one',
      jwk: two.jwk,
    })
    .sign(two.key);
  expect(await refused(own, 'bad signature', 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED')).toBe(0);
});

test('J11: a token of another application is refused, or accepted with a warning if so set', async () => {
  const token = await it.router.token({ azp: 'another-application' });
  expect(await refused(token, 'the caller is another-application', CLAIM)).toBe(0);
  it.rules = { ...it.rules, callerCheck: 'warn' };
  expect((await post(token)).status).toBe(200);
  expect(verdict()?.warnings).toHaveLength(1);
  expect(it.lines.at(-1)).toMatchObject({ level: 'warn' });
  it.rules = { ...it.rules, callerCheck: 'off' };
  expect((await post(token)).status).toBe(200);
  expect(verdict()?.warnings).toEqual([]);
});

test('J12: a token of the older version is accepted if so set', async () => {
  const older = { appid: '4962773b-9cdb-44cf-a8bf-237846a00ab7', ver: '1.0' };
  for (const iss of [
    `${it.router.url}/11111111-1111-4111-8111-111111111111/`,
    'https://sts.windows.net/11111111-1111-4111-8111-111111111111/',
  ]) {
    const token = await it.router.token({ ...older, iss }, { without: ['azp'] });
    it.rules = { ...it.rules, acceptV1Tokens: true };
    expect((await post(token)).status).toBe(200);
    it.events.length = 0;
    it.rules = { ...it.rules, acceptV1Tokens: false };
    expect(await refused(token, 'issuer mismatch', CLAIM)).toBe(0);
  }
});

test('J13: a token without the role is refused if the role is required', async () => {
  it.rules = { ...it.rules, requireRole: true };
  expect(
    await refused(
      await it.router.token({ roles: [] }),
      'the role AzureEventGridSecureWebhookSubscriber is missing',
      CLAIM,
    ),
  ).toBe(0);
  expect((await post(await it.router.token())).status).toBe(200);
});

test('J14: keys that cannot be reached are answered with 503, so that the router tries again', async () => {
  it.clock.advance(16 * 60_000);
  await it.router.stop();
  const answer = await post(await it.router.token());
  expect(answer.status).toBe(503);
  expect(answer.text).toContain('EVR-ID-03');
  expect(verdict()).toMatchObject({ accepted: false, errorCode: 'EVR-ID-03' });
  await it.router.start();
  expect((await post(await it.router.token())).status).toBe(200);
});

test('J15: a token of 20 KiB, or two tokens, are refused', async () => {
  const long = `${'a'.repeat(7000)}.${'b'.repeat(5000)}.${'c'.repeat(2000)}`;
  expect((await it.send({ body: EVENT, headers: { authorization: `Bearer ${long}` } })).status).toBe(401);
  const over = 'a'.repeat(20_000);
  expect([401, 431]).toContain((await it.send({ body: EVENT, token: `${over}.b.c` })).status);
  const good = await it.router.token();
  const twice = await it.send({
    body: EVENT,
    headers: { authorization: [`Bearer ${good}`, `Bearer ${good}`] },
  });
  expect(twice.status).toBe(400);
});

test('J16: no token or secret is in log, status or message', async () => {
  const good = await it.router.token();
  const bad = await it.router.token({ aud: 'x' });
  await post(good);
  await post(bad);
  const seen = JSON.stringify([it.lines, binding.report(), binding.input?.tokens(), it.events, binding]);
  for (const secret of [
    good,
    bad,
    it.metadata['cloudClientSecret'] ?? '',
    it.metadata['accessKey'] ?? '',
    'management-1',
  ])
    expect(seen).not.toContain(secret);
  expect(it.lines.some(({ text }) => text.includes('kid one'))).toBe(true);
});

test('tokens are checked with the present time of this machine', async () => {
  const token = await it.router.token({ exp: now() + 60 });
  expect((await post(token)).status).toBe(200);
  it.clock.advance(400_000);
  await passes(it.clock, () => true);
  it.events.length = 0;
  expect(await refused(token, 'token expired', 'ERR_JWT_EXPIRED')).toBe(0);
});
