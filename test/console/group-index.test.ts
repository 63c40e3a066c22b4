/** Groups against a plain list of messages: whatever comes, changes and goes, each value is one group with its messages, in its place. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { GroupIndex } from '../../core/console/views/groups/group-index.ts';
import { ROW_STATES, type GroupOrder } from '../../core/contract/words.ts';
import { times } from '../support/extent.ts';

/** How groups and the messages in them are put in order, and whether the messages are shown. */
interface Way {
  readonly order: GroupOrder;
  readonly time: 'newest' | 'oldest';
  readonly isOpen: boolean;
}

type Values = ReadonlyMap<number, string | undefined>;

/** "a 3" for a group, 5 for message 5, in the order of the lines; a line that is elsewhere than it says is "lost". */
function linesOf(index: GroupIndex): readonly (string | number)[] {
  return Array.from({ length: index.total }, (_, position) => {
    const line = index.lineAt(position);
    if (line === undefined || index.positionOf(line) !== position) return 'lost';
    return line.number ?? `${line.group.value ?? '-'} ${index.row(line.group).messages}`;
  });
}

/** Texts that sort as the groups do; a state by its place among the states. */
const KEYS: Readonly<Record<Exclude<GroupOrder, 'time'>, (value: string | undefined) => string>> = {
  name: (value = '~') => value,
  attention: (value) => String.fromCodePoint(65 + ROW_STATES.findIndex((state) => state === value)),
};

function inOrder(
  groups: readonly (readonly [string | undefined, readonly number[]])[],
  { order, time }: Way,
): typeof groups {
  if (order !== 'time') return groups.toSorted(([a], [b]) => (KEYS[order](a) < KEYS[order](b) ? -1 : 1));
  const oldest = groups.toSorted(([, a], [, b]) => Math.min(...a) - Math.min(...b));
  return time === 'oldest' ? oldest : oldest.toReversed();
}

function expected(values: Values, way: Way): readonly (string | number)[] {
  const { time, isOpen } = way;
  const groups = new Map<string | undefined, number[]>();
  for (const [number, value] of [...values].toSorted(([a], [b]) => (time === 'oldest' ? a - b : b - a)))
    groups.set(value, [...(groups.get(value) ?? []), number]);
  return inOrder([...groups], way).flatMap(([value, numbers]) => [
    `${value ?? '-'} ${numbers.length}`,
    ...(isOpen ? numbers : []),
  ]);
}

const NAMES = ['a', 'b', 'c', 'd'];
const STATES = ['parked', 'held', 'processed', 'queued'];

/** What comes, goes and is looked at, in groups of these values. */
const stepsOf = (values: readonly string[]) =>
  fc.array(
    fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({
          number: fc.integer({ min: 1, max: 6 }),
          value: fc.option(fc.constantFrom(...values), { nil: undefined }),
        }),
      },
      { weight: 2, arbitrary: fc.record({ gone: fc.integer({ min: 1, max: 6 }) }) },
      { weight: 1, arbitrary: fc.constant({ look: true }) },
    ),
    { maxLength: 40 },
  );

const WAYS: readonly Way[] = (['time', 'name', 'attention'] as const).flatMap((order) =>
  (['oldest', 'newest'] as const).flatMap((time) => [false, true].map((isOpen) => ({ order, time, isOpen }))),
);

test.each(WAYS)(
  'groups by $order, $time first, stand there once each, with their messages shown: $isOpen',
  (way) => {
    fc.assert(
      fc.property(stepsOf(way.order === 'attention' ? STATES : NAMES), (steps) => {
        const index = new GroupIndex(way.time, way.order);
        const values = new Map<number, string | undefined>();
        const seen: (readonly (string | number)[])[] = [];
        const wanted: (readonly (string | number)[])[] = [];
        const look = (): void => {
          seen.push(linesOf(index));
          wanted.push(expected(values, way));
        };
        if (way.isOpen) index.setOpen(undefined, true);
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
      { numRuns: times(250, 700) },
    );
  },
);
