/** How many deliveries the views of every console hold, and whether that is more than the messages of their list. */
import type { RuntimeChanged } from '../../core/contract/console.ts';
import { fill } from '../copy/fill.ts';
import { LIST, VIEWS } from '../copy/messages.ts';
import { count } from './quantity.ts';

type ViewId = (typeof VIEWS)[number]['id'];

/** Number after the title of a view: deliveries, and messages that have none. */
export function viewAmount(
  id: ViewId,
  runtime: Pick<RuntimeChanged, 'counts' | 'holds'> | undefined,
  unsubscribed: number,
): number {
  if (runtime === undefined) return 0;
  const { counts } = runtime;
  switch (id) {
    case 'attention':
      return counts.parked + counts['dead-lettered'] + counts.expired;
    case 'held':
      return runtime.holds;
    case 'retrying':
      return counts.retrying;
    case 'dead-lettered':
      return counts['dead-lettered'];
    case 'none':
      return unsubscribed;
    case 'all':
      return 0;
  }
}

/**
 * Count of the tab of this filter, if it is more than the listed messages: a message has a delivery for each subscription, and both figures
 * are on the screen. A held answer and a message held before any delivery count as held, too.
 */
export function beyondListed(
  listed: number,
  filter: string,
  runtime: Pick<RuntimeChanged, 'counts' | 'holds'> | undefined,
): string | undefined {
  const view = VIEWS.find((each) => each.filter === filter);
  if (view === undefined || view.id === 'none') return undefined;
  const n = viewAmount(view.id, runtime, 0);
  return n > listed ? fill(view.id === 'held' ? LIST.held : LIST.deliveries, { n: count(n) }) : undefined;
}
