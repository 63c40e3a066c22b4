// A tapped session is exported as a recording. Without its sidecar it is replayed by our own runtime, and run as a test.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ToTestResult } from '../../core/contract/recording.ts';
import { testCommand } from '../../core/host/test-command.ts';
import { productInProcess } from '../support/in-process.ts';
import { besideOurs, exported } from './stand-in-sidecar.ts';

const ANSWERS: Readonly<Record<number, (times: number) => string>> = {
  1: (times) => (times === 1 ? 'RETRY' : 'SUCCESS'),
  2: () => 'DROP',
};

async function tappedSession() {
  const at = await besideOurs((n, times) => ANSWERS[n]?.(times) ?? 'SUCCESS');
  for (const n of [1, 2, 3]) expect(await at.publish('orders', { n })).toBe(204);
  // Nobody here published this one.
  await at.real.publish('orders', { n: 4 });
  await at.tap.when('all have ended', async () => {
    const { total } = await at.tap.rpc('messages.list', {
      filter: 'is:tapped (state:processed OR state:dropped)',
    });
    return total === 4 ? true : undefined;
  });
  return at;
}

test('a tapped session is exported, opened beside our own history, and replayed by our own runtime', async () => {
  const { tap } = await tappedSession();
  const text = await exported(tap);

  const later = await productInProcess({ flags: ['--app-id', 'shop', '--profile', 'dapr'] });
  onTestFinished(() => later.kill());
  const { recordingId, messages, subscriptions } = await later.rpc('recordings.import', {
    name: 'tapped.sidelight.jsonl',
    text,
  });
  expect(messages).toBe(4);
  expect(subscriptions).toMatchObject([{ appId: 'shop', topic: 'orders', routes: { default: '/orders' } }]);
  const { items } = await later.rpc('messages.list', { recordingId, filter: 'is:tapped' });
  expect(items.map(({ deliveries }) => [deliveries[0]?.state, deliveries[0]?.attempts]).toSorted()).toEqual([
    ['dropped', 1],
    ['processed', 1],
    ['processed', 1],
    ['processed', 2],
  ]);
  await later.rpc('mockApp.setSubscriptions', {
    subscriptions: [{ pubsubname: 'pubsub', topic: 'orders', route: '/orders' }],
  });
  await later.rpc('recordings.replay', { recordingId });
  const replayed = await later.when('they are processed here', async () => {
    const { items: rows, total } = await later.rpc('messages.list', { filter: 'state:processed' });
    return total === 4 ? rows : undefined;
  });
  expect(replayed.map(({ tap: by }) => by)).toEqual([undefined, undefined, undefined, undefined]);
}, 60_000);

/** The files are one test, and it passes. */
async function passes(files: ToTestResult['files']): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'sidelight-tapped-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const paths = files.map(({ name }) => join(folder, name));
  await Promise.all(files.map(({ name, text }) => writeFile(join(folder, name), text)));
  let said = '';
  const status = await testCommand(paths, {
    out: (text) => void (said += text),
    env: process.env,
    signal: new AbortController().signal,
  });
  expect(said).toContain('1 passed, 0 failed');
  expect(status).toBe(0);
}

test('an observed session passes as a test, in which the same answers lead to the same ends', async () => {
  const { tap } = await tappedSession();
  const { files, skipped } = await tap.rpc('recordings.toTest', { target: 'scenario', name: 'Tapped' });
  expect(skipped).toEqual([]);
  await passes(files);
}, 60_000);

test('dropped and given-up messages end as they did, each with its dead letter', async () => {
  const { tap, publish } = await besideOurs(
    (n, times) => (n === 1 && times === 1 ? 'DROP' : n === 2 && times <= 3 ? 'RETRY' : 'SUCCESS'),
    [
      { pubsubname: 'pubsub', topic: 'orders', route: '/orders', deadLetterTopic: 'dead' },
      { pubsubname: 'pubsub', topic: 'dead', route: '/dead' },
    ],
  );
  for (const n of [1, 2]) expect(await publish('orders', { n })).toBe(204);
  const rows = await tap.when('all have ended', async () => {
    const { items } = await tap.rpc('messages.list', { filter: 'is:tapped' });
    const states = items.map(({ topic, deliveries: [d] }) => `${topic} ${d?.state} ${d?.attempts}`);
    return states.length === 4 && states.every((each) => /processed|dropped|letter/.test(each))
      ? states
      : undefined;
  });
  expect(rows.toSorted()).toEqual([
    'dead processed 1',
    'dead processed 1',
    'orders dead-lettered 3',
    'orders dropped 1',
  ]);
  const { files, skipped } = await tap.rpc('recordings.toTest', { name: 'Dead letters' });
  expect(skipped).toEqual([]);
  await passes(files);
}, 60_000);

test('a message that the sidecar did not deliver becomes a test only where no rule of the subscription matches', async () => {
  const big = { rules: [{ match: 'event.data.n > 1', path: '/big' }] };
  const { tap, publish } = await besideOurs(
    () => 'SUCCESS',
    [
      { pubsubname: 'pubsub', topic: 'orders', routes: big },
      { pubsubname: 'pubsub', topic: 'bills', routes: big, deadLetterTopic: 'dead' },
    ],
  );
  for (const topic of ['bills', 'orders'])
    for (const n of [1, 2]) expect(await publish(topic, { n })).toBe(204);
  const passed = await tap.when('the last one has come', async () => {
    const { items } = await tap.rpc('messages.list', { filter: 'is:tapped', order: 'oldest' });
    const processed = items.filter(({ deliveries: [d] }) => d?.state === 'processed');
    return items.length === 4 && processed.length === 2 ? items : undefined;
  });
  expect(passed.map(({ topic, deliveries }) => [topic, deliveries.length])).toEqual([
    ['bills', 0],
    ['bills', 1],
    ['orders', 0],
    ['orders', 1],
  ]);
  const { files, skipped } = await tap.rpc('recordings.toTest', { name: 'Rules' });
  const reason = 'no delivery of it to shop is recorded, which subscribes to pubsub/bills';
  expect(skipped).toEqual([{ messageId: passed[0]?.messageId, reason }]);
  expect(files[0]?.text).toMatch(/# orders msg_\w+: dropped\n/);
  await passes(files);
}, 60_000);
