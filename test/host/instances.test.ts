/** Several instances of one app id: each has a row of its own, with its own addresses. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startProduct } from '../../core/host/compose.ts';
import type { Product } from '../../core/host/compose.ts';
import { readOptions } from '../../core/host/options.ts';

const FLAGS = ['--headless', '--ephemeral', '--sidecar-port', '0', '--console-port', '0', '--app-port', '0'];

interface Row {
  readonly appId: string;
  readonly app: string;
  readonly sidecar: string;
  readonly appHealth?: { readonly healthy: boolean };
}

async function anApp(
  answer: RequestListener = (_request, response) => void response.end('[]'),
): Promise<string> {
  const server = createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

test('apps.list names both instances, and a port without effect is reported', async () => {
  const urls = [await anApp(), await anApp()];
  const apps = ['--app-id', 'a', '--app-url', urls[0] ?? '', '--app', `a=${urls[1]},0`];
  const product = await aProduct(apps);
  expect(product.notes).toEqual([expect.stringMatching(/^--app-port 0 has no effect/)]);
  // This log prints errors alone.
  expect(product.unsaid).toEqual(product.notes);
  const items = await rows(product);
  expect(items).toMatchObject([
    { appId: 'a', app: urls[0], addressFrom: '--app-url', mock: false },
    { appId: 'a', app: urls[1], addressFrom: '--app a', mock: false },
  ]);
  expect(new Set(items.map(({ sidecar }) => sidecar)).size).toBe(2);
  for (const [i, { sidecar }] of items.entries()) {
    const metadata: unknown = await (await fetch(`${sidecar}/v1.0/metadata`)).json();
    expect(metadata).toMatchObject({
      appConnectionProperties: { port: Number(new URL(urls[i] ?? '').port) },
    });
  }
});

test('if the first instance fails, the other one is asked for its subscriptions and gets the deliveries', async () => {
  const served: string[] = [];
  const trouble = { health: 503, discovery: 503 };
  const instance = (name: string, of: { health: number; discovery: number }): RequestListener => {
    return (request, response) => {
      request.resume();
      if (request.method === 'POST') served.push(name);
      else if (request.url === '/alive') response.statusCode = of.health;
      else response.statusCode = of.discovery;
      const subscriptions = [{ pubsubname: 'pubsub', topic: 'orders', route: '/orders' }];
      response.end(request.method === 'GET' ? JSON.stringify(subscriptions) : '');
    };
  };
  const urls = [
    await anApp(instance('first', trouble)),
    await anApp(instance('second', { health: 200, discovery: 200 })),
  ];
  const checks = { enabled: true, path: '/alive', intervalMs: 300, timeoutMs: 300, threshold: 50 };
  const product = await aProduct([
    ...['--app-id', 'a', '--app-url', urls[0] ?? '', '--app', `a=${urls[1]},0`],
    ...['--set', `app.health=${JSON.stringify(checks)}`],
  ]);
  const healthy = async (expected: readonly boolean[]): Promise<void> => {
    await vi.waitFor(
      async () => expect((await rows(product)).map(({ appHealth }) => appHealth?.healthy)).toEqual(expected),
      { timeout: 10_000 },
    );
  };
  const publish = async (): Promise<void> => {
    const before = served.length;
    for (let i = 0; i < 4; i += 1) {
      const sent = await fetch(`${product.ready.apps[0]?.sidecar}/v1.0/publish/pubsub/orders`, {
        method: 'POST',
        body: String(i),
      });
      expect(sent.status).toBe(204);
    }
    await vi.waitFor(() => expect(served).toHaveLength(before + 4), { timeout: 10_000 });
  };
  await healthy([false, true]);
  await publish();
  expect(served).toEqual(['second', 'second', 'second', 'second']);
  trouble.health = 200;
  await healthy([true, true]);
  await publish();
  expect(served.slice(4).toSorted()).toEqual(['first', 'first', 'second', 'second']);
});

test('a note that the log has printed is not on the first screen', async () => {
  const lines: string[] = [];
  const apps = ['--app-url', await anApp()];
  const product = await aProduct(apps, { level: 'warn', write: (line) => void lines.push(line) });
  expect(product.notes).toEqual([expect.stringMatching(/^--app-port 0 has no effect/)]);
  expect(lines.join('\n')).toContain(product.notes[0]);
  expect(product.unsaid).toEqual([]);
});

interface GivenLog {
  readonly level: string;
  readonly write: (line: string) => void;
}

async function aProduct(flags: readonly string[], log?: GivenLog): Promise<Product> {
  const options = readOptions([...FLAGS, ...flags, '--log-level', log?.level ?? 'error'], {});
  const product = await startProduct(log === undefined ? options : { ...options, writeLog: log.write });
  onTestFinished(() => product.stop());
  return product;
}

async function rows(product: Product): Promise<readonly Row[]> {
  const response = await fetch(product.ready.rpc, {
    method: 'POST',
    headers: { authorization: `Bearer ${product.ready.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'apps.list', params: {} }),
  });
  const { result } = (await response.json()) as { result: { items: Row[] } };
  return result.items;
}
