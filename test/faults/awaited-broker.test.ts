/**
 * Bulk, raw and dead-lettered deliveries that wait: the app drops its subscriptions, the product is killed, and Redis is away at its next
 * start.
 */
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { MessageDetail, MessageRow } from '../../core/contract/message.ts';
import { newTopic } from '../support/broker-parts.ts';
import { RedisStand } from '../support/redis-stand.ts';
import { startProduct } from './kill-product.ts';
import type { Running } from './kill-product.ts';

const stand = new RedisStand({ durable: true });
const [batched, raw, doomed, dead] = [newTopic(), newTopic(), newTopic(), newTopic()];
const of = (topic: string, path: string, more: object = {}): object => ({
  pubsubname: 'redis',
  topic,
  routes: { default: path },
  ...more,
});
const SUBSCRIBED = [
  of(batched, '/batches', {
    bulkSubscribe: { enabled: true, maxMessagesCount: 2, maxAwaitDurationMs: 100 },
    deadLetterTopic: dead,
  }),
  of(raw, '/raw', { metadata: { rawPayload: 'true' } }),
  of(doomed, '/doomed', { deadLetterTopic: dead }),
  of(dead, '/dead'),
];
/** The topics in another form, each on another route. */
const OTHERWISE = [of(batched, '/other'), of(raw, '/other'), of(doomed, '/other'), of(dead, '/dead')];

interface Seen {
  readonly path: string;
  readonly body: {
    readonly entries?: readonly { readonly entryId: string }[];
    readonly data_base64?: string;
  };
}

let folder: string;
let server: Server;
let subscriptions: readonly object[];
let isWell: boolean;
let calls: Seen[];
let running: Running | undefined;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sidelight-awaited-'));
  subscriptions = SUBSCRIBED;
  isWell = false;
  calls = [];
  server = createServer((request, response) => {
    void text(request).then((body) => {
      if (request.method === 'GET') return response.end(JSON.stringify(subscriptions));
      const seen: Seen = { path: request.url ?? '', body: JSON.parse(body) };
      calls.push(seen);
      response.statusCode = isWell || seen.path === '/dead' ? 200 : 500;
      const statuses = seen.body.entries?.map(({ entryId }) => ({ entryId, status: 'SUCCESS' }));
      return response.end(JSON.stringify({ status: 'SUCCESS', statuses }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  await running?.kill();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

async function started(): Promise<Running> {
  const resources = join(folder, 'resources');
  mkdirSync(resources, { recursive: true });
  const metadata = [
    { name: 'redisHost', value: stand.server.host },
    { name: 'concurrency', value: '10' },
  ];
  const component = {
    apiVersion: 'sidelight.io/v1alpha1',
    kind: 'Component',
    metadata: { name: 'redis' },
    spec: { type: 'pubsub.redis', version: 'v1', metadata },
  };
  writeFileSync(join(resources, 'redis.yaml'), JSON.stringify(component));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  running = await startProduct(join(folder, 'data'), `http://127.0.0.1:${port}`, ['--resources', resources]);
  return running;
}

/** State, number of attempts and what is waited for, of the deliveries that are no copies. */
async function deliveries(product: Running): Promise<readonly string[]> {
  const { items } = (await product.call('messages.list', {})) as { items: readonly MessageRow[] };
  return items
    .filter(({ topic }) => topic !== dead)
    .flatMap((row) =>
      row.deliveries.map((d) => `${d.state} ${d.attempts} ${d.waitsFor?.topic === row.topic}`),
    )
    .toSorted();
}

async function details(product: Running): Promise<readonly MessageDetail[]> {
  const { items } = (await product.call('messages.list', {})) as { items: readonly MessageRow[] };
  return Promise.all(
    items.map(({ messageId }) => product.call('messages.get', { messageId }) as Promise<MessageDetail>),
  );
}

async function publish({ sidecar }: Running, topic: string, query = ''): Promise<void> {
  const answer = await fetch(`${sidecar}/v1.0/publish/redis/${topic}${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"n":1}',
  });
  expect(answer.status).toBe(204);
}

async function retries(product: Running, maxAttempts: number, delayMs: number): Promise<void> {
  const value = { maxAttempts, firstDelayMs: delayMs, maxDelayMs: delayMs, factor: 1, jitter: 0 };
  await product.call('settings.set', { key: 'delivery.retry', value });
}

/** Until Redis is reached and every subscription is served. */
async function serves(product: Running): Promise<void> {
  await expect
    .poll(
      async () => {
        const { items } = (await product.call('subscriptions.list', {})) as { items: { state: string }[] };
        return items.filter(({ state }) => state === 'active').length;
      },
      { timeout: 60_000 },
    )
    .toBe(subscriptions.length);
}

const waiting = (attempts: number): string => `queued ${attempts} true`;
const LONG = { timeout: 60_000 };

test('waiting deliveries keep their form, are not attempted, and say what they wait for until their subscription is served', async () => {
  let product = await started();
  await serves(product);
  // The next attempt is far away until the app has dropped its subscriptions.
  await retries(product, 5, 3_000);
  for (const topic of [batched, batched, doomed]) await publish(product, topic);
  await publish(product, raw, '?metadata.rawPayload=true');
  await expect.poll(() => deliveries(product), LONG).toEqual(Array(4).fill('retrying 1 false'));
  subscriptions = [];
  await product.call('subscriptions.discover', {});
  await expect.poll(() => deliveries(product), LONG).toEqual(Array(4).fill(waiting(1)));

  subscriptions = OTHERWISE;
  calls = [];
  await product.kill();
  await stand.server.kill();
  product = await started();
  await expect
    .poll(() => product.call('components.list', {}), LONG)
    .toMatchObject({ items: [{ name: 'redis', state: 'failed' }] });
  expect(await deliveries(product)).toEqual(Array(4).fill(waiting(1)));
  for (const { topic, deliveries: own } of await details(product))
    for (const d of own)
      expect(d).toMatchObject({ state: 'queued', waitsFor: { pubsubname: 'redis', topic } });
  expect(calls).toEqual([]);

  isWell = true;
  await stand.server.start();
  await expect.poll(() => deliveries(product), LONG).toEqual(Array(4).fill('processed 2 false'));
  const seen = calls.map(({ path, body }) => `${path} ${body.entries?.length ?? 'alone'}`).toSorted();
  expect(seen).toEqual(['/batches 2', '/doomed alone', '/raw alone']);
  expect(calls.find(({ path }) => path === '/raw')?.body.data_base64).toBe(btoa('{"n":1}'));
}, 240_000);

test('waiting deliveries keep their dead-letter topic for when their attempts are used up', async () => {
  let product = await started();
  await serves(product);
  await retries(product, 2, 2_000);
  await publish(product, doomed);
  await publish(product, batched);
  await expect.poll(() => deliveries(product), LONG).toEqual(Array(2).fill('retrying 1 false'));
  subscriptions = [];
  await product.call('subscriptions.discover', {});
  await expect.poll(() => deliveries(product), LONG).toEqual(Array(2).fill(waiting(1)));
  subscriptions = OTHERWISE;
  calls = [];
  await product.kill();
  product = await started();
  await expect.poll(() => deliveries(product), LONG).toEqual(Array(2).fill('dead-lettered 2 false'));
  await expect
    .poll(() => calls.map(({ path }) => path).toSorted(), LONG)
    .toEqual(['/batches', '/dead', '/dead', '/doomed']);
}, 240_000);
