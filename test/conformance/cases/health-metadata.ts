/** Health, metadata, unknown paths, bindings that are not there. Conformance cases 110 to 118. */
import assert from 'node:assert/strict';
import { one } from '../suite/case.ts';
import type { Case } from '../suite/case.ts';
import { accepted, listOf, objectOf, refused, staysAt } from '../suite/checks.ts';
import { otherHeader, otherRequest, otherStatus, otherText, twice } from '../suite/spoiler.ts';

/** Members of `GET /v1.0/metadata` that are always there. */
const MEMBERS = ['id', 'runtimeVersion', 'components', 'extended', 'appConnectionProperties', 'actorRuntime'];

export const healthAndMetadataCases: readonly Case[] = [
  {
    id: '109a',
    title: 'healthz is 204 once the app channel is there',
    basis: 'S',
    rows: ['health.204', 'versions.v1'],
    run: async (context) => accepted(await context.sidecar.send('/v1.0/healthz')),
    spoils: [otherStatus(200), otherStatus(500)],
  },
  {
    id: '109b',
    title: 'healthz/outbound is 204',
    basis: 'S',
    rows: ['health.outbound.204', 'versions.v1'],
    run: async (context) => accepted(await context.sidecar.send('/v1.0/healthz/outbound')),
    spoils: [otherStatus(200), otherStatus(500)],
  },
  {
    id: '110a',
    title: "healthz?appid= of another app is 500, of one's own 204",
    basis: 'R',
    rows: ['behaviour 7.1'],
    run: async (context) => {
      const body = refused(
        await context.sidecar.send('/v1.0/healthz?appid=other'),
        500,
        'ERR_HEALTH_APPID_NOT_MATCH',
      );
      assert.equal(body['message'], `${context.names.brandWord} app-id does not match`);
      assert.ok(!('details' in body));
      accepted(await context.sidecar.send(`/v1.0/healthz?appid=${context.appId}`));
    },
    spoils: [otherStatus(204), otherText('does not match', 'differs')],
  },
  {
    id: '110b',
    title: 'healthz/{appId} is no route',
    basis: 'R',
    rows: ['behaviour 7.1'],
    run: async (context) =>
      void refused(await context.sidecar.send(`/v1.0/healthz/${context.appId}`), 404, 'ERR_DIRECT_INVOKE'),
    spoils: [otherStatus(204)],
  },
  {
    id: '110c',
    title: 'POST healthz is 404',
    basis: 'R',
    rows: ['behaviour 7.1'],
    run: async (context) =>
      void refused(await context.sidecar.send('/v1.0/healthz', { method: 'POST' }), 404, 'ERR_DIRECT_INVOKE'),
    spoils: [otherStatus(405)],
  },
  {
    id: '111b',
    title: 'metadata: its members, the component, the subscriptions',
    basis: 'R',
    rows: ['behaviour 7.2'],
    subscriptions: (own) => [
      own.subscription('t', {
        routes: { rules: [{ match: 'event.type == "a"', path: own.path('a') }], default: own.path('def') },
        deadLetterTopic: own.topic('dead'),
      }),
    ],
    run: async (context) => {
      const answer = await context.sidecar.send('/v1.0/metadata');
      assert.equal(answer.status, 200);
      assert.match(String(answer.headers['content-type']), /^application\/json/);
      const body = objectOf(answer.json());
      for (const name of MEMBERS) assert.ok(name in body, name);
      assert.equal(body['id'], context.appId);
      assert.equal(typeof objectOf(body['extended'])[context.names.extendedVersionKey], 'string');
      const component = listOf(body['components'])
        .map(objectOf)
        .find((one) => one['name'] === context.component);
      assert.deepEqual(component?.['capabilities'], ['SUBSCRIBE_WILDCARDS']);
      assert.equal(component['type'], 'pubsub.in-memory');
      const mine = listOf(body['subscriptions'])
        .map(objectOf)
        .find((one) => one['topic'] === context.topic());
      assert.equal(mine?.['pubsubname'], context.component);
      assert.equal(mine['deadLetterTopic'], context.topic('dead'));
      assert.deepEqual(mine['rules'], [
        { match: 'event.type == "a"', path: context.path('a') },
        { path: context.path('def') },
      ]);
    },
    spoils: [
      otherStatus(500),
      otherText('"id":', '"name":'),
      otherText('SUBSCRIBE_WILDCARDS', 'NONE'),
      otherText(/"deadLetterTopic"/g, '"dead"'),
      otherHeader('content-type', 'text/plain'),
    ],
  },
  {
    id: '112',
    title: 'PUT metadata/{key} adds an attribute',
    basis: 'R',
    rows: ['behaviour 7.2'],
    run: async (context) => {
      const target = `/v1.0/metadata/${encodeURIComponent(`${context.topic()} key`)}`;
      accepted(await context.sidecar.send(target, { method: 'PUT', body: 'v' }));
      const body = objectOf((await context.sidecar.send('/v1.0/metadata')).json());
      assert.equal(objectOf(body['extended'])[`${context.topic()} key`], 'v');
    },
    spoils: [
      otherStatus(404),
      otherRequest('the value is another on the way', (request) =>
        request.method === 'PUT' ? { ...request, body: Buffer.from('w') } : request,
      ),
    ],
  },
  {
    id: 'x11',
    title: 'a web page of another origin gets 403 and publishes nothing; one of this machine may',
    basis: 'Take',
    rows: ['behaviour 1.7'],
    subscriptions: one,
    run: async (context) => {
      for (const origin of ['https://evil.example', 'null', 'http://localhost.evil.example']) {
        const answer = await context.sidecar.publish(context.topic(), 'foreign', { headers: { origin } });
        assert.equal(answer.status, 403, origin);
      }
      const headers = { origin: 'http://localhost:5173' };
      accepted(await context.sidecar.publish(context.topic(), 'local', { headers }));
      const [only] = await staysAt(context, 1);
      assert.equal(only?.json()['data'], 'local');
    },
    spoils: [otherStatus(204), otherStatus(403), twice],
  },
  ...(
    [
      ['GET', '/v1.0/nowhere'],
      ['POST', '/v2.0/publish/a/b'],
      ['GET', '/'],
      ['POST', '/v1.0-alpha1/publish/pubsub/orders'],
      ['POST', '/V1.0/publish/pubsub/orders'],
      ['GET', '/v1.0/shutdown'],
    ] as const
  ).map(([method, target], at): Case => ({
    id: `115${'abcdef'.charAt(at)}`,
    title: `${method} ${target} is 404 as JSON`,
    basis: at === 4 ? 'S' : 'R',
    rows: at === 4 ? ['publish.case'] : ['behaviour 1.7'],
    run: async (context) => {
      const body = refused(await context.sidecar.send(target, { method }), 404, 'ERR_DIRECT_INVOKE');
      const header = context.names.appIdHeader;
      assert.equal(body['message'], `failed getting app id either from the URL path or the header ${header}`);
    },
    spoils: [otherStatus(405), otherText('ERR_DIRECT_INVOKE', 'ERR_OTHER'), otherText('failed', 'was')],
  })),
  ...(
    [
      ['missing operation', '{"data":1}', 500, 'operation field is missing from request'],
      ['empty operation', '{"operation":"","data":1}', 500, 'operation field is missing from request'],
      ['unknown binding', '{"operation":"create"}', 500, "couldn't find output binding nope"],
    ] as const
  ).map(([title, body, status, reason], at): Case => ({
    id: `118${'abc'.charAt(at)}`,
    title: `binding with ${title}: ${status}`,
    basis: 'R',
    rows: ['behaviour 8.1'],
    run: async (context) => {
      const answer = await context.sidecar.send('/v1.0/bindings/nope', { method: 'POST', body });
      const error = refused(answer, status, 'ERR_INVOKE_OUTPUT_BINDING');
      assert.equal(error['message'], `error invoking output binding nope: ${reason}`);
    },
    spoils: [otherStatus(404), otherText('nope', 'other')],
  })),
  ...(['', 'not json', '[1]', '{"operation":1}', '{"operation":"create","metadata":{"a":1}}'] as const).map(
    (body, at): Case => ({
      id: `118${'defgh'.charAt(at)}`,
      title: `binding with body ${JSON.stringify(body)}: 400`,
      basis: 'R',
      rows: ['behaviour 8.1'],
      run: async (context) => {
        const answer = await context.sidecar.send('/v1.0/bindings/nope', { method: 'PUT', body });
        const error = refused(answer, 400, 'ERR_MALFORMED_REQUEST');
        assert.match(String(error['message']), /^failed deserializing HTTP body: /);
      },
      spoils: [otherStatus(500), otherText('MALFORMED', 'OTHER')],
    }),
  ),
];
