/** Tokens are compared by the call that takes the same time whatever they are; asserted by the call, not by a clock. */
import crypto from 'node:crypto';
import Fastify from 'fastify';
import { beforeEach, describe, expect, test, vi } from 'vitest';

vi.mock('node:crypto', async (load) => {
  const real = await load<typeof crypto>();
  const timingSafeEqual = vi.fn<typeof crypto.timingSafeEqual>((a, b) => real.timingSafeEqual(a, b));
  return { ...real, timingSafeEqual, default: { ...real, timingSafeEqual } };
});

const { checkTicket, checkToken } = await import('../../core/console/guard.ts');
const { PageKeys } = await import('../../core/console/page-keys.ts');
const { OneTimeLinks } = await import('../../core/console/one-time-links.ts');
const { requireToken, tokenCheck } = await import('../../core/http/guard.ts');
const { ManualClock } = await import('../support/manual-clock.ts');

const TOKEN = 'x'.repeat(43);
const GIVEN = ['', 'x', `${'x'.repeat(42)}y`, `${TOKEN}x`, 'ü'.repeat(43), TOKEN];
const compare = vi.mocked(crypto.timingSafeEqual);
beforeEach(() => {
  compare.mockClear();
});

/** Lengths of what each comparison was given: digests, whatever the token's length. */
function compared(): number[][] {
  return compare.mock.calls.map((both) => both.map((one) => one.byteLength));
}
const ONCE = [[32, 32]];

describe.each(GIVEN.slice(1))('given %s', (given) => {
  const facts = { token: TOKEN, port: 3580, pages: new PageKeys(TOKEN, new ManualClock()), allowedHosts: [] };

  test('the console compares a bearer token once, as digests', () => {
    const bearer = checkToken({ authorization: `Bearer ${given}` }, facts);
    expect(compared()).toEqual(ONCE);
    expect(bearer === undefined).toBe(given === TOKEN);
  });

  test('the files of the page compare a ticket once, as digests', () => {
    const ticket = given === TOKEN ? facts.pages.ticket : given;
    expect(checkTicket({ cookie: `sidelight-3580=${ticket}` }, facts) === undefined).toBe(given === TOKEN);
    expect(compared()).toEqual(ONCE);
  });

  test('a challenge has its seal and its signature compared as digests', () => {
    const challenge = facts.pages.challenge();
    const key = facts.pages.keyOf('127.0.0.1:3580');
    const right = crypto.createHmac('sha256', key).update(challenge).digest('base64url');
    const signature = given === TOKEN ? right : given;
    expect(facts.pages.proves('127.0.0.1:3580', challenge, signature)).toBe(given === TOKEN);
    expect(compared()).toEqual([...ONCE, ...ONCE]);
  });

  test('the sidecar compares its token once, as digests', async () => {
    const app = Fastify();
    requireToken(app, tokenCheck('dapr-api-token', TOKEN));
    app.get('/', () => 'in');
    const { statusCode } = await app.inject({ url: '/', headers: { 'dapr-api-token': encodeURI(given) } });
    expect(compared()).toEqual(ONCE);
    expect(statusCode).toBe(encodeURI(given) === TOKEN ? 200 : 401);
    await app.close();
  });

  test('a one-time link is compared once, as digests', () => {
    const links = new OneTimeLinks(new ManualClock());
    links.issue(60_000);
    links.redeem(given);
    expect(compared()).toEqual(ONCE);
  });
});
