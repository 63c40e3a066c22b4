/** The mock app over real HTTP: discovery, health, plain answers, and what kind of request it sees. */
import { describe, expect, test } from 'vitest';

import { systemClock } from '../../core/adapters/system-clock.ts';
import type { Answer, BulkStatuses } from '../../core/contract/mock-app.ts';
import { PROFILES } from '../../core/contract/profile.ts';
import { firstSubscriptions } from '../../core/mock-app/server.ts';
import type { AppChannel } from '../../core/ports/app-channel.ts';
import type { MockApp } from '../../core/ports/mock-app.ts';
import { batch, channelToMock, openMockApp, responseOf, send, single } from '../support/mock-app-parts.ts';
import { answersOf, rawRequest } from '../support/raw-request.ts';
import type { Sending } from '../support/mock-app-parts.ts';

async function oneRule(answer: Answer): Promise<{ app: MockApp; channel: AppChannel }> {
  const app = await openMockApp({
    rules: [{ ruleId: 'r', name: 'the rule', enabled: true, match: {}, answer }],
  });
  return { app, channel: channelToMock(app) };
}

test.each(['/v1.0/publish/pubsub/orders?metadata.ttlInSeconds=5', '/v1.0-alpha1/publish/bulk/pubsub/orders'])(
  'a publish that comes to the mock app is told where the sidecar is: %s',
  async (path) => {
    const app = await openMockApp();
    app.onPublish?.(() => 'The sidecar is at http://127.0.0.1:3500.');
    const answer = await fetch(`${app.url}${path}`, { method: 'POST', body: '{}' });
    expect(answer.status).toBe(404);
    expect(await answer.json()).toEqual({ message: 'The sidecar is at http://127.0.0.1:3500.' });
    const other = await fetch(`${app.url}/v1.0/published`, { method: 'POST', body: '{}' });
    expect(other.status).toBe(200);
  },
);

test('a rule answers a publish that comes to the mock app, and without a sidecar it is answered like any call', async () => {
  const { app } = await oneRule({ kind: 'respond', status: 201 });
  app.onPublish?.(() => 'never said');
  const at = `${app.url}/v1.0/publish/pubsub/orders`;
  expect((await fetch(at, { method: 'POST' })).status).toBe(201);
  const alone = await openMockApp();
  expect((await fetch(`${alone.url}/v1.0/publish/pubsub/orders`, { method: 'POST' })).status).toBe(200);
});

test('requests whose JSON nests thousands of lists are answered', async () => {
  const answer = { kind: 'respond', status: 201 } as const;
  const app = await openMockApp({ rules: [{ enabled: true, match: { filter: 'data.n:1' }, answer }] });
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  const post = (body: string): Promise<Response> => fetch(`${app.url}/orders`, { method: 'POST', body });
  expect((await post(`{"specversion":"1.0","id":"1","data":${deep}}`)).status).toBe(200);
  expect((await post(`{"specversion":"1.0","data":${deep}}`)).status).toBe(200);
  const batch = await post(`{"entries":[{"entryId":"1","event":{"id":"1","data":${deep}}}]}`);
  expect(batch.status).toBe(500);
  const text = 'The mock app cannot apply its rules to this request: its JSON nests too deeply.';
  expect(await batch.text()).toBe(text);
  expect(app.state().requests.at(-1)).toMatchObject({ status: 500, note: text });
});

describe('discovery and health', () => {
  test.each([
    ['sidecar', '/sidecar/subscribe', '/dapr/subscribe'],
    ['dapr', '/dapr/subscribe', '/sidecar/subscribe'],
  ] as const)('profile %s answers %s, not %s', async (profile, path, other) => {
    const subscriptions = firstSubscriptions('pubsub');
    const app = await openMockApp({ profile: PROFILES[profile], subscriptions });
    const channel = channelToMock(app);
    const answer = responseOf(await channel.get(path, {}, 5000));
    expect(answer).toMatchObject({
      status: 200,
      headers: { 'content-type': expect.stringContaining('application/json') },
    });
    expect(JSON.parse(answer.text)).toEqual([
      { pubsubname: 'pubsub', topic: 'orders', routes: { default: '/orders' } },
    ]);
    expect(responseOf(await channel.get(other, {}, 5000)).status).toBe(404);
  });

  test('an unreadable request for subscriptions is answered once', async () => {
    const app = await openMockApp();
    const head = 'GET /sidecar/subscribe HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
    const got = await rawRequest(Number(new URL(app.url).port), head, 'zz\r\n\r\n');
    expect(answersOf(got).map(({ status }) => status)).toHaveLength(1);
  });

  test('without a component there are no first subscriptions', () => {
    expect(firstSubscriptions(undefined)).toEqual([]);
  });

  test('subscriptions are served as set, and a later change of the given list has no effect', async () => {
    const app = await openMockApp();
    const given = [{ pubsubname: 'p', topic: 't', route: '/a', metadata: { rawPayload: 'true' } }];
    app.setSubscriptions(given);
    given[0] = { pubsubname: 'x', topic: 'x', route: '/x', metadata: { rawPayload: 'false' } };
    const served = responseOf(await channelToMock(app).get('/sidecar/subscribe', {}, 5000)).text;
    expect(JSON.parse(served)).toEqual([
      { pubsubname: 'p', topic: 't', route: '/a', metadata: { rawPayload: 'true' } },
    ]);
    expect(app.state().subscriptions).toEqual(JSON.parse(served));
  });

  test('the health path of the setting is answered with 200, and other requests without POST with 404', async () => {
    let path = '/healthz';
    const app = await openMockApp({ healthPath: () => path });
    const channel = channelToMock(app);
    expect(responseOf(await channel.get('/healthz', {}, 5000)).status).toBe(200);
    path = '/live';
    expect(responseOf(await channel.get('/live?x=1', {}, 5000)).status).toBe(200);
    for (const other of ['/healthz', '/', '/dapr/config', '/a%zz']) {
      expect(responseOf(await channel.get(other, {}, 5000)).status).toBe(404);
    }
  });

  test('the probe of a binding is answered with 200, or with 404 if a rule for its route says so', async () => {
    const app = await openMockApp({
      rules: [{ enabled: true, match: { route: '/no' }, answer: { kind: 'respond', status: 404 } }],
    });
    const channel = channelToMock(app);
    const probe = async (path: string): Promise<number> =>
      responseOf(await channel.deliver({ method: 'OPTIONS', path, headers: {}, body: '' }).answer).status;
    expect([await probe('/yes'), await probe('/no')]).toEqual([200, 404]);
  });
});

describe('respond', () => {
  test.each<[string, Extract<Answer, { kind: 'respond' }>, string, string | undefined]>([
    [
      'a string as it is',
      { kind: 'respond', status: 200, body: '{bad' },
      '{bad',
      'text/plain; charset=utf-8',
    ],
    [
      'an object as JSON',
      { kind: 'respond', status: 200, body: { a: 'ü' } },
      '{"a":"ü"}',
      'application/json',
    ],
    ['null as JSON', { kind: 'respond', status: 200, body: null }, 'null', 'application/json'],
    ['nothing', { kind: 'respond', status: 200 }, '', undefined],
    [
      'its own content type',
      { kind: 'respond', status: 200, headers: { 'Content-Type': 'a/b' }, body: 'x' },
      'x',
      'a/b',
    ],
    ['a body with 204', { kind: 'respond', status: 204, body: 'x' }, '', 'text/plain; charset=utf-8'],
  ])('an answer of %s has its text and content type', async (_name, answer, text, type) => {
    const { channel } = await oneRule(answer);
    const got = responseOf(await send(channel, single()).answer);
    expect(got.status).toBe(answer.status);
    expect(got.text).toBe(text);
    expect(got.headers['content-type']).toBe(type);
  });

  test.each([
    [250, 250],
    [[100, 300] as const, 200],
  ])('delay %j waits %i ms', async (delayMs, expected) => {
    const due: number[] = [];
    const clock = systemClock();
    const app = await openMockApp({
      clock: {
        ...clock,
        at: (dueMs, run) => {
          due.push(dueMs - clock.now());
          return clock.at(0, run);
        },
      },
      random: { next: () => 0.5 },
      rules: [{ enabled: true, match: {}, answer: { kind: 'respond', status: 201, delayMs } }],
    });
    expect(responseOf(await send(channelToMock(app), single()).answer).status).toBe(201);
    expect(Math.round((due[0] ?? 0) / 50) * 50).toBe(expected);
  });

  test.each<[BulkStatuses, unknown]>([
    [{ '#2': 'DROP' }, [{ entryId: 'b', status: 'DROP' }]],
    [
      { '*': 'RETRY', a: 'SUCCESS' },
      [
        { entryId: 'a', status: 'SUCCESS' },
        { entryId: 'b', status: 'RETRY' },
      ],
    ],
    [{ '*': 'SUCCESS', '#1': null }, [{ entryId: 'b', status: 'SUCCESS' }]],
    [{ a: 'DROP', '#1': 'SUCCESS' }, [{ entryId: 'a', status: 'DROP' }]],
    [{ '#9': 'DROP' }, []],
  ])('the statuses %j answer the entries of a batch', async (statuses, expected) => {
    const { channel } = await oneRule({ kind: 'respond-bulk', status: 200, statuses });
    const { text } = responseOf(await send(channel, batch(['a', 'b'])).answer);
    expect(JSON.parse(text)).toEqual({ statuses: expected });
  });
});

describe('kinds of requests', () => {
  const cloudEvent = 'application/cloudevents+json';
  test.each<[string, Sending, string]>([
    ['a delivery', single(), 'delivery'],
    ['a batch', batch(['a']), 'bulk'],
    [
      'raw JSON that looks like a batch',
      { body: '{"entries":[{"entryId":"a"}]}', headers: { 'content-type': cloudEvent, pubsubname: 'p' } },
      'delivery',
    ],
    ['entries without ids', { body: '{"entries":[{}]}', headers: { pubsubname: 'p' } }, 'delivery'],
    ['bytes', { body: '\u0000\u00ff', headers: { 'content-type': cloudEvent, pubsubname: 'p' } }, 'delivery'],
    ['no body', { body: '', headers: { pubsubname: 'p' } }, 'delivery'],
    [
      'the event of a binding',
      { body: '{"a":1}', headers: { 'content-type': 'application/json' } },
      'binding',
    ],
    ['a person’s own CloudEvent', { body: '{"specversion":"1.0"}', headers: {} }, 'delivery'],
    ['an odd content type', { body: 'x', headers: { 'content-type': 'nonsense' } }, 'binding'],
  ])('%s is recorded with its kind', async (_name, sending, kind) => {
    const app = await openMockApp();
    const { status } = responseOf(await send(channelToMock(app), sending).answer);
    expect(status).toBe(200);
    expect(app.state().requests[0]).toMatchObject({ method: 'POST', path: '/orders', kind, status: 200 });
    expect(app.state().defaultHits).toBe(1);
  });
});
