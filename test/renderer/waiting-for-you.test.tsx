/** Counts and links of the list "Waiting for you". */
import { expect, test } from 'vitest';
import type { RuntimeChanged } from '../../core/contract/console.ts';
import { DELIVERY_STATES } from '../../core/contract/delivery.ts';
import { askingNames, itemsOf } from '../../renderer/views/messages/WaitingForYou.tsx';

function runtime(more: Partial<RuntimeChanged>): RuntimeChanged {
  const counts = Object.fromEntries(DELIVERY_STATES.map((state) => [state, 0]));
  return {
    rates: { in: 0, out: 0 },
    counts: counts as unknown as RuntimeChanged['counts'],
    kept: 0,
    limit: 100,
    health: [],
    holds: 0,
    waiting: 0,
    ...more,
  };
}

test('the page says so if nothing waits', () => {
  expect(itemsOf({ runtime: runtime({}), problems: 0 })).toEqual([]);
});

test('messages that wait for their app are counted, with a link to the filter that finds them', () => {
  const items = itemsOf({ runtime: runtime({ forApp: 3, holds: 2 }), problems: 0 });
  expect(items.map(({ n, href }) => [n, href])).toEqual([
    [2, '/holds'],
    [3, '/messages?f=state%3Awaiting'],
  ]);
});

test('a rule that asks in one step of a sequence, or by chance, is named like one that always asks', () => {
  const ask = { kind: 'ask' } as const;
  const rule = { enabled: true, match: {} };
  const names = askingNames([
    { ...rule, name: 'always', answer: ask },
    { ...rule, name: 'later', answer: { kind: 'sequence', steps: [{ kind: 'hang' }, ask], then: 'loop' } },
    { ...rule, name: 'by chance', answer: { kind: 'random', of: [{ share: 100, answer: ask }] } },
    { ...rule, name: 'never', answer: { kind: 'hang' } },
    { ...rule, name: 'off', enabled: false, answer: ask },
  ]);
  expect(names).toBe('"always", "later", "by chance"');
});
