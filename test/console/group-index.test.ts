/** Groups against a plain list of messages: whatever comes, changes and goes, each value is one group with its messages, in its place. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { GroupIndex } from '../../core/console/views/groups/group-index.ts';
import type { GroupOrder } from '../../core/contract/words.ts';

type Values = ReadonlyMap<number, string | undefined>;

/** "a 3" for a group, 5 for message 5, in the order of the lines; a line that is elsewhere than it says is "lost". */
function linesOf(index: GroupIndex): readonly (string | number)[] {
  return Array.from({ length: index.total }, (_, position) => {
    const line = index.lineAt(position);
    if (line === undefined || index.positionOf(line) !== position) return 'lost';
    return line.number ?? `${line.group.value ?? '-'} ${index.row(line.group).messages}`;
  });
}

function inOrder(groups: readonly (readonly [string | undefined, number[]])[], order: GroupOrder) {
  const text = ([value]: (typeof groups)[number]): string => (value === undefined ? '~' : value);
  return groups.toSorted((a, b) =>
    order === 'time' ? (a[1][0] ?? 0) - (b[1][0] ?? 0) : text(a) < text(b) ? -1 : 1,
  );
}

function expected(values: Values, order: GroupOrder, isOpen: boolean): readonly (string | number)[] {
  const groups = new Map<string | undefined, number[]>();
  for (const [number, value] of [...values].toSorted(([a], [b]) => a - b))
    groups.set(value, [...(groups.get(value) ?? []), number]);
  return inOrder([...groups], order).flatMap(([value, numbers]) => [
    `${value ?? '-'} ${numbers.length}`,
    ...(isOpen ? numbers : []),
  ]);
}

const VALUE = fc.option(fc.constantFrom('a', 'b', 'c', 'd'), { nil: undefined });
const STEP = fc.oneof(
  { weight: 6, arbitrary: fc.record({ number: fc.integer({ min: 1, max: 6 }), value: VALUE }) },
  { weight: 2, arbitrary: fc.record({ gone: fc.integer({ min: 1, max: 6 }) }) },
  { weight: 1, arbitrary: fc.constant({ look: true }) },
);

test.each([
  ['time', false],
  ['time', true],
  ['name', false],
  ['name', true],
] as const)('groups by %s stand there once each, with their messages shown: %s', (order, isOpen) => {
  fc.assert(
    fc.property(fc.array(STEP, { maxLength: 40 }), (steps) => {
      const index = new GroupIndex('oldest', order);
      const values = new Map<number, string | undefined>();
      const seen: (readonly (string | number)[])[] = [];
      const wanted: (readonly (string | number)[])[] = [];
      const look = (): void => {
        seen.push(linesOf(index));
        wanted.push(expected(values, order, isOpen));
      };
      if (isOpen) index.setOpen(undefined, true);
      for (const step of steps) {
        if ('gone' in step) {
          values.delete(step.gone);
          index.remove(step.gone);
        } else if ('look' in step) {
          look();
        } else {
          values.set(step.number, step.value);
          index.place(step.number, step.value, 0, 0);
        }
      }
      look();
      expect(seen).toEqual(wanted);
    }),
    { numRuns: 2000 },
  );
});
