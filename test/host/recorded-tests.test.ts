/** A scenario that is made of recorded messages passes on the recording it came from, and fails when something else comes of a message. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ToTestResult } from '../../core/contract/recording.ts';
import { testCommand } from '../../core/host/test-command.ts';
import { readScenario } from '../../core/scenario/read-file.ts';
import { eventually, wholeProduct } from '../event-router/whole-product.ts';
import type { Whole } from '../event-router/whole-product.ts';

let folder: string;
let whole: Whole;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sidelight-made-'));
  whole = await wholeProduct({ set: ['delivery.retry={"maxAttempts":3,"firstDelayMs":1}'] });
});
afterEach(async () => {
  await whole.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Exit status and text of `sidelight test` on these files. */
async function run(
  files: ToTestResult['files'],
): Promise<{ readonly status: number; readonly said: string }> {
  const paths = files.map(({ name, text }) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  });
  let said = '';
  const around = {
    out: (text: string) => void (said += text),
    env: process.env,
    signal: new AbortController().signal,
  };
  return { status: await testCommand(paths, around), said };
}

/**
 * Messages of every end, for two apps: one retried, one dropped, one dead-lettered with its copy, one without a subscription, odd payloads.
 */
async function seen({ rpc }: Whole): Promise<void> {
  const plain = (topic: string) => ({ pubsubname: 'pubsub', topic, routes: { default: `/${topic}` } });
  await rpc('apps.add', { appId: 'second', sidecarPort: 0 });
  await rpc('mockApp.setSubscriptions', {
    subscriptions: [plain('orders'), plain('odd'), { ...plain('bills'), deadLetterTopic: 'bills-dead' }],
  });
  await rpc('mockApp.setSubscriptions', {
    appId: 'second',
    subscriptions: [plain('orders'), plain('bills-dead')],
  });
  const sequence = (statuses: readonly number[]) => ({
    kind: 'sequence' as const,
    steps: statuses.map((status) => ({ kind: 'respond' as const, status })),
  });
  await rpc('mockApp.setRules', {
    rules: [
      { match: { filter: 'data.n:1' }, answer: sequence([503, 200]) },
      { match: { filter: 'data.n:2' }, answer: sequence([404]) },
      { match: { topic: 'bills' }, answer: sequence([500]) },
    ],
  });
  const publish = (topic: string, data: unknown, more: object = {}) =>
    rpc('messages.publish', { pubsubname: 'pubsub', topic, data, ...more });
  for (const n of [1, 2, 3]) await publish('orders', { n });
  await publish('bills', { n: 4 }, { metadata: { customer: '7' } });
  await publish('nobody', 'text', { contentType: 'text/plain' });
  await publish('odd', '{"__proto__":{"a":1},"big":12345678901234567890,"line":"\\u2028: - #"}');
  await publish('odd', { [`${'k'.repeat(1500)}`]: true });
  await eventually(async () => {
    const { total } = await rpc('messages.list', { filter: 'state:queued,attempting,retrying' });
    const all = await rpc('messages.list', {});
    return total === 0 && all.total === 8 ? true : undefined;
  }, 'nothing is under way');
}

test('a recorded test passes unchanged, and fails if another end is expected', async () => {
  await seen(whole);
  const { files, skipped } = await whole.rpc('recordings.toTest', { name: 'Orders!' });
  expect(skipped).toEqual([]);
  expect(files.map(({ name }) => name)).toEqual(['orders.scenario.yaml']);
  const good = await run(files);
  expect(good.said).toBe(
    `ok   Orders! (${join(folder, 'orders.scenario.yaml')})\n1 file: 1 passed, 0 failed\n`,
  );
  expect(good.status).toBe(0);

  const { items } = await whole.rpc('messages.list', { filter: 'state:dropped' });
  const dropped = items[0]?.deliveries.find(({ state }) => state === 'dropped')?.deliveryId ?? '';
  const wish = await whole.rpc('recordings.toTest', { expect: { [dropped]: 'processed' } });
  const bad = await run(wish.files);
  expect(bad.status).toBe(1);
  expect(bad.said).toContain('FAIL expect 1 message to app at /orders: processed after 1 attempt');
  expect(bad.said).toContain('dropped by single.404');
}, 120_000);

/** An app that answers each message with this status. */
const appThat = (status: string): string => `
import http from 'node:http';
const subscriptions = [{ pubsubname: 'pubsub', topic: 'orders', routes: { default: '/orders' } }];
http.createServer((request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(request.method === 'GET' ? subscriptions : { status: '${status}' }));
}).listen(Number(process.env.APP_PORT), '127.0.0.1');
`;

test('a recorded test of an app of its own, made as its second line says, passes if that app answers alike', async () => {
  const { rpc } = whole;
  const orders = { pubsubname: 'pubsub', topic: 'orders', routes: { default: '/orders' } };
  await rpc('mockApp.setSubscriptions', { subscriptions: [orders] });
  await rpc('messages.publish', { pubsubname: 'pubsub', topic: 'orders', data: { n: 1 } });
  await eventually(async () => {
    const { total } = await rpc('messages.list', { filter: 'state:processed' });
    return total === 1 ? true : undefined;
  }, 'it is processed');
  const { files } = await rpc('recordings.toTest', { name: 'own' });
  const lines = (files[0]?.text ?? '').split('\n');
  expect(lines[1]).toContain('remove "subscriptions" and each step "mock"');
  const rest = lines.filter((line) => !/^(?:subscriptions:| {2}- mock:)/.test(line)).join('\n');
  const withApp = async (status: string) => {
    writeFileSync(join(folder, 'app.mjs'), appThat(status));
    const text = `${rest}app: { run: [node, app.mjs] }\n`;
    return run([{ name: 'own.scenario.yaml', text }]);
  };
  expect(await withApp('SUCCESS')).toMatchObject({ status: 0 });
  const other = await withApp('DROP');
  expect(other.status).toBe(1);
  expect(other.said).toContain('FAIL expect 1 message to app at /orders: processed after 1 attempt');
  expect(other.said).toContain('The app answered 200 DROP');
}, 60_000);

test('an answer that a person put in the place of the one of the app is what the test answers', async () => {
  const { rpc } = whole;
  const orders = { pubsubname: 'pubsub', topic: 'orders', routes: { default: '/orders' } };
  await rpc('mockApp.setSubscriptions', { subscriptions: [orders] });
  await rpc('holds.add', { at: 'response', filter: '' });
  const { messageId } = await rpc('messages.publish', { pubsubname: 'pubsub', topic: 'orders', data: 1 });
  const answer = { kind: 'respond', status: 200, body: { status: 'DROP' } } as const;
  const held = await eventually(async () => {
    const { items } = await rpc('holds.queue', {});
    return items[0];
  }, 'the answer is held');
  expect(held.answer?.status).toBe(200);
  await rpc('deliveries.release', { messageId, answer });
  await eventually(async () => {
    const found = await rpc('messages.list', { filter: 'state:dropped' });
    return found.total === 1 ? true : undefined;
  }, 'it is dropped');
  const { files, skipped } = await rpc('recordings.toTest', {});
  expect(skipped).toEqual([]);
  expect(await run(files)).toMatchObject({ status: 0 });
}, 60_000);

test('a test of a dead letter names the topic, so that the copy does not keep a failing step waiting', async () => {
  await seen(whole);
  const { items } = await whole.rpc('messages.list', { filter: 'topic:bills state:dead-lettered' });
  const deliveryId = items[0]?.deliveries[0]?.deliveryId ?? '';
  const { files } = await whole.rpc('recordings.toTest', {
    filter: 'topic:bills',
    expect: { [deliveryId]: 'processed' },
  });
  expect(files[0]?.text).toContain('- expect: "meta.testcase:1 topic:bills"');
  const { status, said } = await run(files);
  expect(status).toBe(1);
  expect(said).toContain('it can no longer come; 0 of 1 matching');
}, 60_000);

test('a recording that was opened becomes one as well, and a test for Vitest runs the file', async () => {
  await seen(whole);
  const { jobId } = await whole.rpc('recordings.export', { filter: 'topic:bills' });
  const { text } = await whole.rpc('recordings.read', { jobId, part: 1 });
  const { recordingId } = await whole.rpc('recordings.import', { name: 'bills', text });
  const { files } = await whole.rpc('recordings.toTest', {
    recordingId,
    target: 'vitest',
    name: 'bills "a"',
  });
  const [scenario, test] = files;
  expect(files.map(({ name }) => name)).toEqual(['bills-a.scenario.yaml', 'bills-a.test.ts']);
  expect(test?.text).toContain(
    'test("bills \\"a\\"", () => runScenario(new URL("./bills-a.scenario.yaml", import.meta.url))',
  );
  expect(readScenario(scenario?.text ?? '')).toMatchObject({ ok: true, scenario: { steps: { length: 3 } } });
});

test('messages of one topic that were given up after other numbers of attempts are not one test', async () => {
  const { rpc } = whole;
  const orders = { pubsubname: 'pubsub', topic: 'orders', routes: { default: '/orders' } };
  await rpc('mockApp.setSubscriptions', { subscriptions: [orders] });
  await rpc('mockApp.setRules', {
    rules: [{ match: { topic: 'orders' }, answer: { kind: 'respond', status: 500 } }],
  });
  const parked = async (total: number): Promise<void> => {
    await rpc('messages.publish', { pubsubname: 'pubsub', topic: 'orders', data: total });
    await eventually(async () => {
      const found = await rpc('messages.list', { filter: 'state:parked' });
      return found.total === total ? true : undefined;
    }, `${total} are parked`);
  };
  const key = 'delivery.retryByTopic';
  await parked(1);
  await rpc('settings.set', { key, value: { 'pubsub/orders': { maxAttempts: 1 } } });
  await parked(2);
  await rpc('settings.set', { key, value: null });
  await parked(3);
  const { files, skipped } = await rpc('recordings.toTest', {});
  expect(skipped.map(({ reason }) => reason)).toEqual([
    'another message of pubsub/orders was given up after 3 attempts, and this one had 1',
  ]);
  const { status, said } = await run(files);
  expect(said).toContain('1 passed, 0 failed');
  expect(status).toBe(0);
}, 120_000);

test('a message whose subscription its app no longer has takes the same route in the test', async () => {
  const { rpc } = whole;
  const plain = (topic: string, path = `/${topic}`) => ({
    pubsubname: 'pubsub',
    topic,
    routes: { default: path },
  });
  const ruled = {
    ...plain('orders'),
    routes: { rules: [{ match: 'event.data.kind == "large"', path: '/large' }], default: '/orders' },
  };
  await rpc('mockApp.setSubscriptions', {
    subscriptions: [
      ruled,
      { ...plain('bills'), deadLetterTopic: 'dl' },
      plain('dl', '/failed'),
      plain('same'),
    ],
  });
  await rpc('mockApp.setRules', {
    rules: [{ match: { topic: 'bills', route: '/bills' }, answer: { kind: 'respond', status: 500 } }],
  });
  const publish = (topic: string, data: unknown) =>
    rpc('messages.publish', { pubsubname: 'pubsub', topic, data });
  await publish('orders', { n: 1, kind: 'small' });
  await publish('orders', { n: 9, kind: 'large' });
  await publish('bills', { n: 2 });
  await publish('same', { n: 3 });
  await eventually(async () => {
    const { total } = await rpc('messages.list', { filter: 'state:processed,dead-lettered' });
    return total === 5 ? true : undefined;
  }, 'all are at their end');
  await rpc('mockApp.setSubscriptions', {
    subscriptions: [plain('orders', '/v2'), plain('bills'), plain('same'), plain('later')],
  });
  const { files, skipped } = await rpc('recordings.toTest', {});
  expect(skipped).toEqual([]);
  const read = readScenario(files[0]?.text ?? '');
  expect(read).toMatchObject({
    ok: true,
    scenario: {
      subscriptions: [
        ruled,
        { ...plain('bills'), deadLetterTopic: 'dl' },
        plain('same'),
        plain('later'),
        plain('dl', '/failed'),
      ].map(({ routes, ...more }) => ({ ...more, routes: { rules: [], ...routes } })),
    },
  });
  const { status, said } = await run(files);
  expect(said).toContain('1 passed, 0 failed');
  expect(status).toBe(0);
}, 60_000);
