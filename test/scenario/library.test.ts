/** `sidelight/testing`: what it starts, what it expects, and the story in its errors. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { ExpectationFailed, runScenario, startSidelight } from '../../core/testing/library.ts';
import type { Sidelight } from '../../core/testing/library.ts';

let sidelight: Sidelight;
beforeAll(async () => {
  sidelight = await startSidelight({ settings: { 'delivery.retry': { maxAttempts: 3, firstDelayMs: 1 } } });
}, 60_000);
afterAll(() => sidelight.stop());

test('a sequence of answers retries a message until it is processed', async () => {
  await sidelight.mock.sequence('orders', [503, 503, { kind: 'respond', status: 200 }]);
  const messageId = await sidelight.publish('orders', { orderId: 1 });
  const rows = await sidelight.expect('topic:orders data.orderId:1').toReach('processed', { attempts: 3 });
  expect(rows.map((row) => row.messageId)).toEqual([messageId]);
  expect(await sidelight.explain(messageId)).toMatch(
    /attempt 2: The app answered 503: to be retried\. .*\(retrying by single\.other, next after \d+ ms\)\n.*attempt 3: .*\(processed by single\.2xx\.empty\)$/,
  );
});

test('an expectation that cannot come true fails at once, with the story as error', async () => {
  await sidelight.mock.answer({ topic: 'refused', filter: 'data.n:1' }, 404);
  await sidelight.publish('refused', { n: 1 });
  const failing = sidelight.expect('topic:refused').toReach('processed', { within: '10m' });
  await expect(failing).rejects.toBeInstanceOf(ExpectationFailed);
  await expect(failing).rejects.toThrow(
    /^1 message processed: it can no longer come; 0 of 1 matching\nmessage \d+ on refused\n.*\n.*\n {4}attempt 1: The app answered 404: dropped\. An error was logged\. \(dropped by single\.404\)$/,
  );
});

test('an expectation that times out names the nearest messages', async () => {
  await sidelight.publish('near', { n: 1 });
  await sidelight.settle();
  await expect(sidelight.expect('topic:near data.n:2').toReach('processed', { within: 0 })).rejects.toThrow(
    /nearest, but not data\.n:2:\n {2}message \d+ on near/,
  );
});

test('`never` passes without a match, and fails with the story of one', async () => {
  await sidelight.expect('topic:nobody').never({ for: 0 });
  await sidelight.publish('somebody', 'text');
  await expect(sidelight.expect('topic:somebody').never({ for: '10m' })).rejects.toThrow(
    /^a message matches that never should\nmessage \d+ on somebody/,
  );
});

test('messages can be published in bulk, beside each other and over HTTP, and answered by a person', async () => {
  await sidelight.mock.ask('asks');
  const [ids] = await Promise.all([
    sidelight.publishBulk('batch', [{ n: 1 }, { n: 2 }, { n: 3 }]),
    sidelight.publish('asks', {}),
  ]);
  expect(ids).toHaveLength(3);
  await sidelight.expect('topic:batch').toReach('processed', { count: 3 });
  await expect(sidelight.settle({ within: 0 })).rejects.toThrow(
    /^1 message still under way \((queued|attempting)\)/,
  );
  const [row] = await sidelight.expect('topic:asks').toReach('attempting');
  const { items } = await sidelight.rpc('mockApp.waiting', {});
  expect(items.map(({ messageId }) => messageId)).toEqual([row?.messageId]);
  for (const { deliveryId } of items)
    await sidelight.rpc('deliveries.answer', { deliveryId, answer: { kind: 'respond', status: 200 } });
  await sidelight.settle();
  const answer = await fetch(`${sidelight.sidecarUrl}/v1.0/publish/pubsub/batch`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"n":4}',
  });
  expect(answer.status).toBe(204);
  await sidelight.expect('topic:batch').toReach('processed', { count: 4 });
  expect((await sidelight.messages('topic:batch origin:http')).length).toBe(1);
  expect(sidelight.grpcAddress).toMatch(/^127\.0\.0\.1:\d+$/);
});

test('a refused publish throws with the reason, and so does a wrong duration', async () => {
  await expect(sidelight.publish('x', 1, { pubsubname: 'missing' })).rejects.toThrow(/missing/);
  await expect(async () => sidelight.expect('topic:x').never({ for: 'soon' })).rejects.toThrow(
    'a duration is milliseconds, or a text such as 500ms or 5s, got soon',
  );
});

test('a scenario file runs as a test, and a failed expectation throws with its story', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sidelight-library-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'own.scenario.yaml');
  const text =
    'steps:\n  - publish: { topic: orders, data: 1 }\n  - expect: topic:orders\n    state: processed\n';
  writeFileSync(file, text);
  await runScenario(pathToFileURL(file));
  writeFileSync(file, text.replace('processed', 'dropped'));
  const failing = runScenario(file);
  await expect(failing).rejects.toBeInstanceOf(ExpectationFailed);
  await expect(failing).rejects.toThrow(/^FAIL own [\s\S]*single\.2xx\.success/);
}, 60_000);

test('a scenario whose program could not be started says why', async () => {
  const { execPath } = process;
  onTestFinished(() => void (process.execPath = execPath));
  process.execPath = join(tmpdir(), 'no-such-program');
  await expect(runScenario('any.scenario.yaml')).rejects.toThrow(/no-such-program/);
});

test('`await using` ends the instance', async () => {
  let url = '';
  {
    await using own = await startSidelight({ appUrl: 'none' });
    url = own.sidecarUrl;
    expect((await fetch(`${url}/v1.0/healthz`)).ok).toBe(true);
  }
  await expect(fetch(`${url}/v1.0/healthz`)).rejects.toThrow('fetch failed');
}, 60_000);

test('a failed start names the reason', async () => {
  await expect(startSidelight({ settings: { 'delivery.retri': 1 } })).rejects.toThrow(
    /unknown setting "delivery.retri"/,
  );
}, 60_000);
