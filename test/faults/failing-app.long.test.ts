/**
 * A durable Redis server and the product on disk are killed in turn, while an app fails most of its calls and leaves some without an
 * answer.
 */
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RedisStand } from '../support/redis-stand.ts';
import { tell } from './app-faults.ts';
import { load, startProduct } from './kill-product.ts';
import type { Running } from './kill-product.ts';
import { writeRedisComponent } from './kill-redis.ts';
import { Pace } from './pace.ts';

const ROUNDS = 10;
const EACH = 300;
const PUBLISHERS = 16;
const PER_SECOND = 200;
const UNFINISHED =
  'state:queued OR state:attempting OR state:retrying OR state:waiting OR state:parked OR state:held';

const stand = new RedisStand({ durable: true });
let folder: string;
let server: Server;
let product: Running | undefined;
/** How often each event was processed. */
let done: Map<string, number>;
let calls: number;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sidelight-failing-app-'));
  await writeRedisComponent(folder, stand.server.host, '2s', '500ms');
  done = new Map();
  calls = 0;
  server = createServer((incoming, response) => {
    void text(incoming).then((body) => {
      if (incoming.method === 'GET') {
        response.setHeader('content-type', 'application/json');
        response.end(
          JSON.stringify([{ pubsubname: 'pubsub', topic: 'orders', routes: { default: '/orders' } }]),
        );
        return;
      }
      calls += 1;
      // Every twentieth call gets no answer, half of the others 500.
      if (calls % 20 === 0) return;
      if (calls % 2 === 0) {
        response.statusCode = 500;
        response.end();
        return;
      }
      const event: { readonly data: { readonly id: string } } = JSON.parse(body);
      done.set(event.data.id, (done.get(event.data.id) ?? 0) + 1);
      response.end();
    });
  });
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
});
afterEach(async () => {
  await product?.kill();
  server.closeAllConnections();
  await new Promise((closed) => void server.close(closed));
  await rm(folder, { recursive: true, force: true });
});

function start(): Promise<Running> {
  const { port } = server.address() as AddressInfo;
  const flags = ['--log-level', 'error', '--resources', folder]
    .concat(['--set', 'storage.maxMessages=1000000', '--set', 'delivery.attemptTimeoutMs=1000'])
    .concat(['--set', 'delivery.retry={"maxAttempts":0,"firstDelayMs":50,"maxDelayMs":1000}']);
  return startProduct(path.join(folder, 'data'), `http://127.0.0.1:${port}`, flags);
}

test(`${ROUNDS} kills of Redis and of the product: nothing acknowledged is lost`, async () => {
  const acknowledged = new Set<string>();
  const pace = new Pace(PER_SECOND);
  let made = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const running = await start();
    product = running;
    let isOver = false;
    let told = (): void => undefined;
    const reached = (count: number): Promise<void> =>
      new Promise((go) => (told = () => acknowledged.size >= count && go()));
    const from = acknowledged.size;
    const half = reached(from + EACH / 2);
    const busy = load(
      running.sidecar,
      PUBLISHERS,
      async () => {
        await pace.next();
        return isOver ? undefined : `e${++made}`;
      },
      (id) => {
        acknowledged.add(id);
        told();
      },
    );
    await half;
    await stand.server.kill();
    // The product ends while Redis is away, or once it has gone on.
    if (round % 2 === 0) {
      await stand.server.start();
      await reached(from + EACH);
    }
    isOver = true;
    await running.kill();
    await busy;
    if (round % 2 === 1) await stand.server.start();
  }

  const running = await start();
  product = running;
  await expect
    .poll(() => running.call('messages.list', { filter: UNFINISHED, limit: 1 }), {
      timeout: 300_000,
      interval: 500,
    })
    .toMatchObject({ total: 0 });
  await expect.poll(() => [...acknowledged].filter((id) => !done.has(id)), { timeout: 60_000 }).toEqual([]);
  tell('an app that fails, with a durable Redis', {
    tried: made,
    survived: true,
    lost: 0,
    kills: 2 * ROUNDS,
    acknowledged: acknowledged.size,
    calls,
    twice: [...done.values()].filter((times) => times > 1).length,
  });
  expect(await running.end()).toBe(0);
}, 600_000);
