// Which hold catches a message, where, and how often.
import { describe, expect, test } from 'vitest';
import { HOLD_POINTS } from '../../core/contract/words.ts';
import type { Hold } from '../../core/contract/hold.ts';
import { catchingHold, compileHold, holdsOfOriginal } from '../../core/domain/hold.ts';
import { NOW_MS, sampleSubject } from './filter-sample.ts';

const NONE: ReadonlySet<string> = new Set();

function hold(more: Partial<Hold> = {}): Hold {
  return { holdId: 'hold_1', at: 'delivery', filter: 'topic:orders', enabled: true, hits: 0, ...more };
}

function caughtBy(
  holds: readonly Hold[],
  releasedFrom = NONE,
  at: Hold['at'] = 'delivery',
): string | undefined {
  const compiled = holds.map((each) => {
    const result = compileHold(each);
    if (!result.ok) throw new Error(result.error.message);
    return result.compiled;
  });
  return catchingHold(compiled, at, sampleSubject(), NOW_MS, releasedFrom)?.hold.holdId;
}

describe('a hold catches', () => {
  test('messages that its filter matches', () => {
    expect(caughtBy([hold()])).toBe('hold_1');
    expect(caughtBy([hold({ filter: 'topic:refunds' })])).toBeUndefined();
    expect(caughtBy([])).toBeUndefined();
  });

  test('every message, with an empty filter', () => {
    expect(caughtBy([hold({ filter: ' ' })])).toBe('hold_1');
  });

  test.each(HOLD_POINTS)('only at its point %s', (at) => {
    for (const point of HOLD_POINTS) {
      expect(caughtBy([hold({ at })], NONE, point)).toBe(point === at ? 'hold_1' : undefined);
    }
  });

  test('nothing while it is off', () => {
    expect(caughtBy([hold({ enabled: false })])).toBeUndefined();
  });

  test.each([
    [0, undefined, 'hold_1'],
    [7, undefined, 'hold_1'],
    [4, 5, 'hold_1'],
    [5, 5, undefined],
    [6, 5, undefined],
    [0, 0, undefined],
  ])('with %s hits of %s: %s', (hits, times, caught) => {
    expect(caughtBy([hold({ hits, ...(times === undefined ? {} : { times }) })])).toBe(caught);
  });

  test('messages by their age at the given time', () => {
    expect(caughtBy([hold({ filter: 'age:>=1m' })])).toBe('hold_1');
    expect(caughtBy([hold({ filter: 'age:>1m' })])).toBeUndefined();
  });

  test('only if no earlier hold catches the message', () => {
    const holds = [hold({ enabled: false }), hold({ holdId: 'hold_2' }), hold({ holdId: 'hold_3' })];
    expect(caughtBy(holds)).toBe('hold_2');
    expect(caughtBy(holds, new Set(['hold_2']))).toBe('hold_3');
  });

  test('no message again that it has released', () => {
    expect(caughtBy([hold()], new Set(['hold_1']))).toBeUndefined();
    expect(caughtBy([hold()], new Set(['hold_2']))).toBe('hold_1');
  });
});

describe('a replay', () => {
  test('is not held again by what held the original', () => {
    const original = holdsOfOriginal({ releasedFrom: ['hold_p'] }, [
      { heldBy: 'hold_1' },
      { releasedFrom: ['hold_2', 'hold_3'] },
      {},
    ]);
    expect([...original].toSorted()).toEqual(['hold_1', 'hold_2', 'hold_3', 'hold_p']);
    expect(caughtBy([hold()], original)).toBeUndefined();
    expect(caughtBy([hold({ holdId: 'hold_4' })], original)).toBe('hold_4');
  });

  test('a replay of a message held at publish passes its hold', () => {
    expect([...holdsOfOriginal({ heldBy: 'hold_1' }, [])]).toEqual(['hold_1']);
    expect(holdsOfOriginal({}, []).size).toBe(0);
  });
});

test('a filter that cannot be read gives its mistake', () => {
  expect(compileHold(hold({ filter: 'topik:x' }))).toEqual({
    ok: false,
    error: {
      position: 1,
      length: 5,
      found: 'topik',
      expected: 'a known key',
      suggestion: 'topic',
      message: 'Unknown key "topik" at 1–5. Did you mean "topic"?',
    },
  });
});
