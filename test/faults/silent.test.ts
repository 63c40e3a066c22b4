/** Nothing is silent: for each way in which a message does not go on, a person at the console finds where it is and why. */
import { mkdir, mkdtemp, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RefusedPublishes } from '../../core/host/refused-publishes.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { startProduct } from './kill-product.ts';
import type { Running } from './kill-product.ts';

const MEMORY = `apiVersion: sidecar.io/v1alpha1
kind: Component
metadata:
  name: NAME
spec:
  type: pubsub.in-memory
  version: v1
  metadata:
    - { name: failPublish, value: "poison" }
`;

let folder: string;
let running: Running;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sidelight-silent-'));
  await mkdir(join(folder, 'resources'));
  for (const name of ['pubsub', 'going'])
    await writeFile(join(folder, 'resources', `${name}.yaml`), MEMORY.replace('NAME', name));
  const set = ['--set', 'delivery.backlog=3', '--set', 'http.maxBodyBytes=1000'];
  const flags = ['--resources', join(folder, 'resources'), '--log-level', 'error', ...set];
  // No program listens there: the app has ended before its first discovery.
  running = await startProduct(join(folder, 'data'), 'http://127.0.0.1:1', flags);
}, 90_000);
afterAll(async () => {
  await running.kill();
  await rm(folder, { recursive: true, force: true });
});

async function publish(where: string, body = '{"n":1}'): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${running.sidecar}/v1.0/publish/${where}`, { method: 'POST', headers, body });
  return answer.status;
}

async function said(): Promise<string> {
  const { items } = (await running.call('logs.list', { level: 'warn', limit: 100 })) as {
    items: readonly { text: string }[];
  };
  return items.map(({ text }) => text).join('\n');
}

async function rows(filter: string): Promise<readonly object[]> {
  const { items } = (await running.call('messages.list', { filter })) as { items: readonly object[] };
  return items;
}

test('a message waits by name for an app that never answered its discovery', async () => {
  expect(await publish('pubsub/waits')).toBe(204);
  await expect
    .poll(() => rows('topic:waits'), { timeout: 10_000 })
    .toMatchObject([{ stage: 'waiting', waitingFor: ['app'] }]);
  expect(await running.call('apps.list', {})).toMatchObject({
    items: [{ appId: 'app', healthy: false, discovery: { state: 'waiting', url: expect.any(String) } }],
  });
  expect(await running.call('health.get', {})).toMatchObject({
    healthz: {
      parts: expect.arrayContaining([expect.objectContaining({ name: 'application channel', ok: false })]),
    },
  });
});

test('a message that its component refuses is kept with the reason', async () => {
  expect(await publish('pubsub/refused', '"poison"')).toBe(500);
  await expect
    .poll(() => rows('topic:refused'))
    .toMatchObject([
      {
        stage: 'refused',
        flags: [expect.stringContaining('The component refused it: the message contains')],
      },
    ]);
});

test('a publish to an unknown component has a log line with the answer', async () => {
  expect(await publish('nope/orders')).toBe(404);
  expect(await said()).toContain('POST /v1.0/publish/nope/orders was answered 404: pubsub nope is not found');
});

test('a publish to a removed component has a log line, and its open messages are still shown', async () => {
  expect(await publish('going/stays')).toBe(204);
  await unlink(join(folder, 'resources', 'going.yaml'));
  await running.call('components.reload', {});
  expect(await publish('going/orders')).toBe(404);
  expect(await said()).toContain('POST /v1.0/publish/going/orders was answered 404');
  expect(await rows('topic:stays')).toMatchObject([{ stage: 'waiting', waitingFor: ['app'] }]);
});

test('a publish with a too large body has a log line', async () => {
  expect(await publish('pubsub/large', JSON.stringify('x'.repeat(2000)))).toBe(400);
  expect(await said()).toContain(
    'POST /v1.0/publish/pubsub/large was answered 400: error reading request body',
  );
});

test('a publish beyond the backlog has a log line that names the limit', async () => {
  const statuses = [];
  for (let i = 0; i < 5; i += 1) statuses.push(await publish('pubsub/many'));
  expect(statuses.at(-1)).toBe(500);
  expect(await said()).toContain(
    'the backlog limit of 3 unfinished deliveries (delivery.backlog) is reached',
  );
});

test('calls of a block that Sidelight does not serve are a line of the log and a banner', async () => {
  const headers = { 'sidecar-app-id': 'stock' };
  for (const id of [1, 2]) await fetch(`${running.sidecar}/orders/${id}`, { method: 'POST', headers });
  const answer = await fetch(`${running.sidecar}/v1.0/state/store/key`);
  expect(answer.status).toBe(404);
  const { banners } = (await running.call('system.describe', {})) as {
    banners: readonly { text: string }[];
  };
  const texts = banners.map(({ text }) => text);
  const calls = ['POST /… (sidecar-app-id: stock)', 'GET /v1.0/state/store'];
  expect(texts).toContainEqual(
    `A caller: ${calls[0]} was refused (404, 2 times): Sidelight does not serve service invocation.`,
  );
  expect(texts).toContainEqual(
    `A caller: ${calls[1]} was refused (404): Sidelight does not serve state management.`,
  );
  const lines = await said();
  expect(lines).toContain(`${calls[0]} was answered 404: Sidelight does not serve service invocation`);
  expect(lines).toContain(`${calls[1]} was answered 404: Sidelight does not serve state management`);
});

test('repeated refusals have one log line with their number, and other kinds their own', () => {
  const clock = new ManualClock();
  const lines: string[] = [];
  const refused = new RefusedPublishes(clock, (text) => lines.push(text));
  for (let i = 0; i < 1000; i += 1) refused.report({ path: '/a', status: 404, reason: 'gone' });
  refused.report({ path: '/b', status: 404, reason: 'gone' });
  expect(lines).toEqual(['POST /a was answered 404: gone', 'POST /b was answered 404: gone']);
  clock.advance(10_000);
  expect(lines.at(-1)).toBe('POST /a was answered 404: gone (999 more times within 10 s)');
  expect(lines).toHaveLength(3);
  refused.report({ path: '/a', status: 404, reason: 'gone' });
  expect(lines).toHaveLength(4);
  refused.close();
});
