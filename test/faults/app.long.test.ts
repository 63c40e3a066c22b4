/** Apps that go wrong, many times. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FAULT_NAMES, FaultStand } from './app-faults.ts';
import { killedAndStarted, sigterm } from './life-faults.ts';

let stand: FaultStand;
beforeAll(async () => {
  stand = await FaultStand.start();
});
afterAll(() => stand.close());

test.each(FAULT_NAMES)('the product survives an app that is or sends: %s', async (fault) => {
  const count = fault.includes('100 MB') ? 30 : fault === 'hung' ? 200 : 1000;
  expect(await stand.run(fault, count)).toMatchObject({ tried: count, survived: true, lost: 0 });
});

test('an app that is killed under load and comes back on its port, 10 times', async () => {
  expect(await killedAndStarted(stand, { rounds: 10, each: 500 })).toMatchObject({ survived: true, lost: 0 });
});

test('SIGTERM under load, 10 times', async () => {
  expect(await sigterm(stand, { rounds: 10, each: 500 })).toMatchObject({ survived: true, lost: 0 });
});
