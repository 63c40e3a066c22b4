/** The chips above the table of Metrics: they have what the rows of the table have. */
import { expect, test } from 'vitest';
import { DELIVERY_STATES } from '../../core/contract/delivery.ts';
import { inAll } from '../../renderer/views/health/MetricsTab.tsx';

test('messages without a subscription, and those that were replayed since, are counted as in the topics', () => {
  const none = Object.fromEntries(DELIVERY_STATES.map((state) => [state, 0]));
  const counts = { ...none, processed: 3 } as Parameters<typeof inAll>[0]['counts'];
  const topics = [
    { counts: { processed: 3, none: 2 } },
    { counts: { none: 1 }, replayed: 4 },
    { counts: {}, replayed: 1 },
  ];
  expect(inAll({ counts, topics })).toEqual({ counts: { ...counts, none: 3 }, replayed: 5 });
});
