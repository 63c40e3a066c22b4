/** Which piece of the graph is shown first, and at what size. */
import { describe, expect, test } from 'vitest';
import { around, beginning, beyond, READABLE } from '../../renderer/views/topics/graph-layout.ts';

const FIRST = { x: 0, y: 300, width: 176, height: 60 };

describe('the graph begins', () => {
  test('as a whole if its words can be read', () => {
    const whole = { x: 0, y: 0, width: 1240, height: 680 };
    expect(beginning(whole, FIRST, { width: 1076, height: 590 })).toBeUndefined();
  });

  test('at its first column in a narrow window, and in the middle of a wide one', () => {
    const whole = { x: 0, y: 0, width: 1300, height: 600 };
    const place = beginning(whole, FIRST, { width: 626, height: 650 });
    expect(place?.zoom).toBeGreaterThan(READABLE);
    expect(place?.x).toBe(16);
    expect(place?.y).toBeCloseTo((650 - 600 * (place?.zoom ?? 1)) / 2);
  });

  test('around its first part if it is higher than the window, and never past its ends', () => {
    const whole = { x: 0, y: 0, width: 1300, height: 6000 };
    const frame = { width: 626, height: 650 };
    const middle = beginning(whole, { ...FIRST, y: 3000 }, frame);
    expect(middle?.y).toBeCloseTo(325 - 3030 * (middle?.zoom ?? 1));
    expect(beginning(whole, { ...FIRST, y: 0 }, frame)?.y).toBe(16);
    const last = beginning(whole, { ...FIRST, y: 5940 }, frame);
    expect((last?.y ?? 0) + 6000 * (last?.zoom ?? 1)).toBeCloseTo(650 - 16);
  });
});

test('parts out of sight are indicated at their side', () => {
  const whole = around([
    { x: 0, y: 0, width: 100, height: 50 },
    { x: 900, y: 550, width: 100, height: 50 },
  ]);
  expect(whole).toEqual({ x: 0, y: 0, width: 1000, height: 600 });
  const frame = { width: 1000, height: 600 };
  expect(beyond(whole, { x: 0, y: 0, zoom: 1 }, frame)).toEqual([]);
  expect(beyond(whole, { x: 0, y: 0, zoom: 1.1 }, frame)).toEqual(['down', 'right']);
  expect(beyond(whole, { x: -50, y: -50, zoom: 1 }, frame)).toEqual(['up', 'left']);
});
