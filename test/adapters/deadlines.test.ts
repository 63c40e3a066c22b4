/** Calls that take too long call back once; those that ended do not. */
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { Call } from '../../core/adapters/http-app-channel/call.ts';
import { Deadlines } from '../../core/adapters/http-app-channel/deadlines.ts';

test('property: each deadline that has not ended calls back once, those of one length in order of their start', async () => {
  const calls = fc.array(fc.record({ ms: fc.constantFrom(1, 2, 5), ends: fc.option(fc.nat(20)) }), {
    maxLength: 20,
  });
  await fc.assert(
    fc.asyncProperty(calls, async (all) => {
      const deadlines = new Deadlines();
      const told: number[] = [];
      let look: () => void = () => undefined;
      const tell = (nth: number): void => {
        told.push(nth);
        look();
      };
      const begun = all.map(({ ms }, nth) => deadlines.begin(ms, () => tell(nth)));
      const ended = new Set<number>();
      for (const { ends } of all) {
        if (ends === null || ends >= begun.length) continue;
        begun[ends]?.end();
        begun[ends]?.end();
        ended.add(ends);
      }
      const left = [...all.keys()].filter((nth) => !ended.has(nth));
      const whole = new Promise<void>((resolve) => {
        look = () => {
          if (told.length >= left.length) resolve();
        };
      });
      look();
      await whole;
      for (const ms of [1, 2, 5]) {
        const wanted = left.filter((nth) => all[nth]?.ms === ms);
        expect(told.filter((nth) => all[nth]?.ms === ms)).toEqual(wanted);
      }
    }),
    { numRuns: 20 },
  );
});

test('the callback of a deadline may begin another one', async () => {
  const deadlines = new Deadlines();
  const told: string[] = [];
  await new Promise<void>((over) => {
    deadlines.begin(1, () => {
      told.push('first');
      deadlines.begin(1, () => {
        told.push('second');
        over();
      });
    });
    deadlines.begin(1, () => told.push('beside'));
  });
  expect(told).toEqual(['first', 'beside', 'second']);
});

test('a deadline that begins while another passes does not delay earlier ones', async () => {
  vi.useFakeTimers();
  try {
    const deadlines = new Deadlines(() => globalThis.performance.now());
    const told: string[] = [];
    deadlines.begin(300, () => {
      told.push('first');
      deadlines.begin(300, () => told.push('begun late'));
    });
    await vi.advanceTimersByTimeAsync(100);
    deadlines.begin(300, () => told.push('second'));
    await vi.advanceTimersByTimeAsync(310);
    expect(told).toEqual(['first', 'second']);
    await vi.advanceTimersByTimeAsync(200);
    expect(told).toEqual(['first', 'second', 'begun late']);
  } finally {
    vi.useRealTimers();
  }
});

test('an answer that has come in time is not late because its decoding takes longer', async () => {
  const limits = { timeoutMs: 1, deadlines: new Deadlines(), maxBodyBytes: 8_000_000, startBytes: 10 };
  const call = new Call(limits, () => undefined);
  call.begin();
  call.head(200, { 'content-encoding': 'gzip' });
  // Decoding gives one piece of 16 KiB after the other, each in a later turn of the event loop.
  call.data(gzipSync(Buffer.alloc(8_000_000)));
  call.ended();
  expect(await call.answer).toMatchObject({ kind: 'response', status: 200, body: { length: 8_000_000 } });
});
