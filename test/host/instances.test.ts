/** Several instances of one app id: each has a row of its own, with its own addresses. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startProduct } from '../../core/host/compose.ts';
import { readOptions } from '../../core/host/options.ts';

async function anApp(): Promise<string> {
  const server = createServer((_request, response) => void response.end('[]'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

test('apps.list names both, and a port that makes no difference is told', async () => {
  const urls = [await anApp(), await anApp()];
  const flags = [
    '--headless',
    '--ephemeral',
    '--sidecar-port',
    '0',
    '--console-port',
    '0',
    '--app-port',
    '0',
  ];
  const apps = ['--app-id', 'a', '--app-url', urls[0] ?? '', '--app', `a=${urls[1]},0`];
  const product = await startProduct(readOptions([...flags, ...apps, '--log-level', 'error'], {}));
  onTestFinished(() => product.stop());
  expect(product.notes).toEqual([expect.stringMatching(/^--app-port 0 has no effect/)]);
  const response = await fetch(product.ready.rpc, {
    method: 'POST',
    headers: { authorization: `Bearer ${product.ready.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'apps.list', params: {} }),
  });
  const { result } = (await response.json()) as { result: { items: { sidecar: string }[] } };
  expect(result.items).toMatchObject([
    { appId: 'a', app: urls[0], mock: false },
    { appId: 'a', app: urls[1], mock: false },
  ]);
  expect(new Set(result.items.map(({ sidecar }) => sidecar)).size).toBe(2);
});
