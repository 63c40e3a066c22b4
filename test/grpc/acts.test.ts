/** Acts on messages work on gRPC traffic as on HTTP: one machine, one history. The mock app is called over gRPC. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Attempt, Delivery } from '../../core/contract/message.ts';
import type { ResponseRule } from '../../core/contract/mock-app.ts';
import type { Product } from '../e2e/product.ts';
import { atEnd, count, product } from './running-product.ts';

const OVER_GRPC = ['--app-protocol', 'grpc'];
/** Starting a whole product takes long on a loaded machine. */
const LIMIT_MS = 60_000;
const METHOD = '/dapr.proto.runtime.v1.AppCallback/OnTopicEvent';

function answers(
  run: Product,
  ...rules: readonly Omit<ResponseRule, 'ruleId' | 'enabled'>[]
): Promise<unknown> {
  return run.rpc('mockApp.setRules', {
    rules: rules.map((rule, i) => ({ ruleId: `r${i}`, enabled: true, ...rule })),
  });
}

/** The only delivery of the only message that passes the filter. */
async function only(run: Product, filter: string): Promise<Delivery> {
  const { items } = await run.rpc('messages.list', { filter });
  expect(items).toHaveLength(1);
  const { deliveries } = await run.rpc('messages.get', { messageId: items[0]?.messageId ?? '' });
  const [delivery] = deliveries;
  if (delivery === undefined || deliveries.length !== 1)
    throw new Error(`${filter}: ${deliveries.length} deliveries`);
  return delivery;
}

/** Request of the app: the event as JSON, its data as text. */
function sent(attempt: Attempt | undefined): { readonly data: string; readonly [name: string]: unknown } {
  const event: { data: string } = JSON.parse(attempt?.request.body ?? '{}');
  return { ...event, data: Buffer.from(event.data, 'base64').toString() };
}

test(
  'the app gets the new event of a held delivery that is edited and released',
  async () => {
    const run = await product(...OVER_GRPC);
    await run.rpc('holds.add', { at: 'delivery', filter: 'topic:orders' });
    await run.publish('orders', { n: 1 });
    await count(run, 'state:held', 1);
    const { deliveryId } = await only(run, 'state:held');
    await run.rpc('deliveries.release', { deliveryId, changes: { data: { n: 2 } } });
    await count(run, 'state:processed', 1);
    const { attempts } = await only(run, 'state:processed');
    expect(attempts).toHaveLength(1);
    expect(attempts[0]).toMatchObject({ protocol: 'grpc', request: { method: METHOD } });
    expect(sent(attempts[0])).toMatchObject({ data: '{"n":2}', topic: 'orders' });
  },
  LIMIT_MS,
);

test(
  'a held answer is changed before it counts',
  async () => {
    const run = await product(...OVER_GRPC);
    await run.rpc('holds.add', { at: 'response', filter: 'topic:orders' });
    await run.publish('orders', { n: 1 });
    const held = await run.when('the held answer', async () => (await run.rpc('holds.queue', {})).items[0]);
    expect(held).toMatchObject({ heldAt: 'response' });
    const { deliveryId } = await only(run, 'topic:orders');
    await run.rpc('deliveries.release', {
      deliveryId,
      answer: { kind: 'respond', status: 200, body: '{"status":"DROP"}' },
    });
    await count(run, 'state:dropped', 1);
    expect((await only(run, 'topic:orders')).transitions.at(-1)?.rule).toBe('grpc.drop');
  },
  LIMIT_MS,
);

test(
  'retries follow the setting, what is used up is parked, and a person starts another round',
  async () => {
    const run = await product(
      ...OVER_GRPC,
      '--set',
      'delivery.retry={"maxAttempts":2,"firstDelayMs":1,"factor":1,"maxDelayMs":1,"jitter":0}',
    );
    await answers(run, {
      match: { filter: 'topic:orders' },
      answer: { kind: 'respond', status: 503 },
      times: 2,
    });
    await run.publish('orders', { n: 1 });
    await count(run, 'state:parked', 1);
    const parked = await only(run, 'state:parked');
    expect(parked.attempts.map(({ response }) => response?.statusText)).toEqual([
      'UNAVAILABLE',
      'UNAVAILABLE',
    ]);
    await run.rpc('deliveries.retry', { deliveryId: parked.deliveryId });
    await count(run, 'state:processed', 1);
    expect((await only(run, 'state:processed')).transitions.map(({ rule }) => rule)).toEqual(
      expect.arrayContaining(['grpc.error', 'policy.exhausted', 'user.retry', 'grpc.success']),
    );
  },
  LIMIT_MS,
);

test(
  'a replay is a new message, delivered over gRPC again',
  async () => {
    const run = await product(...OVER_GRPC);
    await run.publish('orders', { n: 1 });
    await count(run, 'state:processed', 1);
    const { items } = await run.rpc('messages.list', {});
    await run.rpc('messages.replay', { messageId: items[0]?.messageId ?? '', changes: { data: { n: 7 } } });
    await count(run, 'state:processed protocol:grpc', 2);
    const again = await only(run, 'data.n:7');
    expect(sent(again.attempts[0]).data).toBe('{"n":7}');
  },
  LIMIT_MS,
);

test(
  'a person answers for the app',
  async () => {
    const run = await product(...OVER_GRPC);
    await answers(run, { match: {}, answer: { kind: 'ask' } });
    await run.publish('orders', { n: 1 });
    const waiting = await run.when('the question', async () => {
      const { items } = await run.rpc('mockApp.waiting', {});
      return items[0];
    });
    const { items: behind } = await run.rpc('subscriptions.list', {});
    expect(behind.map(({ lag }) => lag?.asked)).toContain(1);
    await run.rpc('deliveries.answer', {
      deliveryId: waiting.deliveryId ?? '',
      answer: { kind: 'respond', status: 501 },
    });
    await count(run, 'state:dropped status:unimplemented', 1);
    expect((await only(run, 'state:dropped')).transitions.at(-1)?.rule).toBe('grpc.unimplemented');
  },
  LIMIT_MS,
);

test(
  'a recording is exported in every format, imported and replayed',
  async () => {
    const run = await product(...OVER_GRPC);
    await answers(run, { match: { filter: 'data.n:1' }, answer: { kind: 'respond', status: 501 } });
    for (const n of [1, 2]) await run.publish('orders', { n });
    await count(run, 'state:processed', 1);
    await count(run, 'state:dropped', 1);
    const texts = new Map<string, string>();
    for (const format of ['recording', 'ndjson', 'csv', 'har'] as const)
      texts.set(format, await exported(run, format));
    expect(texts.get('csv')).toContain('orders');
    expect(texts.get('har')).toContain(METHOD);
    const recording = await run.rpc('recordings.import', {
      name: 'r',
      text: texts.get('recording') ?? '',
      isLast: true,
    });
    const { recordingId } = recording;
    const { items } = await run.rpc('messages.list', { recordingId, filter: 'status:unimplemented' });
    const { deliveries } = await run.rpc('messages.get', {
      messageId: items[0]?.messageId ?? '',
      recordingId,
    });
    expect(deliveries[0]?.attempts[0]).toMatchObject({
      protocol: 'grpc',
      response: { status: 12, statusText: 'UNIMPLEMENTED' },
    });
    await run.rpc('recordings.replay', { recordingId });
    await count(run, 'state:dropped', 2);
    const { files } = await run.rpc('recordings.toTest', { target: 'vitest' });
    expect(files.map(({ text }) => text).join('\n')).toContain('501');
  },
  LIMIT_MS,
);

async function exported(run: Product, format: 'recording' | 'ndjson' | 'csv' | 'har'): Promise<string> {
  const { jobId } = await run.rpc('recordings.export', { format });
  let text = '';
  for (let part = 1; ; part += 1) {
    const one = await run.rpc('recordings.read', { jobId, part });
    text += one.text;
    if (one.isLast) return text;
  }
}

test(
  'an event of an input binding comes over gRPC, and its refusal has a row',
  async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'sidelight-grpc-'));
    atEnd(async () => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(
      path.join(folder, 'tick.yaml'),
      `apiVersion: dapr.io/v1alpha1
kind: Component
metadata: { name: tick }
spec:
  type: bindings.cron
  version: v1
  metadata:
    - { name: schedule, value: '@every 100ms' }
    - { name: direction, value: input }
`,
    );
    const run = await product(...OVER_GRPC, '--resources', folder);
    await run.when('an event of the binding', async () => {
      const { items } = await run.rpc('messages.list', { filter: 'rule:binding.2xx', limit: 1 });
      return items[0];
    });
    const { items } = await run.rpc('messages.list', { filter: 'rule:binding.2xx', limit: 1 });
    const { deliveries } = await run.rpc('messages.get', { messageId: items[0]?.messageId ?? '' });
    expect(deliveries[0]?.attempts[0]).toMatchObject({
      protocol: 'grpc',
      request: { method: '/dapr.proto.runtime.v1.AppCallback/OnBindingEvent' },
    });
  },
  LIMIT_MS,
);

test(
  'health checks ask over gRPC, and while the app is unhealthy nothing is delivered',
  async () => {
    const health = { enabled: true, intervalMs: 50, timeoutMs: 50, threshold: 1 };
    const run = await product(
      ...OVER_GRPC,
      '--set',
      `app.health=${JSON.stringify({ path: '/healthz', ...health })}`,
    );
    await run.when('a healthy app', async () => {
      const { items } = await run.rpc('apps.list', {});
      return items[0]?.appHealth?.healthy === true ? true : undefined;
    });
    await run.publish('orders', { n: 1 });
    await count(run, 'state:processed protocol:grpc', 1);
    await run.rpc('mockApp.turn', { on: false });
    await run.when('an unhealthy app', async () => {
      const { items } = await run.rpc('apps.list', {});
      return items[0]?.appHealth?.healthy === false ? true : undefined;
    });
    await run.publish('orders', { n: 2 });
    const waiting = await only(run, 'data.n:2');
    expect(waiting).toMatchObject({ state: 'queued', attempts: [] });
    await run.rpc('mockApp.turn', { on: true });
    await count(run, 'data.n:2 state:processed', 1);
  },
  LIMIT_MS,
);
