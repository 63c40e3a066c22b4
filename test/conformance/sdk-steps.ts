/** Steps with the stock JavaScript SDK: conformance case 131, in parts. */
import assert from 'node:assert/strict';
import type { ConformanceApp } from './suite/app.ts';

export type Sdk = typeof import('@dapr/dapr');

/** Events of the app's callbacks, by topic. */
export type Received = ReadonlyMap<string, unknown[]>;

export interface SdkApp {
  readonly sdk: Sdk;
  readonly server: InstanceType<Sdk['DaprServer']>;
  readonly received: Received;
  /** Where the output binding sends to. */
  readonly endpoint: ConformanceApp;
  /** Resolves once so many were received on a topic; with all of them. */
  readonly got: (topic: string, count: number) => Promise<readonly unknown[]>;
}

export interface SdkStep {
  readonly id: string;
  readonly title: string;
  readonly run: (app: SdkApp) => Promise<void>;
}

export const SDK_STEPS: readonly SdkStep[] = [
  {
    id: '131a',
    title: 'publish an object, receive it',
    run: async ({ server, got }) => {
      const { error } = await server.client.pubsub.publish('pubsub', 'orders', { n: 1 });
      assert.equal(error, undefined);
      assert.deepEqual(await got('orders', 1), [{ n: 1 }]);
    },
  },
  {
    id: '131b',
    title: 'publish a text, receive it',
    run: async ({ server, got }) => {
      await server.client.pubsub.publish('pubsub', 'texts', 'hi');
      assert.deepEqual(await got('texts', 1), ['hi']);
    },
  },
  {
    id: '131c',
    title: 'publish a CloudEvent of its own, receive its data',
    run: async ({ server, got }) => {
      const event = { id: 'own', source: '/s', type: 't', specversion: '1.0', data: { own: true } };
      await server.client.pubsub.publish('pubsub', 'events', event);
      assert.deepEqual(await got('events', 1), [{ own: true }]);
    },
  },
  {
    id: '131d',
    title: 'a callback that returns RETRY is called again',
    run: async ({ server, got }) => {
      await server.client.pubsub.publish('pubsub', 'retried', 'again');
      assert.deepEqual(await got('retried', 2), ['again', 'again']);
    },
  },
  {
    id: '131e',
    title: 'bulk publish: nothing failed, every message received',
    run: async ({ server, got }) => {
      const { failedMessages } = await server.client.pubsub.publishBulk('pubsub', 'bulk', [
        'a',
        { b: 1 },
        'c',
      ]);
      assert.deepEqual(failedMessages, []);
      const seen = (await got('bulk', 3)).map((data) => JSON.stringify(data)).toSorted();
      assert.deepEqual(seen, ['"a"', '"c"', '{"b":1}']);
    },
  },
  {
    id: '131f',
    title: 'bulk subscribe: every message received',
    run: async ({ server, got }) => {
      for (const data of ['x', 'y', 'z']) await server.client.pubsub.publish('pubsub', 'batches', data);
      assert.deepEqual((await got('batches', 3)).map(String).toSorted(), ['x', 'y', 'z']);
    },
  },
  {
    id: '131g',
    title: 'a publish that fails gives an error',
    run: async ({ server }) => {
      const { error } = await server.client.pubsub.publish('nope', 'orders', 'hi');
      assert.match(String(error), /ERR_PUBSUB_NOT_FOUND/);
    },
  },
  {
    id: '131h',
    title: 'binding receive',
    run: async ({ got }) => void (await got('(binding)', 1)),
  },
  {
    id: '131i',
    title: 'binding send',
    run: async ({ server, endpoint }) => {
      endpoint.script('/hook', { status: 200, body: '{"done":1}' });
      assert.deepEqual(await server.client.binding.send('hook', 'create', { n: 1 }), { done: 1 });
      assert.deepEqual(endpoint.log.at('/hook')[0]?.json(), { n: 1 });
    },
  },
  {
    id: '131j',
    title: 'metadata set and get',
    run: async ({ server }) => {
      assert.equal(await server.client.metadata.set('colour', 'blue'), true);
      const { id, extended } = await server.client.metadata.get();
      assert.deepEqual([id, new Map(Object.entries(extended)).get('colour')], ['checkout', 'blue']);
    },
  },
];
