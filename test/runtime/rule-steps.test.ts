// A message that would keep a match rule busy for ever holds up neither the runtime nor the next start.
import { expect, test } from 'vitest';
import { started, subscribe } from '../support/runtime-stand.ts';

test('a message whose rule needs too many steps is an error once, also when the crash came first', async () => {
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
  const { state, transitions } = await stand.delivery(id);
  expect([state, transitions.at(-1)?.rule]).toEqual(['parked', 'policy.route-error']);
  expect(transitions.at(-1)?.note).toContain('the rule needed more than 200,000 steps');
  stand.crash();
  await stand.start();
  expect(stand.runtime.resources.began).toMatchObject({ unfinished: 1, republished: 0, parked: 1 });
  const next = await stand.publish('orders', { items: items.slice(0, 10) });
  expect(await stand.states(next)).toEqual(['processed']);
});
