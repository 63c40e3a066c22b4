// HTTP through a tap with the runtime behind it: what a held delivery of a raw subscription becomes, and whose rules hold.
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { tapped } from './tapped.ts';

/** A server that is closed at the end of the test. */
async function serverThat(answer: RequestListener): Promise<number> {
  const server = createServer(answer);
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

test('a held delivery of a raw subscription is released with changes: the app gets it in the same wrapper', async () => {
  const got: string[] = [];
  const port = await serverThat((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      if (request.url === '/dapr/subscribe') {
        const metadata = { rawPayload: 'true' };
        response.end(JSON.stringify([{ pubsubname: 'redis', topic: 'raw', route: '/raw', metadata }]));
        return;
      }
      got.push(body);
      response.end('{}');
    });
  });
  const at = await tapped({ app: { host: '127.0.0.1', port, protocol: 'http' } });
  const app = `http://127.0.0.1:${at.tap.address.appPort}`;
  await (await fetch(`${app}/dapr/subscribe`)).text();
  await at.when('the route is known', () => at.tap.row().subscriptions[0]);
  await at.stand.runtime.holds.add({ at: 'delivery', filter: 'topic:raw' });
  const wrapper = (data: string): string =>
    `{"id":"w1", "data_base64":"${Buffer.from(data).toString('base64')}", "topic":"raw","pubsubname":"redis","specversion":"1.0"}`;
  const sent = fetch(`${app}/raw`, { method: 'POST', body: wrapper('{"n":1}') });
  const { deliveryId } = await at.delivery('held');
  await at.stand.runtime.manual.release({ deliveryId }, { data: { n: 2 } });
  expect((await sent).status).toBe(200);
  expect(got).toEqual([wrapper('{"n":2}')]);
});

test.each([
  ['1.13.6', 'dapr', 'single.404'],
  ['1.18.3', 'dapr-1.18', 'single.404.drop'],
])('a sidecar of release %s is read as %s', async (runtimeVersion, profile, rule) => {
  const sidecar = await serverThat((_request, response) => {
    const subscriptions = [{ pubsubname: 'redis', topic: 'orders', rules: [{ path: '/orders' }] }];
    response.end(JSON.stringify({ id: 'shop', runtimeVersion, subscriptions }));
  });
  const port = await serverThat((_request, response) => void response.writeHead(404).end());
  const at = await tapped({
    app: { host: '127.0.0.1', port, protocol: 'http' },
    sidecar: { host: '127.0.0.1', port: sidecar },
  });
  await at.when('the metadata are read', () => at.tap.row().runtimeVersion);
  expect(at.tap.row().profile).toBe(profile);
  const event = JSON.stringify({ id: 'e1', topic: 'orders', pubsubname: 'redis', data: 1 });
  await fetch(`http://127.0.0.1:${at.tap.address.appPort}/orders`, { method: 'POST', body: event });
  const dropped = await at.delivery('dropped');
  expect(dropped.transitions.at(-1)?.rule).toBe(rule);
  // Our own policy says nothing about what that sidecar does.
  expect(dropped).not.toHaveProperty('policy');
});
