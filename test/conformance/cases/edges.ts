/** Empty names and odd escapes in a path, and a foreign Host. Behaviour 1.1 and 7.2. */
import assert from 'node:assert/strict';
import { one } from '../suite/case.ts';
import type { Case } from '../suite/case.ts';
import { accepted, nothingArrives, refused } from '../suite/checks.ts';
import { inventedDelivery, otherDelivery, otherRequest, otherStatus, otherText } from '../suite/spoiler.ts';

/** Ways to write a path in which the name of the component is empty; the tail is a component and a topic. */
const EMPTY = ['', '%2F', '%20', '+'] as const;
const BULK_PATHS = ['/v1.0-alpha1/publish/bulk', '/v1.0/publish/bulk'] as const;

export const edgeCases: readonly Case[] = [
  {
    id: '25c',
    title: 'an empty name before a component and a topic is 404: nothing is published to that topic',
    basis: 'S',
    rows: ['publish.404'],
    subscriptions: one,
    run: async (context) => {
      for (const name of EMPTY) {
        const target = `/v1.0/publish/${name}/${context.component}/${context.topic()}`;
        const answer = await context.sidecar.send(target, { method: 'POST', body: 'hi' });
        assert.equal(answer.status, 404, target);
      }
      await nothingArrives(context);
    },
    spoils: [
      otherStatus(204),
      inventedDelivery,
      otherRequest('the empty name is cleaned away', (request) => ({
        ...request,
        target: request.target.replace('/publish//', '/publish/'),
      })),
    ],
  },
  {
    id: '25d',
    title: 'the same in a bulk publish at both of its paths, and the code says so',
    basis: 'Take',
    rows: ['behaviour 1.1'],
    subscriptions: one,
    run: async (context) => {
      const body = JSON.stringify([{ entryId: 'a', event: 'hi', contentType: 'text/plain' }]);
      for (const name of BULK_PATHS.flatMap((path) => EMPTY.map((empty) => `${path}/${empty}`))) {
        const target = `${name}/${context.component}/${context.topic()}`;
        refused(await context.sidecar.send(target, { method: 'POST', body }), 404, 'ERR_PUBSUB_EMPTY');
      }
      await nothingArrives(context);
    },
    spoils: [otherStatus(204), inventedDelivery, otherText('ERR_PUBSUB_EMPTY', 'ERR_TOPIC_EMPTY')],
  },
  {
    id: '23e',
    title: 'an escape that is no UTF-8 is taken, in path and query; a % without digits in the path is 400',
    basis: 'R',
    rows: ['behaviour 1.1'],
    subscriptions: (own) => [own.subscription('t', { topic: `${own.topic()}*` })],
    run: async (context) => {
      const query = 'metadata.cloudevent.id=%ff';
      accepted(await context.sidecar.publish(`${context.topic()}%ff`, 'hi', { query }));
      const event = await context.event();
      assert.deepEqual([event['topic'], event['id']], [`${context.topic()}\uFFFD`, '\uFFFD']);
      assert.equal((await context.sidecar.publish(`${context.topic()}%zz`, 'hi')).status, 400);
    },
    spoils: [otherStatus(400), otherStatus(204), otherDelivery('\uFFFD', '?')],
  },
  {
    id: '23f',
    title: 'a word of the route with an escape is an unknown path, and nothing is published',
    basis: 'R',
    rows: ['behaviour 1.1'],
    subscriptions: one,
    run: async (context) => {
      const names = `${context.component}/${context.topic()}`;
      for (const route of ['/v1.0/%70ublish', '/%761.0/publish', '/v1.0-alpha1/publish/%62ulk']) {
        const body = JSON.stringify([{ entryId: 'a', event: 'hi', contentType: 'text/plain' }]);
        const answer = await context.sidecar.send(`${route}/${names}`, { method: 'POST', body });
        refused(answer, 404, 'ERR_DIRECT_INVOKE');
      }
      assert.equal((await context.sidecar.send('/v1.0/%68ealthz')).status, 404);
      await nothingArrives(context);
    },
    spoils: [
      otherStatus(204),
      inventedDelivery,
      otherRequest('the escapes are resolved', (request) => ({
        ...request,
        target: request.target.replace('%70', 'p'),
      })),
    ],
  },
  {
    id: '32e',
    title: 'an expectation other than 100-continue is 417 without a body, and nothing is published',
    basis: 'R',
    rows: ['behaviour 1.7'],
    subscriptions: one,
    run: async (context) => {
      const target = `/v1.0/publish/${context.component}/${context.topic()}`;
      const expecting = (expect: string): ReturnType<typeof context.sidecar.send> =>
        context.sidecar.send(target, { method: 'POST', body: 'hi', headers: { expect } });
      const answer = await expecting('the-best');
      assert.deepEqual([answer.status, answer.text], [417, '']);
      await nothingArrives(context);
      accepted(await expecting('100-continue'));
      await context.event();
    },
    spoils: [otherStatus(417), otherStatus(204), inventedDelivery],
  },
  {
    id: '113i',
    title: 'the metadata are not given under a foreign host name',
    basis: 'Take',
    rows: ['behaviour 7.2'],
    run: async (context) => {
      const ask = (host: string): ReturnType<typeof context.sidecar.send> =>
        context.sidecar.send('/v1.0/metadata', { headers: { host } });
      assert.equal((await ask('localhost:3500')).status, 200);
      const answer = await ask('evil.example');
      assert.deepEqual([answer.status, answer.text], [403, 'host evil.example is not allowed\n']);
    },
    spoils: [otherStatus(200), otherStatus(403), otherText('not allowed', 'allowed')],
  },
];
