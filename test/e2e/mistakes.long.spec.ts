// Mistakes of a beginner, one by one: each on the first screen within seconds, and in the log.
import fs from 'node:fs/promises';
import { createServer, type Server as HttpServer } from 'node:http';
import { createServer as createHttp2 } from 'node:http2';
import { connect } from 'node:net';
import type { Server } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { openClient } from '../support/grpc-client.ts';
import { openFresh } from './call-interceptor.ts';
import { rows } from './console-page.ts';
import { expect, type Product, startProduct, test } from './fixture.ts';
import { openConsole } from './open-console.ts';
import { head } from './question-page.ts';

const KAFKA = `apiVersion: sidecar.io/v1alpha1
kind: Component
metadata: { name: orderpubsub }
spec:
  type: pubsub.kafka
  version: v1
  metadata: [{ name: brokers, value: 'localhost:9092' }]
`;

const redisAt = (address: string): string => `apiVersion: sidecar.io/v1alpha1
kind: Component
metadata: { name: orderpubsub }
spec:
  type: pubsub.redis
  version: v1
  metadata: [{ name: redisHost, value: '${address}' }]
`;

/** An address where nobody listens: port 1 needs rights that no journey has. */
const CLOSED = '127.0.0.1:1';

async function listening(server: Server, host = '127.0.0.1'): Promise<string> {
  await new Promise<void>((done) => void server.listen(0, host, done));
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('the app is not served');
  return `127.0.0.1:${bound.port}`;
}

async function turnTo(product: Product, address: string): Promise<void> {
  await product.rpc('settings.set', { key: 'app.address', value: { app: address } });
}

/** An app whose routes are those of one profile alone. */
const speaking = (discovery: string): HttpServer =>
  createServer((request, response) => {
    const isThere = request.url === discovery;
    response.writeHead(isThere ? 200 : 404, { 'content-type': 'application/json' }).end(isThere ? '[]' : '');
  });

for (const { own, other, flags } of [
  { own: 'sidecar', other: 'dapr', flags: [] },
  { own: 'dapr', other: 'sidecar', flags: ['--profile', 'dapr'] },
]) {
  test.describe(`in profile ${own}`, () => {
    test.use({ flags });

    test(`an app of profile ${other} is named, with the flag`, async ({ page, open, product }) => {
      const server = speaking(`/${other}/subscribe`);
      try {
        await turnTo(product, `http://${await listening(server)}`);
        await open(page);
        const text = `The app speaks profile ${other}: it answers GET /${other}/subscribe and not /${own}/subscribe.`;
        await expect(page.getByText(text).first()).toBeVisible();
        expect(product.log()).toContain(`${text} Start with --profile ${other}.`);
        await openFresh(page, '/settings?s=apps');
        await expect(page.getByRole('list', { name: 'Problems of app' })).toContainText(text);
      } finally {
        server.closeAllConnections();
        server.close();
      }
    });
  });
}

test('an app whose address begins with another scheme is named, with the right address', async ({
  page,
  open,
  product,
}) => {
  const grpc = createHttp2((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/grpc' }).end();
  });
  const http = speaking('/sidecar/subscribe');
  try {
    const of = { grpc: await listening(grpc), http: await listening(http) };
    await open(page);
    for (const text of [
      `The app at http://${of.grpc} speaks HTTP/2 only, as gRPC apps do: give its address as grpc://${of.grpc}.`,
      `The app at grpc://${of.http} speaks HTTP/1 without TLS: give its address as http://${of.http}.`,
    ]) {
      await turnTo(product, text.split(' ')[3] ?? '');
      await expect(page.getByText(text).first()).toBeVisible();
      expect(product.log()).toContain(text);
    }
    await openFresh(page, '/settings?s=apps');
    await expect(page.getByRole('list', { name: 'Problems of app' })).toContainText('give its address as');
  } finally {
    grpc.close();
    http.closeAllConnections();
    http.close();
  }
});

test('an app with no list, with a component that is not loaded, or on another port is named with its mistake', async ({
  page,
  open,
  product,
  accessible,
}) => {
  const orders = [{ pubsubname: 'orderpubsub', topic: 'orders', route: '/orders' }];
  let answer = { status: 500, body: 'no database' };
  const app = createServer((_request, response) =>
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body),
  );
  const elsewhere = speaking('/sidecar/subscribe');
  try {
    const url = `http://${await listening(app)}`;
    await open(page);
    await turnTo(product, url);
    const seen = async (text: string): Promise<void> => {
      await expect(page.getByText(text).first()).toBeVisible();
      expect(product.log()).toContain(text);
    };
    await seen(`Discovery of the app failed: The app answered 500: no database (${url}/sidecar/subscribe).`);
    answer = { status: 200, body: '<!doctype html>' };
    await product.rpc('subscriptions.discover', {});
    await seen('The app answered with an HTML page');
    answer = { status: 200, body: JSON.stringify(orders) };
    await product.rpc('subscriptions.discover', {});
    await seen(
      'The app subscribes to orders of orderpubsub, and no pub/sub component of that name is loaded',
    );
    await accessible();
    await openFresh(page, '/settings?s=apps');
    await expect(page.getByRole('list', { name: 'Problems of app' })).toContainText('orderpubsub');
    const beside = (await listening(elsewhere, '::1')).replace('127.0.0.1', '[::1]');
    await turnTo(product, `http://127.0.0.1:${beside.split(':').at(-1)}`);
    await seen(`a program listens at http://${beside}; if that is the app, give this address`);
  } finally {
    for (const server of [app, elsewhere]) {
      server.closeAllConnections();
      server.close();
    }
  }
});

test('a misspelt subscription of an app is named in a banner, a notification and the message that nobody got', async ({
  page,
  open,
  product,
  accessible,
}) => {
  let answer = JSON.stringify([{ pubsubName: 'pubsub', topic: 'orders', route: '/orders' }]);
  const app = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(answer),
  );
  try {
    await turnTo(product, `http://${await listening(app)}`);
    await open(page);
    const mistake = 'Subscription 1 (orders): "pubsubName": did you mean "pubsubname"?';
    const banner = page.getByText(`The subscription list of the app has a mistake: ${mistake}`).first();
    await expect(banner).toBeVisible();
    expect(product.log()).toContain(mistake);
    await product.publish('orders', { orderId: 1 });
    await rows(page, /, orders, .*No subscription/).click();
    await expect(head(page)).toContainText(`A mistake in the list of the app: ${mistake}`);
    await accessible();
    await openFresh(page, '/topics?t=subscriptions');
    await page.getByRole('button', { name: 'Discover again' }).first().click();
    await expect(page.getByText('1 entry of the list could not be used')).toBeVisible();
    answer = '[]';
    await product.rpc('subscriptions.discover', {});
    await expect(banner).toBeHidden();
  } finally {
    app.closeAllConnections();
    app.close();
  }
});

/** A connection that says this and reads what it is answered, until the other side closes. */
async function said(port: string, text: string): Promise<string> {
  const socket = connect(Number(port), '127.0.0.1', () => socket.write(text));
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  return answer;
}

test('a gRPC client at the HTTP port is named, with the right port', async ({ page, open, product }) => {
  await open(page);
  const { sidecar = '', grpc = '' } = product.ready.apps[0] ?? {};
  const answer = await said(new URL(sidecar).port, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
  expect(answer).toContain(`gRPC is served at ${grpc}`);
  const text = `A gRPC client connected to the HTTP port of the app, ${sidecar}: gRPC is served at ${grpc}.`;
  await expect(page.getByText(text).first()).toBeVisible();
  expect(product.log()).toContain(text);
});

test('an HTTP client at the gRPC port is named, with the right address', async ({
  page,
  open,
  product,
  accessible,
}) => {
  await open(page);
  const { sidecar = '', grpc = '' } = product.ready.apps[0] ?? {};
  const answer = await fetch(`http://${grpc}/v1.0/metadata`);
  expect([answer.status, await answer.text()]).toEqual([
    400,
    `This port speaks gRPC (HTTP/2). The HTTP API of this sidecar is at ${sidecar}.\n`,
  ]);
  const text = `An HTTP/1 client connected to the gRPC port of the app, ${grpc}: the HTTP API is at ${sidecar}.`;
  await expect(page.getByText(text).first()).toBeVisible();
  expect(product.log()).toContain(text);
  await accessible();
});

test('a dismissed banner comes back if the app was reachable in between', async ({ page, open, product }) => {
  const app = createServer((_request, response) => void response.end('[]'));
  try {
    const address = await listening(app);
    await turnTo(product, `http://${CLOSED}`);
    await open(page);
    const banner = page.getByText(`Nothing listens at http://${CLOSED}`).first();
    await expect(banner).toBeVisible();
    await page.getByRole('button', { name: 'Dismiss' }).first().click();
    await expect(banner).toBeHidden();
    await turnTo(product, `http://${address}`);
    const isThere = async (): Promise<boolean> => {
      const { banners } = await product.rpc('system.describe', {});
      return banners.some(({ text }) => text.startsWith('Nothing listens'));
    };
    await expect.poll(isThere).toBe(false);
    await turnTo(product, `http://${CLOSED}`);
    await expect(banner).toBeVisible();
  } finally {
    app.closeAllConnections();
    app.close();
  }
});

test.describe('an app without an address', () => {
  test.use({ flags: ['--app', 'shop=none'] });

  test('nothing waits for an app that only publishes, and Apps says so', async ({ page, open, product }) => {
    await product.publish('orders', { orderId: 1 });
    await open(page);
    await openFresh(page, '/settings?s=apps');
    await expect(page.getByText('no address: the app only publishes, or opens a stream')).toBeVisible();
    const { items } = await product.rpc('apps.list', {});
    expect(items.find(({ appId }) => appId === 'shop')).toMatchObject({ channel: 'none', healthy: true });
  });
});

test.describe('a Redis that does not run', () => {
  test.use({ files: { 'pubsub.yaml': redisAt(CLOSED) } });

  test('is reported by all answers over HTTP and gRPC, the log and Components', async ({
    page,
    open,
    product,
  }) => {
    const why = `Cannot reach Redis at ${CLOSED}: it refuses connections`;
    const text = `pubsub orderpubsub is not ready: ${why}`;
    const post = (route: string, body: string): Promise<Response> =>
      product.sidecar(`${route}/orderpubsub/orders`, { method: 'POST', body });
    const entries = JSON.stringify([{ entryId: '1', event: {}, contentType: 'application/json' }]);
    for (const { answer, status } of [
      { answer: await post('/v1.0/publish', '{}'), status: 404 },
      { answer: await post('/v1.0-alpha1/publish/bulk', entries), status: 400 },
    ]) {
      expect(answer.status).toBe(status);
      expect(await answer.text()).toContain(text);
    }
    for (const answer of await overGrpc(product.ready.apps[0]?.grpc ?? ''))
      expect(answer).toMatchObject({ code: 'INVALID_ARGUMENT', text: expect.stringContaining(text) });
    expect(product.log()).toContain('To try without its server: --local-pubsub.');
    await open(page);
    await openFresh(page, '/components');
    await expect(page.getByText(why).first()).toBeVisible();
  });
});

/** How a publish, a bulk publish and a stream are answered. */
async function overGrpc(address: string): Promise<readonly unknown[]> {
  const client = await openClient(address);
  try {
    const { publishEventRequest, bulkPublishRequest, bulkPublishResponse, empty } = client.protocol;
    const to = { pubsub_name: 'orderpubsub', topic: 'orders', metadata: {} };
    const one = { ...to, data: Buffer.from('{}'), data_content_type: 'application/json' };
    const entry = { entry_id: '1', event: one.data, content_type: one.data_content_type, metadata: {} };
    const stream = client.stream();
    stream.subscribe({ pubsub_name: 'orderpubsub' });
    return [
      await client.call('PublishEvent', publishEventRequest, one, empty),
      await client.call(
        'BulkPublishEvent',
        bulkPublishRequest,
        { ...to, entries: [entry] },
        bulkPublishResponse,
      ),
      await stream.next(),
    ];
  } finally {
    client.close();
  }
}

test.describe('a missing broker', () => {
  test.use({ files: { 'pubsub.yaml': KAFKA, 'config.yaml': 'kind: Configuration\n' } });

  test.describe('with --local-pubsub', () => {
    test.use({ flags: ['--local-pubsub'] });

    test('the component works, and names the type that it replaces', async ({
      page,
      open,
      product,
      accessible,
    }) => {
      const answer = await product.sidecar('/v1.0/publish/orderpubsub/orders', {
        method: 'POST',
        body: '{}',
      });
      expect(answer.status).toBe(204);
      await open(page);
      await openFresh(page, '/components');
      await expect(page.getByRole('option', { name: /orderpubsub/ })).toContainText('from memory');
      await expect(page.getByText('from memory instead of pubsub.kafka')).toBeVisible();
      const file = page
        .getByRole('list', { name: 'Files' })
        .getByRole('listitem')
        .filter({ hasText: 'config.yaml' });
      await expect(file.first()).toContainText('Skipped');
      await expect(file.first()).toContainText('Sidelight does not use kind Configuration');
      await accessible();
    });
  });
});

test.describe('two runs', () => {
  // Both products end while the page of one of them is open.
  test.use({ expectedErrors: [/WebSocket connection to .* failed|Failed to load resource/] });

  test('a second run takes other ports and another folder, and its first screen says so', async ({
    page,
  }) => {
    const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'sidelight-e2e-runs-'));
    const env = { XDG_DATA_HOME: folder, HOME: folder, LOCALAPPDATA: folder };
    const started: Product[] = [];
    try {
      for (const _ of ['first', 'second']) started.push(await startProduct({ command: 'run', env }));
      const [first, second] = started;
      const [one] = first?.ready.apps ?? [];
      const [other] = second?.ready.apps ?? [];
      if (second === undefined || one === undefined || other === undefined)
        throw new Error('two runs started');
      expect(other.sidecar).not.toBe(one.sidecar);
      expect(other.grpc).not.toBe(one.grpc);
      expect([...(await fs.readdir(path.join(folder, 'sidelight')))].toSorted()).toEqual([
        'run-app',
        'run-app-2',
      ]);
      await openConsole(page, second);
      const { port } = new URL(other.sidecar);
      const text = `; this sidecar listens on ${port}`;
      await expect(page.getByText(text).first()).toBeVisible();
      expect(second.log()).toContain(text);
      await openFresh(page, '/settings?s=apps');
      await expect(page.getByText('no address: the app only publishes, or opens a stream')).toBeVisible();
    } finally {
      await Promise.all(started.map((product) => product.stop()));
      await fs.rm(folder, { recursive: true, force: true });
    }
  });
});

test('an address needs no scheme, and one where nobody listens is reported once', async ({
  page,
  product,
}) => {
  await expect(page.getByText(/mock app answers on/)).toBeVisible();
  const field = page.getByRole('textbox', { name: 'App address' });
  await field.fill(CLOSED);
  await field.press('Enter');
  await expect(page.getByText(`deliveries go to http://${CLOSED}`)).toBeVisible();
  await expect(page.getByText(/mock app answers on/)).toHaveCount(0);
  await expect(page.getByText(`Nothing listens at http://${CLOSED}, the address of the app`)).toBeVisible();
  await product.when('the app was asked, in vain', async () => {
    const { items } = await product.rpc('apps.list', {});
    return items[0]?.discovery.state === 'failed' ? true : undefined;
  });
  const { banners } = await product.rpc('system.describe', {});
  expect(banners.filter(({ text }) => text.includes(CLOSED))).toHaveLength(1);
  const { items: settings } = await product.rpc('settings.get', {});
  expect(settings.find(({ key }) => key === 'app.address')?.value).toEqual({ app: `http://${CLOSED}` });
});
