/** A NATS server that is killed and started again under load, many times. */
import { expect, test } from 'vitest';
import { NatsStand } from '../support/nats-stand.ts';
import { natsBroker } from './brokers.ts';
import { underLoad } from './redis-load.ts';

const stand = new NatsStand();

test('20 kills of NATS lose no acknowledged message', async () => {
  const { acknowledged } = await underLoad(natsBroker(stand), { kills: 20, each: 1_000 });
  expect(acknowledged).toBeGreaterThanOrEqual(20_000);
});

test('20 kills of a server without persistence: its waiting messages are delivered from the history', async () => {
  const more = { memoryStorage: 'true', concurrency: 'single' };
  const { acknowledged } = await underLoad(natsBroker(stand, 'nats that keeps nothing', more), {
    kills: 20,
    each: 400,
  });
  expect(acknowledged).toBeGreaterThanOrEqual(8_000);
});
