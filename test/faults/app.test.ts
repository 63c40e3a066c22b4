/** Apps that go wrong: samples; the long suite does more of each. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FAULT_NAMES, FaultStand } from './app-faults.ts';
import { killedAndStarted, sigterm } from './life-faults.ts';

let stand: FaultStand;
beforeAll(async () => {
  stand = await FaultStand.start();
}, 90_000);
afterAll(() => stand.close());

test.each(FAULT_NAMES)(
  'no message is lost by an app that is or sends: %s',
  async (fault) => {
    const count = fault.includes('100 MB') ? 3 : 20;
    expect(await stand.run(fault, count)).toMatchObject({ tried: count, survived: true, lost: 0 });
  },
  60_000,
);

test('no message is lost by an app that is killed under load and comes back on its port', async () => {
  expect(await killedAndStarted(stand, { rounds: 1, each: 100 })).toMatchObject({ survived: true, lost: 0 });
}, 60_000);

test('SIGTERM under load ends the product gracefully, and acknowledged messages continue afterwards', async () => {
  expect(await sigterm(stand, { rounds: 1, each: 200 })).toMatchObject({
    survived: true,
    lost: 0,
    statuses: [0],
  });
}, 90_000);
