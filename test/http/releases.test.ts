/** Differences of the newer release at the HTTP edge, and features that every profile has now. */
import { describe, expect, test } from 'vitest';
import { Refusal } from '../../core/domain/refusal.ts';
import { edgeOf } from './fake-sidecar.ts';

const PUBLISH = '/v1.0/publish/pubsub/orders';
const LIMIT = 64;
const OLDER = ['sidecar', 'dapr'] as const;

describe('metadata of a publish', () => {
  test.each([
    ['dapr', { k: '2', odd: 'x;y', bad: '%zz' }],
    ['dapr-1.18', { k: '1' }],
  ] as const)('is read as the release of profile %s reads it', async (profile, metadata) => {
    const { server, fake } = edgeOf({}, profile);
    const query = 'metadata.k=1&metadata.k=2&metadata.odd=x;y&metadata.bad=%zz';
    await server.inject({ method: 'POST', url: `${PUBLISH}?${query}`, payload: 'x' });
    expect(fake.published[0]?.metadata).toEqual(metadata);
  });
});

describe('baggage', () => {
  test.each([...OLDER, 'dapr-1.18'] as const)(
    'that can be read comes back in profile %s',
    async (profile) => {
      const headers = { baggage: 'k=v;p=1, other=%20x' };
      const answer = await edgeOf({}, profile).server.inject({ method: 'POST', url: PUBLISH, headers });
      expect([answer.statusCode, answer.headers['baggage']]).toEqual([204, headers.baggage]);
    },
  );

  test.each(OLDER)('that is invalid is ignored in profile %s', async (profile) => {
    const headers = { baggage: 'k' };
    const answer = await edgeOf({}, profile).server.inject({ method: 'POST', url: PUBLISH, headers });
    expect([answer.statusCode, answer.headers['baggage']]).toEqual([204, undefined]);
  });

  test('that is invalid is refused by the newer release before the token is checked, but not on a health route', async () => {
    const { server, fake } = edgeOf({ apiToken: 'secret' }, 'dapr-1.18');
    const headers = { baggage: 'k' };
    const answer = await server.inject({ method: 'POST', url: PUBLISH, headers });
    expect([answer.statusCode, answer.body]).toEqual([
      400,
      'invalid baggage header: invalid baggage list-member: "k"\n',
    ]);
    expect(fake.published).toEqual([]);
    expect((await server.inject({ url: '/v1.0/healthz', headers })).statusCode).toBe(204);
  });
});

describe('a body over the limit', () => {
  const big = 'x'.repeat(LIMIT + 1);

  test.each(OLDER)('is refused at once in profile %s', async (profile) => {
    const { server, fake } = edgeOf({ maxBodyBytes: () => LIMIT }, profile);
    const answer = await server.inject({ method: 'POST', url: PUBLISH, payload: big });
    expect([answer.statusCode, fake.published]).toEqual([400, []]);
  });

  test('reaches its route cut to the limit in the newer release', async () => {
    const { server, fake } = edgeOf({ maxBodyBytes: () => LIMIT }, 'dapr-1.18');
    await server.inject({ method: 'POST', url: PUBLISH, payload: big });
    await server.inject({ method: 'POST', url: PUBLISH, payload: 'small' });
    expect(fake.published.map(({ body, isBeginning }) => [body.length, isBeginning])).toEqual([
      [LIMIT, true],
      [5, undefined],
    ]);
  });

  test('a body over the limit of another route is refused with a line of text', async () => {
    const { server } = edgeOf({ maxBodyBytes: () => LIMIT }, 'dapr-1.18');
    const answer = await server.inject({ method: 'PUT', url: '/v1.0/metadata/k', payload: big });
    expect(answer.statusCode).toBe(400);
  });
});

describe('the stable path of bulk publish', () => {
  const bulk = '/v1.0/publish/bulk/pubsub/a/b';

  test.each([...OLDER, 'dapr-1.18'] as const)('publishes in bulk in profile %s', async (profile) => {
    const { server, fake } = edgeOf({}, profile);
    await server.inject({ method: 'PUT', url: bulk, payload: '[]' });
    expect(fake.bulk.map(({ pubsubname, topic }) => [pubsubname, topic])).toEqual([['pubsub', 'a/b']]);
  });

  test('is a single publish to a component named bulk where one is loaded, but not in the newer release', async () => {
    for (const [profile, published] of [
      ['dapr', [['bulk', 'pubsub/a/b']]],
      ['dapr-1.18', []],
    ] as const) {
      const { server, fake } = edgeOf({}, profile);
      fake.pubsubs.push('bulk');
      await server.inject({ method: 'POST', url: bulk, payload: '[]' });
      expect(fake.published.map(({ pubsubname, topic }) => [pubsubname, topic])).toEqual(published);
    }
  });

  test.each([...OLDER, 'dapr-1.18'] as const)(
    'with an empty component name has none in profile %s, and the next segment does not take its place',
    async (profile) => {
      const { server, fake } = edgeOf({}, profile);
      for (const tail of ['//pubsub/t', '//t', '///pubsub//t/', '/x/..//pubsub/t', '/%2F/t', '/+/t'])
        await server.inject({ method: 'POST', url: `/v1.0/publish/bulk${tail}`, payload: '[]' });
      expect(fake.published).toEqual([]);
      expect(fake.bulk.map(({ pubsubname, topic }) => [pubsubname, topic])).toEqual([
        ['', 'pubsub/t'],
        ['', 't'],
        ['', 'pubsub/t'],
        ['', 'pubsub/t'],
        ['', 't'],
        ['', 't'],
      ]);
    },
  );

  test('with an empty place is a topic of a component named bulk where one is loaded', async () => {
    const { server, fake } = edgeOf({}, 'dapr');
    fake.pubsubs.push('bulk');
    await server.inject({ method: 'POST', url: '/v1.0/publish/bulk//pubsub/t', payload: 'x' });
    expect(fake.published.map(({ pubsubname, topic }) => [pubsubname, topic])).toEqual([
      ['bulk', 'pubsub/t'],
    ]);
  });

  test('is reported as it was sent when it is refused, and so is the older path', async () => {
    const paths: string[] = [];
    const onRefused = ({ path }: { readonly path: string }): unknown => paths.push(path);
    const { server, fake } = edgeOf({ onRefused }, 'dapr');
    fake.refuse = new Refusal('ERR_PUBSUB_EMPTY');
    const sent = [
      '/v1.0/publish/bulk//t',
      '//v1.0/publish/bulk/pubsub/t?a=b',
      '/v1.0-alpha1/publish/bulk/pubsub/t',
    ];
    for (const url of sent) await server.inject({ method: 'POST', url, payload: 'not a list' });
    expect(paths).toEqual([
      '/v1.0/publish/bulk//t',
      '/v1.0/publish/bulk/pubsub/t',
      '/v1.0-alpha1/publish/bulk/pubsub/t',
    ]);
    const open = edgeOf({ onRefused, apiToken: 'secret' }, 'dapr').server;
    await open.inject({ method: 'POST', url: '/v1.0/publish/bulk/pubsub/t', payload: '[]' });
    expect(paths.at(-1)).toBe('/v1.0/publish/bulk/pubsub/t');
  });

  test.each([
    ['at once', undefined, 'x'.repeat(101)],
    ['by its route', 'stream too large', 'x'],
    ['for another reason', 'the disk is full', 'x'],
  ])('that is refused %s is reported as too large if it is', async (_, reason, payload) => {
    const told: (boolean | undefined)[] = [];
    const { server, fake } = edgeOf({
      maxBodyBytes: () => 100,
      onRefused: ({ isTooLarge }) => told.push(isTooLarge),
    });
    if (reason !== undefined) fake.refuse = new Refusal('ERR_PUBSUB_PUBLISH_MESSAGE', { reason });
    await server.inject({ method: 'POST', url: '/v1.0/publish/pubsub/t', payload });
    expect(told).toEqual([reason === 'the disk is full' ? undefined : true]);
  });

  test('with one segment is a single publish', async () => {
    const { server, fake } = edgeOf({}, 'dapr-1.18');
    await server.inject({ method: 'POST', url: '/v1.0/publish/bulk/t', payload: 'x' });
    expect(fake.published.map(({ pubsubname, topic }) => [pubsubname, topic])).toEqual([['bulk', 't']]);
  });
});

describe('a preflight', () => {
  const asking = (method: string, headers: string) => ({
    method: 'OPTIONS' as const,
    url: PUBLISH,
    headers: {
      origin: 'http://localhost:5173',
      'access-control-request-method': method,
      'access-control-request-headers': headers,
    },
  });

  test('needs the token only in the older release', async () => {
    for (const [profile, status] of [
      ['dapr', 401],
      ['dapr-1.18', 200],
    ] as const) {
      const { server } = edgeOf({ apiToken: 'secret' }, profile);
      expect((await server.inject(asking('POST', 'content-type'))).statusCode).toBe(status);
    }
  });

  test('for more headers than the release allows gets no permission', async () => {
    for (const [profile, allowed] of [
      ['dapr', undefined],
      ['dapr-1.18', 'X-Own'],
    ] as const) {
      const answer = await edgeOf({}, profile).server.inject(asking('POST', 'X-Own'));
      expect(answer.headers['access-control-allow-headers']).toBe(allowed);
    }
  });

  test('a preflight of a foreign page is refused', async () => {
    const { server } = edgeOf({}, 'dapr-1.18');
    const { headers, ...rest } = asking('POST', '');
    const answer = await server.inject({ ...rest, headers: { ...headers, origin: 'https://evil.test' } });
    expect([answer.statusCode, answer.headers['access-control-allow-origin']]).toEqual([403, undefined]);
  });
});

test('healthz names what is not ready in the newer release', async () => {
  for (const [profile, message] of [
    ['dapr', 'dapr is not ready'],
    ['dapr-1.18', 'dapr is not ready: [runtime]'],
  ] as const) {
    const { server, fake } = edgeOf({}, profile);
    fake.healthy = false;
    expect((await server.inject({ url: '/v1.0/healthz' })).json()).toMatchObject({ message });
  }
});
