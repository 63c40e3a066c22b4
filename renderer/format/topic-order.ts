/** The order of the topics in their table: that of the host, or by a column that a person chose. */
import type { TopicRow } from '../../core/contract/subscription.ts';

export const TOPIC_SORTS = ['topic', 'component', 'published', 'rate', 'last'] as const;
export type TopicSort = (typeof TOPIC_SORTS)[number];

export interface TopicOrder {
  readonly by: TopicSort;
  readonly isDown: boolean;
}

const VALUES: Readonly<Record<TopicSort, (row: TopicRow) => string | number>> = {
  topic: ({ topic }) => topic,
  component: ({ pubsubname }) => pubsubname,
  published: ({ published }) => published,
  rate: ({ rate }) => rate,
  last: ({ lastAt }) => lastAt ?? '',
};

/** Names begin with the first letter, figures and times with the largest. */
const BEGINS_DOWN: ReadonlySet<TopicSort> = new Set(['published', 'rate', 'last']);

/** The order after a press on a head: this column, then the other way round, then the order of the host again. */
export function nextOrder(order: TopicOrder | undefined, by: TopicSort): TopicOrder | undefined {
  const isDown = BEGINS_DOWN.has(by);
  if (order?.by !== by) return { by, isDown };
  return order.isDown === isDown ? { by, isDown: !isDown } : undefined;
}

/** The rows in this order; those with equal values stay in the order of the host. */
export function inOrder(rows: readonly TopicRow[], order: TopicOrder | undefined): readonly TopicRow[] {
  if (order === undefined) return rows;
  const valueOf = VALUES[order.by];
  const sign = order.isDown ? -1 : 1;
  return rows.toSorted((one, other) => sign * compare(valueOf(one), valueOf(other)));
}

function compare(one: string | number, other: string | number): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return String(one) < String(other) ? -1 : Number(one !== other);
}
