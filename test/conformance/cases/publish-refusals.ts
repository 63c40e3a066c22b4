/** Paths, refusals and limits of single publish. Conformance cases 23 to 33. */
import assert from 'node:assert/strict';
import { one } from '../suite/case.ts';
import type { Case } from '../suite/case.ts';
import {
  accepted,
  checkDetails,
  delivered,
  listOf,
  nothingArrives,
  objectOf,
  refused,
} from '../suite/checks.ts';
import {
  inventedDelivery,
  lost,
  otherDelivery,
  otherHeader,
  otherPath,
  otherRequest,
  otherStatus,
  otherText,
  queryLost,
} from '../suite/spoiler.ts';

const LIMIT = 4_194_304;

export const publishRefusalCases: readonly Case[] = [
  {
    id: '23a',
    title: 'a topic may hold slashes',
    basis: 'R',
    rows: ['behaviour 1.1', 'publish.route'],
    subscriptions: (own) => [own.subscription('t', { topic: `${own.topic()}/b/c` })],
    run: async (context) => {
      accepted(await context.sidecar.publish(`${context.topic()}/b/c`, 'hi'));
      assert.equal((await context.event())['topic'], `${context.topic()}/b/c`);
    },
    spoils: [otherStatus(404), otherDelivery('/b/c', '/b')],
  },
  {
    id: '23b',
    title: 'an escaped slash is one too',
    basis: 'R',
    rows: ['behaviour 1.1'],
    subscriptions: (own) => [own.subscription('t', { topic: `${own.topic()}/b` })],
    run: async (context) => {
      accepted(await context.sidecar.publish(`${context.topic()}%2Fb`, 'hi'));
      assert.equal((await context.event())['topic'], `${context.topic()}/b`);
    },
    spoils: [otherStatus(404), otherDelivery('/b', '%2Fb')],
  },
  {
    id: '23c',
    title: 'a trailing slash and a doubled slash are cleaned away',
    basis: 'R',
    rows: ['behaviour 1.1'],
    subscriptions: (own) => [own.subscription('t', { topic: `${own.topic()}/b` })],
    run: async (context) => {
      accepted(await context.sidecar.publish(`${context.topic()}//b/`, 'hi'));
      assert.equal((await context.event())['topic'], `${context.topic()}/b`);
    },
    spoils: [otherStatus(404), lost],
  },
  {
    id: '23d',
    title: 'topics are case-sensitive',
    basis: 'S',
    rows: ['publish.case'],
    subscriptions: one,
    run: async (context) => {
      accepted(await context.sidecar.publish(context.topic().toUpperCase(), 'hi'));
      await nothingArrives(context);
    },
    spoils: [
      otherRequest('the topic arrives in lower case', (request) => ({
        ...request,
        target: request.target.toLowerCase(),
      })),
    ],
  },
  ...(['', '/'] as const).map((tail, at): Case => ({
    id: `24${'ab'.charAt(at)}`,
    title: `no topic in the path (…/pubsub${tail}) is 404`,
    basis: 'S',
    rows: ['publish.404'],
    run: async (context) => {
      const answer = await context.sidecar.send(`/v1.0/publish/${context.component}${tail}`, {
        method: 'POST',
        body: 'hi',
      });
      assert.equal(answer.status, 404);
      assert.equal(typeof objectOf(answer.json())['errorCode'], 'string');
    },
    spoils: [otherStatus(204), otherText('"errorCode"', '"code"')],
  })),
  {
    id: '24c',
    title: 'no topic: the code says so',
    basis: 'Take',
    rows: ['publish.404', 'behaviour 1.6'],
    run: async (context) => {
      const answer = await context.sidecar.send(`/v1.0/publish/${context.component}?metadata.k=v`, {
        method: 'POST',
        body: 'hi',
      });
      const { isNewer } = context.names;
      const body = refused(answer, 404, isNewer ? 'ERR_TOPIC_NAME_EMPTY' : 'ERR_TOPIC_EMPTY');
      assert.equal(body['message'], `topic is empty in pubsub ${context.component}`);
      checkDetails(context, body, isNewer ? 'TOPIC_NAME_EMPTY' : 'TOPICNAME_EMPTY', { k: 'v' });
    },
    spoils: [
      otherText(/ERR_TOPIC_\w+/, 'ERR_DIRECT_INVOKE'),
      otherText(/TOPIC_?NAME_EMPTY"\}/, 'X"}'),
      queryLost,
    ],
  },
  {
    id: '25a',
    title: 'no component in the path is 404',
    basis: 'S',
    rows: ['publish.404'],
    run: async (context) => {
      for (const path of ['/v1.0/publish//orders', '/v1.0/publish/', '/v1.0/publish']) {
        const answer = await context.sidecar.send(path, { method: 'POST', body: 'hi' });
        assert.equal(answer.status, 404, path);
      }
    },
    spoils: [otherStatus(204)],
  },
  {
    id: '25b',
    title: 'no component: the code says so',
    basis: 'Take',
    rows: ['publish.404', 'behaviour 1.6'],
    run: async (context) => {
      const answer = await context.sidecar.send('/v1.0/publish', { method: 'POST', body: 'hi' });
      assert.equal(refused(answer, 404, 'ERR_PUBSUB_EMPTY')['message'], 'pubsub name is empty');
    },
    spoils: [otherText('ERR_PUBSUB_EMPTY', 'ERR_DIRECT_INVOKE'), otherText('is empty', 'is missing')],
  },
  {
    id: '26',
    title: 'an unknown component is 404, with one detail',
    basis: 'R',
    rows: ['behaviour 1.6'],
    run: async (context) => {
      const answer = await context.sidecar.publish(`${context.topic()}?metadata.k=v`, 'hi', {
        component: 'nope',
      });
      const body = refused(answer, 404, 'ERR_PUBSUB_NOT_FOUND');
      assert.equal(body['message'], 'pubsub nope is not found');
      assert.deepEqual(listOf(body['details']), [
        {
          '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
          domain: context.names.errorDomain,
          metadata: { k: 'v' },
          reason: `${context.names.reasonPrefix}NOT_FOUND`,
        },
      ]);
      assert.deepEqual(Object.keys(body), ['errorCode', 'message', 'details']);
    },
    spoils: [otherStatus(400), otherText('not found', 'gone'), otherText('"details":[', '"details":[{},')],
  },
  {
    id: '27',
    title: 'a component name in another letter case is unknown',
    basis: 'S',
    rows: ['publish.case'],
    run: async (context) => {
      const component = context.component.toUpperCase();
      refused(
        await context.sidecar.publish(context.topic(), 'hi', { component }),
        404,
        'ERR_PUBSUB_NOT_FOUND',
      );
    },
    spoils: [otherStatus(204)],
  },
  {
    id: '30a',
    title: `a body of exactly ${LIMIT} bytes is taken`,
    basis: 'R',
    rows: ['behaviour 1.7'],
    subscriptions: one,
    run: async (context) => {
      const event = await delivered(context, 'x'.repeat(LIMIT));
      assert.equal(String(event['data']).length, LIMIT);
    },
    spoils: [otherStatus(400), otherDelivery('xx', 'x')],
  },
  {
    id: '30b',
    title: 'one byte more is 400 as plain text',
    profiles: ['sidecar', 'dapr'],
    basis: 'R',
    rows: ['behaviour 1.7'],
    subscriptions: one,
    run: async (context) => {
      const answer = await context.sidecar.publish(context.topic(), 'x'.repeat(LIMIT + 1));
      assert.equal(answer.status, 400);
      assert.match(String(answer.headers['content-type']), /^text\/plain/);
      assert.equal(answer.text, 'error reading request body: stream too large\n');
      await nothingArrives(context);
    },
    spoils: [otherStatus(413), otherHeader('content-type', 'application/json'), inventedDelivery],
  },
  {
    id: '31a',
    title: 'rawPayload that is no boolean is 400',
    basis: 'R',
    rows: ['behaviour 1.6', 'publish.metadata.rawPayload'],
    subscriptions: one,
    run: async (context) => {
      const answer = await context.sidecar.publish(context.topic(), 'hi', {
        query: 'metadata.rawPayload=maybe',
      });
      const body = refused(answer, 400, 'ERR_PUBSUB_REQUEST_METADATA');
      assert.equal(
        body['message'],
        "failed deserializing metadata. Error: rawPayload value must be a valid boolean: actual is 'maybe'",
      );
      checkDetails(context, body, 'METADATA_DESERIALIZATION', { rawPayload: 'maybe' });
      await nothingArrives(context);
    },
    spoils: [otherStatus(204), otherText('maybe', 'perhaps'), inventedDelivery],
  },
  ...(['1', 'T', 'TRUE', 'true'] as const).map((value, at): Case => ({
    id: `31${'bcde'.charAt(at)}`,
    title: `rawPayload=${value} publishes without an envelope`,
    basis: value === 'true' ? 'S' : 'R',
    rows: ['publish.metadata.rawPayload', 'behaviour 2.2'],
    subscriptions: one,
    run: async (context) => {
      const body = '{"any":"object"}';
      accepted(
        await context.sidecar.publish(context.topic(), body, { query: `metadata.rawPayload=${value}` }),
      );
      assert.equal((await context.arrive())[0]?.text, body);
    },
    spoils: [queryLost, otherDelivery('{', '{"specversion":"1.0",')],
  })),
  ...(['', 'false', '0', 'F'] as const).map((value, at): Case => ({
    id: `31${'fghi'.charAt(at)}`,
    title: `rawPayload=${value} wraps`,
    basis: value === 'false' ? 'S' : 'R',
    rows: ['publish.metadata.rawPayload', 'behaviour 2.2'],
    subscriptions: one,
    run: async (context) => {
      const event = await delivered(context, '{"any":"object"}', {
        contentType: 'application/json',
        query: `metadata.rawPayload=${value}`,
      });
      assert.deepEqual(event['data'], { any: 'object' });
    },
    spoils: [
      otherRequest('rawPayload is true on the way', (request) => ({
        ...request,
        target: request.target.replace(/rawPayload=.*/, 'rawPayload=true'),
      })),
    ],
  })),
  {
    id: '32',
    title: 'a bare question mark at the end is no harm',
    basis: 'R',
    rows: ['behaviour 1.1'],
    subscriptions: one,
    run: async (context) => {
      accepted(await context.sidecar.publish(`${context.topic()}?`, 'hi'));
      await context.event();
    },
    spoils: [otherStatus(404), otherPath],
  },
  {
    id: '33a',
    title: '1,000 publishes at once to one topic: all 204, none lost',
    basis: 'S',
    rows: ['publish.at-least-once', 'publish.204'],
    subscriptions: one,
    run: async (context) => {
      const answers = await Promise.all(
        Array.from({ length: 1_000 }, async (_, n) => context.sidecar.publish(context.topic(), `n${n}`)),
      );
      assert.ok(answers.every((answer) => answer.status === 204));
      const came = (await context.arrive(1_000)).map((delivery) => delivery.json()['data']);
      assert.equal(new Set(came).size, 1_000);
    },
    spoils: [
      otherDelivery('"n7"', '"n8"'),
      {
        name: 'one publish in a thousand is answered 503',
        answer: (answer, request) =>
          request.body.toString() === 'n500' ? { ...answer, status: 503 } : answer,
      },
    ],
  },
];
