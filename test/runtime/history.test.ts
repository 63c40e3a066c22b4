/** The hour of history behind the charts: seconds, steps, percentiles, and what falls out. */
import { describe, expect, test } from 'vitest';
import { Durations, History } from '../../core/runtime/telemetry/history.ts';

const START = Date.parse('2026-01-02T03:04:05.000Z');
const second = (n: number): number => START + n * 1000;

describe('durations', () => {
  test('without measurements there is no latency', () => expect(new Durations().latency()).toBeUndefined());

  test('percentiles are the upper end of a bucket, at most a fifth too high', () => {
    const durations = new Durations();
    for (let ms = 1; ms <= 100; ms += 1) durations.add(ms);
    const latency = durations.latency();
    expect(latency?.calls).toBe(100);
    for (const [key, exact] of [
      ['p50Ms', 50],
      ['p95Ms', 95],
      ['p99Ms', 99],
    ] as const) {
      expect(latency?.[key]).toBeGreaterThanOrEqual(exact);
      expect(latency?.[key]).toBeLessThanOrEqual(exact * 1.2 + 0.1);
    }
  });

  test('very short and very long ones have a bucket', () => {
    const durations = new Durations();
    durations.add(0);
    durations.add(3_600_000);
    expect(durations.latency()).toMatchObject({ p50Ms: 0.5, calls: 2 });
  });
});

describe('history', () => {
  test('messages of bulk publishes are counted among the others, and apart', () => {
    const history = new History();
    history.published(second(0));
    history.published(second(0), true);
    history.published(second(0), true);
    history.published(second(1));
    const { points } = history.read(second(2), 60);
    expect(points.map(({ published, bulk }) => ({ published, bulk }))).toEqual([
      { published: 3, bulk: 2 },
      { published: 1, bulk: undefined },
    ]);
  });

  test('only full seconds are returned, from the first event on', () => {
    const history = new History();
    history.published(second(0));
    history.published(second(0));
    expect(history.read(second(0), 60).points).toEqual([]);
    history.entered(second(1), 'queued', 2);
    history.entered(second(1), 'processed', 1);
    history.called(second(1), 10);
    const { stepMs, points } = history.read(second(3), 60);
    expect(stepMs).toBe(1000);
    expect(points.map(({ at, published, entered, open }) => ({ at, published, entered, open }))).toEqual([
      { at: '2026-01-02T03:04:05.000Z', published: 2, entered: {}, open: 0 },
      { at: '2026-01-02T03:04:06.000Z', published: 0, entered: { queued: 1, processed: 1 }, open: 1 },
      { at: '2026-01-02T03:04:07.000Z', published: 0, entered: {}, open: 1 },
    ]);
    expect(points[1]?.latency?.calls).toBe(1);
    expect(points[2]?.latency).toBeUndefined();
  });

  test('a long range comes in at most 120 steps of rates per second', () => {
    const history = new History();
    for (let n = 0; n < 900; n += 1) for (let i = 0; i < 3; i += 1) history.published(second(n));
    const { stepMs, points } = history.read(second(900), 900);
    expect(points.length).toBeLessThanOrEqual(120);
    expect(stepMs).toBe(8000);
    expect(points.every(({ published }) => published === 3)).toBe(true);
  });

  test('a long range over a short life has a point for each second', () => {
    const history = new History();
    history.published(second(0));
    const { stepMs, points } = history.read(second(5), 3600);
    expect([stepMs, points.length]).toEqual([1000, 5]);
  });

  test('events older than an hour are dropped, even after a long silence', () => {
    const history = new History();
    history.published(second(0));
    history.entered(second(0), 'held', 5);
    const { points } = history.read(second(10_000), 3600);
    expect(points.every(({ published }) => published === 0)).toBe(true);
    expect(points.at(-1)?.open).toBe(5);
  });

  test('a clock that steps back moves nothing', () => {
    const history = new History();
    history.published(second(5));
    history.published(second(3));
    expect(history.read(second(6), 60).points.map(({ published }) => published)).toEqual([2]);
  });
});
