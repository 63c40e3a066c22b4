/** Which signal is a second wish to end: not the one that comes to a process and to its group at the same time. */
import { expect, onTestFinished, test } from 'vitest';
import { onSignals } from '../../core/host/signals.ts';
import { ManualClock } from '../support/manual-clock.ts';

test('a signal within half a second of the first is the same request, and every later one is another', () => {
  const clock = new ManualClock();
  const taken: [string, boolean][] = [];
  const before = process.listeners('SIGHUP').length;
  const restore = onSignals((...one) => taken.push(one), clock);
  onTestFinished(restore);
  // A signal that the process sends to itself would come later, at a time of its own.
  const send = (): void => void process.emit('SIGHUP', 'SIGHUP');
  send();
  send();
  clock.advance(500);
  send();
  clock.advance(1);
  send();
  send();
  expect(taken.map(([, isAgain]) => isAgain)).toEqual([false, false, false, true, true]);
  expect(taken.map(([signal]) => signal)).toEqual(taken.map(() => 'SIGHUP'));
  restore();
  expect(process.listeners('SIGHUP')).toHaveLength(before);
});
