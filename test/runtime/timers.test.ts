/** Many timers share one timer of the clock. */
import { describe, expect, test } from 'vitest';
import { Timers } from '../../core/runtime/time/timers.ts';
import { ManualClock } from '../support/manual-clock.ts';

describe('timers', () => {
  test('timers run in order of time, with one timer of the clock', () => {
    const clock = new ManualClock();
    const timers = new Timers(clock);
    const ran: number[] = [];
    for (const ms of [50, 10, 30, 20, 40, 10]) timers.at(clock.now() + ms, () => ran.push(ms));
    expect(clock.waiting).toBe(1);
    clock.advance(35);
    expect(ran).toEqual([10, 10, 20, 30]);
    clock.advance(100);
    expect(ran).toEqual([10, 10, 20, 30, 40, 50]);
    expect(clock.waiting).toBe(0);
  });

  test('cancelled timers do not run and leave the heap, however many', () => {
    const clock = new ManualClock();
    const timers = new Timers(clock);
    const ran: string[] = [];
    const cancels = Array.from({ length: 5000 }, (_, i) =>
      timers.at(clock.now() + 1000 + (i % 7), () => ran.push('cancelled')),
    );
    timers.at(clock.now() + 2000, () => ran.push('kept'));
    for (const cancel of cancels) {
      cancel();
      cancel();
    }
    expect(timers.size).toBe(1);
    clock.advance(5000);
    expect(ran).toEqual(['kept']);
    expect(clock.waiting).toBe(0);
  });

  test('of thousands that are due at once 500 run in one turn of the event loop', () => {
    const due: (() => void)[] = [];
    let now = 0;
    const at = (_ms: number, run: () => void) => {
      due.push(run);
      return () => undefined;
    };
    const timers = new Timers({ now: () => now, monotonic: () => now, at });
    const ran: number[] = [];
    for (let n = 0; n < 1200; n += 1) timers.at(n, () => ran.push(n));
    now = 10_000;
    const counts: number[] = [];
    for (let turn = due.shift(); turn !== undefined; turn = due.shift()) {
      turn();
      counts.push(ran.length);
    }
    expect(counts).toEqual([500, 1000, 1200]);
    expect(ran).toEqual(ran.toSorted((a, b) => a - b));
  });

  test('a timer may set another one for the same time, and may close all', () => {
    const clock = new ManualClock();
    const timers = new Timers(clock);
    const ran: string[] = [];
    timers.at(clock.now() + 10, () => {
      ran.push('first');
      timers.at(clock.now(), () => ran.push('second'));
    });
    timers.at(clock.now() + 20, () => timers.close());
    timers.at(clock.now() + 20, () => ran.push('never'));
    clock.advance(100);
    expect(ran).toEqual(['first', 'second']);
    timers.at(clock.now(), () => ran.push('never'));
    expect([timers.size, clock.waiting]).toEqual([0, 0]);
  });
});
