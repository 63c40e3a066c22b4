/** A message that would keep a match rule busy for ever holds up neither the runtime nor the next start. */
import { describe, expect, test } from 'vitest';
import { RuleTurns } from '../../core/runtime/delivering/rule-turns.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { started, subscribe } from '../support/runtime-stand.ts';
import type { Stand } from '../support/runtime-stand.ts';

test('a rule that needs too many steps for a message is an error once, also after a crash', async () => {
  const stand = await started({}, (it) =>
    subscribe(it, {
      topic: 'orders',
      routes: {
        rules: [
          {
            match: 'event.data.items.all(a, event.data.items.exists_one(b, b.sku == a.sku))',
            path: '/unique',
          },
        ],
        default: '/orders',
      },
    }),
  );
  const items = Array.from({ length: 10_000 }, (_, index) => ({ sku: `s${index}` }));
  // Accepted and not yet looked at when the process ends.
  stand.journal.afterAppend = ([first]) => {
    if (first?.kind === 'message.accepted') stand.crash();
  };
  void stand.publish('orders', { items });
  await stand.settle();
  const accepted = stand.journal.records.find(({ kind }) => kind === 'message.accepted');
  const id = accepted?.kind === 'message.accepted' ? accepted.message.row.messageId : '';
  await stand.start();
  await stand.settle();
  expect(stand.runtime.resources.began).toMatchObject({ unfinished: 1, republished: 1 });
  // No rule is evaluated before the start is over.
  expect(await stand.states(id)).toEqual(['queued']);
  await stand.pass(1);
  const { state, transitions } = await stand.delivery(id);
  expect([state, transitions.at(-1)?.rule]).toEqual(['parked', 'policy.route-error']);
  expect(transitions.at(-1)?.note).toContain('the rule needed more than 200,000 steps');
  stand.crash();
  await stand.start();
  expect(stand.runtime.resources.began).toMatchObject({ unfinished: 1, republished: 0, parked: 1 });
  const next = await stand.publish('orders', { items: items.slice(0, 10) });
  expect(await stand.states(next)).toEqual(['processed']);
});

describe('messages whose rules take long', () => {
  const rules = [
    {
      match: 'event.data.items.all(a, event.data.items.exists_one(b, b.sku == a.sku))',
      path: '/unique',
    },
  ];
  const items = Array.from({ length: 100 }, (_, index) => ({ sku: `s${index}` }));
  const all = Array.from({ length: 40 }, (_, n) => n);
  const heavy = (): Promise<Stand> =>
    started({}, (it) => {
      subscribe(
        it,
        { topic: 'orders', routes: { rules, default: '/orders' }, deadLetterTopic: 'dead' },
        { topic: 'plain', route: '/plain' },
      );
      it.set('delivery.concurrency', 1);
    });
  const numbersOf = (stand: Stand): unknown[] =>
    stand.app.calls.flatMap(({ path, json }) =>
      path === '/plain' ? [] : [(json()['data'] as { n: number }).n],
    );

  test('let other work run in between, and keep their order', async () => {
    const stand = await heavy();
    for (const n of all) await stand.publish('orders', { n, items });
    const before = stand.app.calls.length;
    expect(before).toBeGreaterThan(0);
    expect(before).toBeLessThan(all.length);
    const plain = await stand.publish('plain');
    expect(await stand.states(plain)).toEqual(['processed']);
    await stand.pass(1_000);
    expect(numbersOf(stand)).toEqual(all);
  });

  test('count with what their rules compile, for which no event pays', async () => {
    // More of them than are kept compiled, so that each message compiles them again.
    const long = ['a', 'b', 'c', 'd', 'e'].map((letter) => ({
      match: `event.data.text.matches("${letter.repeat(2_000)}")`,
      path: `/${letter}`,
    }));
    const stand = await started({}, (it) => {
      subscribe(it, { topic: 'orders', routes: { rules: long, default: '/orders' } });
      it.set('delivery.concurrency', 1);
    });
    const few = all.slice(0, 6);
    for (const n of few) await stand.publish('orders', { n, text: 'x' });
    expect(stand.app.calls.length).toBeLessThan(few.length);
    await stand.pass(1_000);
    expect(numbersOf(stand)).toEqual(few);
  });

  test('count with reading the event, however cheap their rules are', async () => {
    const cheap = [{ match: 'event.data.n >= 0', path: '/any' }];
    const stand = await started({}, (it) => {
      subscribe(it, { topic: 'orders', routes: { rules: cheap, default: '/orders' } });
      it.set('delivery.concurrency', 1);
    });
    const few = all.slice(0, 10);
    const text = 'x'.repeat(1_000_000);
    for (const n of few) await stand.publish('orders', { n, text });
    expect(stand.app.calls.length).toBeLessThan(few.length);
    await stand.pass(1_000);
    expect(numbersOf(stand)).toEqual(few);
  });

  test('count with wrapping the bytes of a raw subscription', async () => {
    const cheap = [{ match: 'event.topic == "orders"', path: '/any' }];
    const stand = await started({}, (it) => {
      const metadata = { rawPayload: 'true' };
      subscribe(it, { topic: 'orders', metadata, routes: { rules: cheap, default: '/orders' } });
      it.set('delivery.concurrency', 1);
    });
    const few = all.slice(0, 10);
    for (const n of few) await stand.publish('orders', `${n}${'x'.repeat(1_000_000)}`);
    expect(stand.app.calls.length).toBeLessThan(few.length);
    await stand.pass(1_000);
    expect(stand.app.calls).toHaveLength(few.length);
  });

  test('deliveries that have not begun at a crash are made after it', async () => {
    const stand = await heavy();
    for (const n of all) await stand.publish('orders', { n, items });
    stand.crash();
    await stand.start();
    await stand.pass(1_000);
    expect(new Set(numbersOf(stand))).toEqual(new Set(all));
  });

  test('a message removed meanwhile is not sent; one whose rules fail is dead-lettered in its turn', async () => {
    const stand = await heavy();
    const ids: string[] = [];
    for (const n of all) ids.push(await stand.publish('orders', n === 39 ? { n } : { n, items }));
    const [removed = '', failing = ''] = [ids[38], ids[39]];
    await stand.runtime.removals.removeAtOnce([removed]);
    await stand.pass(1_000);
    expect(await stand.way(failing)).toEqual(['dead-lettered policy.route-error (policy)']);
    expect(numbersOf(stand)).toEqual(all.slice(0, 38));
  });

  test('count in the backlog with each delivery while they wait', async () => {
    const stand = await started({}, (it) => {
      it.set('delivery.concurrency', 1);
      it.set('delivery.backlog', 20);
      subscribe(it, { topic: 'orders', routes: { rules, default: '/orders' } });
    });
    let refusals = 0;
    for (const n of all) await stand.publish('orders', { n, items }).catch(() => (refusals += 1));
    expect(refusals).toBeGreaterThan(0);
    await stand.pass(1_000);
    expect(numbersOf(stand)).toHaveLength(all.length - refusals);
    // Nothing of what waited counts any more.
    for (const n of all.slice(0, 10)) await stand.publish('orders', { n });
  });
});

test('deliveries behind costly rules begin in several turns, however cheap their own rules are', async () => {
  const at: (() => void)[] = [];
  const turns = new RuleTurns({
    clock: new ManualClock(),
    timers: { at: (_ms: number, run: () => void) => (at.push(run), () => undefined) },
  });
  turns.spent(1_000_000);
  let begun = 0;
  const ones = Array.from({ length: 1_200 }, (_, n) => ({ n }));
  const all = Promise.all(ones.map(async (one) => turns.later(one, () => void (begun += 1))));
  expect([0, 1, 1_199].map((n) => turns.ahead(ones[n] ?? {}))).toEqual([0, 1, 1_199]);
  const counts: number[] = [];
  for (let run = at.shift(); run !== undefined; run = at.shift()) {
    run();
    while (at.length === 0 && begun < ones.length) await Promise.resolve();
    counts.push(begun);
    const next = ones[begun];
    expect(next === undefined ? 0 : turns.ahead(next)).toBe(0);
  }
  await all;
  expect(counts).toEqual([500, 1_000, 1_200]);
  expect(turns.ahead(ones[0] ?? {})).toBeUndefined();
});
