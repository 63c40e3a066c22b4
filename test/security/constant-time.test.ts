/** Tokens are compared by the call that takes the same time whatever they are; asserted by the call, not by a clock. */
import crypto from 'node:crypto';
import Fastify from 'fastify';
import { beforeEach, describe, expect, test, vi } from 'vitest';

vi.mock('node:crypto', async (load) => {
  const real = await load<typeof crypto>();
  const timingSafeEqual = vi.fn<typeof crypto.timingSafeEqual>((a, b) => real.timingSafeEqual(a, b));
  return { ...real, timingSafeEqual, default: { ...real, timingSafeEqual } };
});

const { checkToken } = await import('../../core/console/guard.ts');
const { OneTimeLinks } = await import('../../core/console/one-time-links.ts');
const { requireToken } = await import('../../core/http/guard.ts');
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
  test('the console, as bearer and as cookie', () => {
    const facts = { token: TOKEN, port: 3580 };
    const bearer = checkToken({ authorization: `Bearer ${given}` }, facts);
    expect(compared()).toEqual(ONCE);
    compare.mockClear();
    const cookie = checkToken({ cookie: `sidelight-3580=${given}` }, facts);
    expect(compared()).toEqual(ONCE);
    expect([bearer === undefined, cookie === undefined]).toEqual([given === TOKEN, given === TOKEN]);
  });

  test('the sidecar', async () => {
    const app = Fastify();
    requireToken(app, 'dapr-api-token', TOKEN);
    app.get('/', () => 'in');
    const { statusCode } = await app.inject({ url: '/', headers: { 'dapr-api-token': encodeURI(given) } });
    expect(compared()).toEqual(ONCE);
    expect(statusCode).toBe(encodeURI(given) === TOKEN ? 200 : 401);
    await app.close();
  });

  test('a one-time link', () => {
    const desk = new OneTimeLinks(new ManualClock());
    desk.issue(60_000);
    desk.redeem(given);
    expect(compared()).toEqual(ONCE);
  });
});
