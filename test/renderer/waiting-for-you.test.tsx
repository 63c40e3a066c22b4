/** Counts and links of the list "Waiting for you". */
import { describe, expect, test } from 'vitest';
import type { RuntimeChanged } from '../../core/contract/console.ts';
import { DELIVERY_STATES } from '../../core/contract/delivery.ts';
import { MACHINE } from '../../core/domain/machine.ts';
import { holdersOf } from '../../renderer/format/holders.ts';
import { passes, type Sample } from '../domain/filter-sample.ts';
import { CAUSE_SHORT } from '../../renderer/copy/causes.ts';
import { WAITING } from '../../renderer/copy/waiting.ts';
import { viewAmount } from '../../renderer/format/view-amount.ts';
import { itemsOf, reasonFilters, sumText } from '../../renderer/views/messages/WaitingForYou.tsx';

const NO_COUNTS = Object.fromEntries(
  DELIVERY_STATES.map((state) => [state, 0]),
) as unknown as RuntimeChanged['counts'];

function runtime(more: Partial<RuntimeChanged>): RuntimeChanged {
  return {
    rates: { in: 0, out: 0 },
    counts: NO_COUNTS,
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

test('messages that were not published are counted, as in the view "Needs attention"', () => {
  const of = runtime({ unpublished: 2, counts: { ...NO_COUNTS, parked: 3, expired: 1 } });
  const items = itemsOf({ runtime: of, problems: 0 });
  expect(items.map(({ n, href }) => [n, href])).toEqual([
    [3, '/messages?f=state%3Aparked'],
    [3, '/messages?f=state%3Aexpired%2Crefused'],
  ]);
  expect(items.reduce((sum, { n }) => sum + n, 0)).toBe(viewAmount('attention', of, 0));
});

test('the number says how it goes with the number of the view "Needs attention"', () => {
  const of = (parked: number, holds: number) => {
    const now = runtime({ holds, counts: { ...NO_COUNTS, parked } });
    return sumText(itemsOf({ runtime: now, problems: 0 }));
  };
  expect(of(4, 0)).toMatch(/^4 in all, the same as in the view "Needs attention"\./);
  expect(of(4, 1)).toMatch(/^5 in all: 4 as in the view "Needs attention", and 1 more\./);
  expect(of(0, 1)).toBe('1 in all. A message has a delivery for each subscription.');
});

test('problems with routes are counted, and lead to the screen with what helps', () => {
  const [item] = itemsOf({ runtime: runtime({}), problems: 0, routes: 2 });
  expect(item).toMatchObject({ n: 2, href: '/apps' });
});

describe('what holds things', () => {
  const holds = [
    { holdId: 'h1', name: 'orders', filter: 'topic:orders' },
    { holdId: 'h2', filter: 'topic:refunds' },
    { holdId: 'h3', filter: '' },
  ];

  test('only holds that hold something now are named, each once', () => {
    expect(holdersOf([{ heldBy: 'h2' }, { heldBy: 'h2' }], holds)).toBe('by "topic:refunds"');
  });

  test('a delivery that a person held is not said to be held by a hold', () => {
    expect(holdersOf([{}, { heldBy: 'h1' }], holds)).toBe('by hand, by "orders"');
  });

  test('a hold without a name and a filter, and one that was removed, have words of their own', () => {
    expect(holdersOf([{ heldBy: 'h3' }, { heldBy: 'gone' }], holds)).toBe(
      'by a hold without a name, by a hold that was removed',
    );
  });
});

test('each rule of the machine that parks or dead-letters a delivery has a sentence of its own', () => {
  for (const [reasons, state] of [
    ['parkedBy', 'parked'],
    ['deadLetteredBy', 'dead-lettered'],
  ] as const) {
    const known = reasonFilters(reasons).map(({ rule }) => rule);
    const rules = MACHINE.filter(({ to }) => to === state).map(({ rule }) => rule);
    expect(rules.filter((rule) => rule !== 'input' && !known.includes(rule))).toEqual([]);
  }
});

test('a message is counted for the rule of its state now, not for one of an earlier state', () => {
  const byHand = reasonFilters('deadLetteredBy').find(({ rule }) => rule === 'user.dead-letter');
  expect(byHand?.filter).toBe('state:dead-lettered lastrule:dead-lettered/user.dead-letter');
  // It used up its attempts, and was then dead-lettered by a person.
  const exhausted = reasonFilters('deadLetteredBy').find(({ rule }) => rule === 'policy.dead-letter');
  expect(exhausted?.filter).toBe(
    'state:dead-lettered lastrule:dead-lettered/policy.dead-letter -lastrule:dead-lettered/user.dead-letter',
  );
});

test('a message is counted for the rule that parked it, not for the rule that dropped another delivery of it', () => {
  const message: Sample = {
    deliveries: [
      { state: 'parked', rule: 'policy.route-error' },
      { state: 'dropped', rule: 'policy.no-route' },
    ],
  };
  const lines = reasonFilters('parkedBy').filter(({ filter }) => passes(filter, message));
  expect(lines.map(({ rule }) => rule)).toEqual(['policy.route-error']);
});

test('attempts that a policy leaves are not said to be used up', () => {
  // A policy may not retry a status, though it allows more attempts.
  const texts = [
    WAITING.parkedBy['policy.exhausted'],
    WAITING.deadLetteredBy['policy.dead-letter'],
    CAUSE_SHORT['policy.exhausted'],
    CAUSE_SHORT['policy.dead-letter'],
  ];
  expect(texts.filter((text) => text === undefined || /attempt (is )?left|used/.test(text))).toEqual([]);
});
