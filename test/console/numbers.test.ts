/** Lists of message numbers: the runs say the same as a plain set would. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RunList, lowerBound, mergeSorted } from '../../core/console/numbers.ts';
import { times } from '../support/extent.ts';

function everything(list: RunList): readonly (number | undefined)[] {
  return Array.from({ length: list.total }, (_, index) => list.at(index));
}

/** Compares everything that can be asked of a list. */
function expectSame(list: RunList, set: ReadonlySet<number>): void {
  const sorted = [...set].toSorted((a, b) => a - b);
  expect(everything(list)).toEqual(sorted);
  expect(list.total).toBe(sorted.length);
  expect(list.last).toBe(sorted.at(-1) ?? 0);
  for (let number = 0; number <= 45; number += 1) {
    expect(list.indexOf(number)).toBe(sorted.indexOf(number));
    expect(list.has(number)).toBe(set.has(number));
    expect(list.rank(number)).toBe(sorted.filter((other) => other <= number).length);
  }
  expect(list.at(-1)).toBeUndefined();
  expect(list.at(list.total)).toBeUndefined();
}

type Step =
  | { readonly kind: 'add'; readonly number: number }
  | { readonly kind: 'remove'; readonly number: number }
  | { readonly kind: 'replace'; readonly number: number; readonly keep: readonly number[] };

function keptOf({ keep, number }: Extract<Step, { kind: 'replace' }>): readonly number[] {
  return keep.filter((other) => other <= number).toSorted((a, b) => a - b);
}

function doTo(list: RunList, step: Step): unknown {
  if (step.kind === 'add') return list.add(step.number);
  if (step.kind === 'remove') return list.remove(step.number);
  return list.replaceUpTo(step.number, keptOf(step));
}

function doToSet(set: Set<number>, step: Step): unknown {
  if (step.kind === 'remove') return set.delete(step.number);
  if (step.kind === 'add') {
    const isKnown = set.has(step.number);
    const isLast = [...set].every((other) => other < step.number);
    set.add(step.number);
    if (isKnown) return 'known';
    return isLast ? 'appended' : 'inserted';
  }
  for (const other of [...set]) if (other <= step.number) set.delete(other);
  for (const other of keptOf(step)) set.add(other);
  return undefined;
}

const number = fc.integer({ min: 1, max: 40 });
const act: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), number }),
  fc.record({ kind: fc.constant('remove' as const), number }),
  fc.record({ kind: fc.constant('replace' as const), number, keep: fc.uniqueArray(number) }),
);

describe('a run list', () => {
  test('has the same content as a set after any operations', () => {
    fc.assert(
      fc.property(fc.uniqueArray(number), fc.array(act, { maxLength: 30 }), (start, acts) => {
        const set = new Set(start);
        const list = RunList.of(start.toSorted((a, b) => a - b));
        const said = acts.map((step) => doTo(list, step));
        expect(said).toEqual(acts.map((step) => doToSet(set, step)));
        expectSame(list, set);
      }),
      { numRuns: times(100, 500) },
    );
  });

  test('made from a range has both its ends', () => {
    expect(everything(RunList.range(3, 7))).toEqual([3, 4, 5, 6, 7]);
    expect(everything(RunList.range(5, 4))).toEqual([]);
  });
});

describe('sorted lists', () => {
  const sorted = fc.uniqueArray(fc.nat(50)).map((numbers) => numbers.toSorted((a, b) => a - b));

  test('merge without duplicates', () => {
    fc.assert(
      fc.property(sorted, sorted, (left, right) => {
        expect(mergeSorted(left, right)).toEqual([...new Set([...left, ...right])].toSorted((a, b) => a - b));
      }),
    );
  });

  test('are searched', () => {
    fc.assert(
      fc.property(sorted, fc.nat(50), (numbers, number) => {
        expect(lowerBound(numbers, number)).toBe(numbers.filter((other) => other < number).length);
      }),
    );
  });
});
