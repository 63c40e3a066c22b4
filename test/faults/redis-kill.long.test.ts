/** kill -9 of one of two products that share a consumer group: the other one delivers what it had. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct } from '../e2e/product.ts';
import type { Product } from '../e2e/product.ts';
import { RedisStand } from '../support/redis-stand.ts';
import { PROGRAM } from '../support/program.ts';
import { tell } from './app-faults.ts';
import { writeRedisComponent } from './kill-redis.ts';

const stand = new RedisStand();
const MESSAGES = 40;
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sidelight-redis-kill-'));
});
afterAll(async () => rm(folder, { recursive: true, force: true }));

/** Takes orders; `answers` false: takes them and never answers. */
class App {
  readonly seen = new Set<number>();
  readonly #server: Server;
  #wake: () => void = () => undefined;

  constructor(answers: boolean) {
    this.#server = createServer((request, response) => {
      if (request.method === 'GET') {
        const subscribed = [{ pubsubname: 'pubsub', topic: 'orders', route: '/orders' }];
        response.end(request.url?.endsWith('/subscribe') === true ? JSON.stringify(subscribed) : '');
        return;
      }
      void text(request).then((body) => {
        const event: { readonly data: { readonly n: number } } = JSON.parse(body);
        this.seen.add(event.data.n);
        this.#wake();
        if (answers) response.end();
      });
    });
  }

  async url(): Promise<string> {
    if (!this.#server.listening) await once(this.#server.listen(0, '127.0.0.1'), 'listening');
    const address = this.#server.address();
    return `http://127.0.0.1:${address === null || typeof address === 'string' ? 0 : address.port}`;
  }

  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((go) => (this.#wake = go));
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
  }
}

test('acknowledged messages are delivered by the remaining product', async () => {
  await writeRedisComponent(folder, stand.server.host, '300ms', '100ms');
  const [hanging, sound] = [new App(false), new App(true)];
  const start = async (app: App): Promise<Product> =>
    startProduct({
      entry: PROGRAM,
      flags: ['--resources', folder, '--app-id', 'checkout', '--app-url', await app.url()],
    });
  const [dying, living] = await Promise.all([start(hanging), start(sound)]);
  try {
    for (const product of [dying, living]) {
      await product.when('it subscribes', async () => {
        const { items } = await product.rpc('subscriptions.list', {});
        return items.length > 0 ? true : undefined;
      });
    }
    for (let n = 0; n < MESSAGES; n += 1) await dying.publish('orders', { n });
    await hanging.until(() => hanging.seen.size > 0);
    await dying.kill();
    await sound.until(() => sound.seen.size === MESSAGES);
    await stand.pending('orders', 0, 'checkout');
    const health = await living.sidecar('/v1.0/healthz');
    const figures = tell('one of two of a Redis group killed', {
      tried: MESSAGES,
      survived: health.status === 204,
      lost: MESSAGES - sound.seen.size,
      withTheKilled: hanging.seen.size,
    });
    expect(figures).toMatchObject({ survived: true, lost: 0 });
  } finally {
    await dying.kill();
    await living.stop();
    await Promise.all([hanging.close(), sound.close()]);
  }
});
