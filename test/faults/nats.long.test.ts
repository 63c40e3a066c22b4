/** A NATS server that is killed and started again under load, many times. */
import { expect, test } from 'vitest';
import { NatsStand } from '../support/nats-stand.ts';
import { natsBroker } from './brokers.ts';
import { underLoad } from './redis-load.ts';

const stand = new NatsStand();

test('20 kills: nothing acknowledged is lost', async () => {
  const { acknowledged } = await underLoad(natsBroker(stand), { kills: 20, each: 1_000 });
  expect(acknowledged).toBeGreaterThanOrEqual(20_000);
});
