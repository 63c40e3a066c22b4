/** A pub/sub component whose code is loaded when it starts. */
import { expect, test } from 'vitest';
import { loadedAtStart } from '../../core/adapters/lazy-pubsub.ts';
import type { PubSub } from '../../core/ports/pubsub.ts';

const FEATURES: PubSub['features'] = {
  bulkPublish: false,
  bulkSubscribe: false,
  ttl: false,
  wildcards: false,
  keepsHistory: true,
  redelivers: true,
};

function stand() {
  const told: string[] = [];
  let reportConnection: () => void = () => undefined;
  const real: PubSub = {
    features: { ...FEATURES, keepsHistory: false },
    capabilities: ['SOME'],
    start: async () => void told.push('start'),
    publish: async ({ topic }) => void told.push(`publish ${topic}`),
    subscribe: async (topic) => {
      told.push(`subscribe ${topic}`);
      return { close: async () => undefined };
    },
    lost: () => ({ sinceMs: 1, reason: 'away', tries: 0 }),
    onConnection: (changed) => (reportConnection = changed),
    close: async () => void told.push('close'),
  };
  let loads = 0;
  const late = loadedAtStart(FEATURES, async () => {
    loads += 1;
    return real;
  });
  return { late, told, loads: () => loads, tellConnection: () => reportConnection() };
}

const MESSAGE = { messageId: 'm', topic: 't', wire: '', contentType: '', metadata: {} };

test('a component is loaded at its start, and reports its own features from then on', async () => {
  const { late, told, loads, tellConnection } = stand();
  expect([late.features.keepsHistory, late.capabilities, late.lost?.()]).toEqual([true, [], undefined]);
  await expect(late.publish(MESSAGE)).rejects.toThrow('the component was not started');
  let changes = 0;
  late.onConnection?.(() => (changes += 1));
  expect(loads()).toBe(0);
  await late.start();
  await late.publish(MESSAGE);
  await late.subscribe('t', { group: 'app', metadata: {} }, async () => 'done');
  tellConnection();
  expect([late.features.keepsHistory, late.capabilities, changes]).toEqual([false, ['SOME'], 1]);
  expect(late.lost?.()?.reason).toBe('away');
  await late.close();
  expect([loads(), ...told]).toEqual([1, 'start', 'publish t', 'subscribe t', 'close']);
});

test('a component closed before its start loads nothing and does not start', async () => {
  const { late, loads } = stand();
  await late.close();
  await expect(late.start()).rejects.toThrow('the component is closed');
  expect(loads()).toBe(0);
});
