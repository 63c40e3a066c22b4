/** A NATS server that is killed and started again under load: a sample; the long suite does more of it. */
import { expect, test } from 'vitest';
import { NatsStand } from '../support/nats-stand.ts';
import { natsBroker } from './brokers.ts';
import { underLoad } from './redis-load.ts';

const stand = new NatsStand();

test('nothing acknowledged is lost, and a publish that is refused says why', async () => {
  const { acknowledged, reasons } = await underLoad(natsBroker(stand), { kills: 1, each: 400 });
  expect(acknowledged).toBeGreaterThanOrEqual(400);
  for (const reason of reasons) expect(reason).toContain(`NATS at ${stand.server.host} cannot be reached`);
});

test('one that comes back empty: what waited in it goes on from the history', async () => {
  const more = { memoryStorage: 'true', concurrency: 'single' };
  const broker = natsBroker(stand, 'nats that keeps nothing', more);
  const { acknowledged } = await underLoad(broker, { kills: 1, each: 400 });
  expect(acknowledged).toBeGreaterThanOrEqual(400);
});
