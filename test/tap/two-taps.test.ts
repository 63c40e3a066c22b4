// Two apps that are tapped by one Sidelight: an event that passes one tap finds its publish behind the other.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../core/adapters/system-clock.ts';
import type { Clock } from '../../core/ports/clock.ts';
import { tapped } from './tapped.ts';
import type { Tapped } from './tapped.ts';

const SUBSCRIPTIONS = JSON.stringify([{ pubsubname: 'redis', topic: 'orders', route: '/orders' }]);
const DATA = '{"n":1}';
const EVENT = `{"id":"made","specversion":"1.0","topic":"orders","pubsubname":"redis","data":${DATA}}`;

/** The machine's clock, with timers that run only when a test says so: until then no pause of the bytes is seen. */
class WithoutPauses implements Clock {
  readonly #machine = systemClock();
  readonly now = this.#machine.now;
  readonly monotonic = this.#machine.monotonic;
  #due = new Set<() => void>();

  at(_dueMs: number, run: () => void): () => void {
    this.#due.add(run);
    return () => void this.#due.delete(run);
  }

  pause(): void {
    const due = this.#due;
    this.#due = new Set();
    for (const run of due) run();
  }
}

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** A tap of `mail`, which publishes, and one of `shop`, which gets the event: each sees its pauses when a test says so. */
async function bothTapped() {
  const sidecar = createServer((request, response) => {
    request.resume();
    response.statusCode = request.url?.includes('/publish/') === true ? 204 : 404;
    response.end();
  });
  const app = createServer((request, response) => {
    request.resume();
    response.end(request.url === '/dapr/subscribe' ? SUBSCRIPTIONS : '{}');
  });
  const host = '127.0.0.1';
  const to = { host, port: await listening(app), protocol: 'http' } as const;
  const clocks = { mail: new WithoutPauses(), shop: new WithoutPauses() };
  const shop = await tapped({ app: to, clock: clocks.shop });
  const mail = await tapped({
    appId: 'mail',
    stand: shop.stand,
    app: to,
    sidecar: { host, port: await listening(sidecar) },
    clock: clocks.mail,
  });
  await fetch(`http://${host}:${shop.tap.address.appPort}/dapr/subscribe`).then((answer) => answer.text());
  await shop.when('the route is known', () => shop.tap.row().subscriptions[0]);
  return { shop, mail, clocks };
}

async function post(port: number, path: string, body: string): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body });
  await answer.text();
  return answer.status;
}

const publish = ({ tap }: Tapped): Promise<number> =>
  post(tap.address.sidecarPort, '/v1.0/publish/redis/orders', DATA);
const deliver = ({ tap }: Tapped): Promise<number> => post(tap.address.appPort, '/orders', EVENT);

test('an event is joined with the publish that passed the other tap, which has not reported it yet', async () => {
  const { shop, mail, clocks } = await bothTapped();
  expect([await publish(mail), await deliver(shop)]).toEqual([204, 200]);
  clocks.shop.pause();
  const rows = await shop.when('the delivery has ended', async () => {
    clocks.shop.pause();
    const all = await shop.rows();
    return all.some(({ deliveries }) => deliveries[0]?.state === 'processed') ? all : undefined;
  });
  expect(rows).toMatchObject([
    { appId: 'mail', tap: 'mail', source: 'http', deliveries: [{ appId: 'shop' }] },
  ]);
});

test('what passed the other tap after the event is not taken for its publish', async () => {
  const { shop, mail, clocks } = await bothTapped();
  expect([await deliver(shop), await publish(mail)]).toEqual([200, 204]);
  const ended = await shop.when('the delivery has ended', async () => {
    clocks.shop.pause();
    const all = await shop.rows();
    return all.some(({ deliveries }) => deliveries[0]?.state === 'processed') ? all : undefined;
  });
  expect(ended).toMatchObject([{ tap: 'shop', source: 'elsewhere' }]);
  const both = await shop.when('the publish is told', async () => {
    clocks.mail.pause();
    const all = await shop.rows();
    return all.length === 2 ? all : undefined;
  });
  expect(both).toMatchObject([{ tap: 'shop' }, { tap: 'mail', source: 'http', deliveries: [] }]);
});
