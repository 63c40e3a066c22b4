/** Credentials to publish to a topic: keys, signature tokens, bearer tokens (T01 to T06). */
import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { CLIENT, KEY, cloudEvent, wireStand } from './wire-stand.ts';
import type { WireStand } from './wire-stand.ts';

const PATH = '/topics/orders/api/events';

function sign(text: string, key = KEY): string {
  return createHmac('sha256', Buffer.from(key, 'base64')).update(text).digest('base64');
}

/** Escapes text as the .NET client does: lower-case escapes, a plus for a space. */
function dotNet(resource: string, expiry: string): string {
  const encode = (text: string): string =>
    encodeURIComponent(text)
      .replaceAll(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase())
      .replaceAll('%20', '+');
  const text = `r=${encode(resource)}&e=${encode(expiry)}`;
  return `${text}&s=${encode(sign(text))}`;
}

function javaScript(resource: string, expiry: string, key = KEY): string {
  const text = `r=${encodeURIComponent(resource)}&e=${encodeURIComponent(expiry)}`;
  return `${text}&s=${encodeURIComponent(sign(text, key))}`;
}

async function publishWith(
  stand: WireStand,
  headers: Readonly<Record<string, string>>,
  path = PATH,
): Promise<number> {
  const type = { 'content-type': 'application/cloudevents+json' };
  const { status } = await stand.call('POST', path, { ...type, ...headers }, JSON.stringify(cloudEvent()));
  return status;
}

describe('credentials', () => {
  test('T01, T02 a key in header or query is accepted, and a wrong one is refused', async () => {
    const stand = await wireStand();
    const { key2 } = stand.router.topics.keys('orders');
    const query = (key: string): string => `${PATH}?aeg-sas-key=${encodeURIComponent(key)}`;
    const ok = await stand.publish(cloudEvent());
    expect([ok.status, ok.text]).toEqual([200, '']);
    expect(await publishWith(stand, {}, query(KEY))).toBe(200);
    expect(await publishWith(stand, { 'aeg-sas-key': key2 })).toBe(200);
    expect(await publishWith(stand, {})).toBe(401);
    expect(await publishWith(stand, { 'aeg-sas-key': 'wrong' })).toBe(401);
    expect(await publishWith(stand, { 'aeg-sas-key': `${KEY}x` })).toBe(401);
    expect(await publishWith(stand, { 'aeg-sas-key': 'wrong' }, query(KEY))).toBe(401);
    const refused = await stand.call('POST', PATH, { 'aeg-sas-key': 'wrong' }, '{}');
    expect(refused.json()).toMatchObject({ error: { code: 'Unauthorized' } });
    expect(refused.text).not.toContain('wrong"');
  });

  test('T03, T04 signature tokens in three forms are accepted, and refused if expired, changed or for another address', async () => {
    const stand = await wireStand();
    const resource = `${stand.base}${PATH}?apiVersion=2018-01-01`;
    const later = new Date(Date.now() + 3_600_000).toISOString();
    const us = '1/2/2090 3:04:05 PM';
    const sas = (token: string) => publishWith(stand, { 'aeg-sas-token': token });
    expect(await sas(javaScript(resource, us))).toBe(200);
    expect(await sas(dotNet(resource, us))).toBe(200);
    expect(await sas(javaScript(resource, later))).toBe(200);
    expect(await sas(javaScript(resource, later.replace('Z', '')))).toBe(200);
    expect(await sas(stand.router.topics.sas('orders', Date.now() + 60_000))).toBe(200);
    expect(
      await publishWith(stand, { authorization: `SharedAccessSignature ${javaScript(resource, us)}` }),
    ).toBe(200);
    expect(await sas(javaScript(resource, '1/2/2020 3:04:05 PM'))).toBe(401);
    expect(await sas(javaScript(resource, 'soon'))).toBe(401);
    expect(await sas(javaScript(resource, us).replace(/&s=...../, '&s=AAAAA'))).toBe(401);
    expect(await sas(javaScript(resource.replace('orders', 'others'), us))).toBe(401);
    expect(await sas(javaScript(resource, us, Buffer.alloc(32, 'x').toString('base64')))).toBe(401);
    expect(await sas('nonsense')).toBe(401);
  });

  test('T05 a bearer token for publishing is accepted, and one for something else is refused', async () => {
    const stand = await wireStand();
    const bearer = async (audience?: string) => ({ authorization: `Bearer ${await stand.token(audience)}` });
    expect(await publishWith(stand, await bearer('https://eventgrid.azure.net'))).toBe(200);
    expect(await publishWith(stand, await bearer())).toBe(401);
  });

  test('T05 with rbac: enforce the sender needs its role', async () => {
    const stand = await wireStand({ settings: { rbac: 'enforce' } });
    const authorization = `Bearer ${await stand.token('https://eventgrid.azure.net')}`;
    expect(await publishWith(stand, { authorization })).toBe(403);
    await stand.router.identity.grant(CLIENT, 'data-sender', stand.scope);
    expect(await publishWith(stand, { authorization })).toBe(200);
  });

  test('T06 disableLocalAuth refuses keys; a disabled topic refuses everyone', async () => {
    const stand = await wireStand();
    const topic = `${stand.scope}?api-version=2022-06-15`;
    await stand.manage('PATCH', topic, { properties: { disableLocalAuth: true } });
    expect((await stand.publish(cloudEvent())).status).toBe(401);
    await stand.manage('PATCH', topic, { properties: { disableLocalAuth: false } });
    await stand.router.topics.setDisabled('orders', true);
    expect((await stand.publish(cloudEvent())).status).toBe(403);
  });
});
