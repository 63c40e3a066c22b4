/** The chips above the table of Metrics: they have what the rows of the table have. */
import { expect, test } from 'vitest';
import { inAll } from '../../renderer/views/health/MetricsTab.tsx';

type Report = Parameters<typeof inAll>[0];

function topic(counts: object, replayed?: number): Report['topics'][number] {
  const rest = { topic: 't', pubsubname: 'p', published: 0, rate: 0, perSecond: [] };
  return { ...rest, counts, ...(replayed !== undefined && { replayed }) } as Report['topics'][number];
}

test('messages without a subscription, and those that were replayed since, are counted as in the topics', () => {
  const counts = { processed: 3 } as unknown as Report['counts'];
  expect(
    inAll({ counts, topics: [topic({ processed: 3, none: 2 }), topic({ none: 1 }, 4), topic({}, 1)] }),
  ).toEqual({
    counts: { processed: 3, none: 3 },
    replayed: 5,
  });
});
