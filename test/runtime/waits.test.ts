/** Waits of loops that end with the runtime. */
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Waits } from '../../core/runtime/time/waits.ts';
import { ManualClock } from '../support/manual-clock.ts';

test('a wait ends after its time, when woken, and at once after the end', async () => {
  const clock = new ManualClock();
  const waits = new Waits(clock);
  const ended: string[] = [];
  void waits.wait(100).then(() => ended.push('in time'));
  clock.advance(100);
  await setImmediate();
  void waits.wait(1000).then(() => ended.push('woken'));
  waits.wake();
  await setImmediate();
  void waits.wait(1000).then(() => ended.push('at the end'));
  waits.end();
  await waits.wait(1000);
  expect(ended).toEqual(['in time', 'woken', 'at the end']);
  expect(clock.waiting).toBe(0);
});
