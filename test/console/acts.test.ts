/** An act is answered once all changes are on disk; queries do not wait. */
import { beforeEach, expect, test } from 'vitest';
import type { Method } from '../../core/contract/console.ts';
import { Console } from '../../core/console/console.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { makeBench } from './bench.ts';
import type { Bench } from './bench.ts';

let bench: Bench;
let console: Console;
let onDisk: () => void;
beforeEach(() => {
  bench = makeBench(new ManualClock());
  const settled = new Promise<void>((go) => (onDisk = go));
  console = new Console({ ...bench.deps, settled: () => settled });
});

function answerTo(method: Method, params: object): Promise<string | undefined> {
  const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  return console.answer(text, new AbortController().signal);
}

/** True when it is answered while nothing can be written. */
async function isAnswered(answer: Promise<unknown>): Promise<boolean> {
  let isDone = false;
  void answer.then(() => (isDone = true));
  for (let turn = 0; turn < 20; turn += 1) await new Promise((go) => setImmediate(go));
  return isDone;
}

test.each([
  ['settings.set', { key: 'delivery.concurrency', value: 3 }],
  ['mockApp.setRules', { rules: [] }],
  ['mockApp.setSubscriptions', { subscriptions: [] }],
  ['drafts.set', { drafts: 1 }],
  ['holds.add', { at: 'publish', filter: '' }],
  ['deliveries.release', { deliveryId: 'd' }],
] as const)('%s is answered behind the disk', async (method, params) => {
  const answer = answerTo(method, params);
  expect(await isAnswered(answer)).toBe(false);
  onDisk();
  expect(JSON.parse((await answer) ?? '')).toHaveProperty('result');
  expect(bench.runtime.waitedForDisk).toBe(1);
});

test.each([
  ['settings.get', {}],
  ['holds.list', {}],
  ['drafts.get', {}],
] as const)('%s is answered without waiting for the disk', async (method, params) => {
  expect(await isAnswered(answerTo(method, params))).toBe(true);
  expect(bench.runtime.waitedForDisk).toBe(0);
});

test('drafts are written by the act itself, without a pause', async () => {
  onDisk();
  await answerTo('drafts.set', { drafts: 'mine' });
  expect(await bench.runtime.journal.kept('publish.drafts')).toMatchObject({ drafts: 'mine' });
});
