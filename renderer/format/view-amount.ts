/** How many deliveries the views of every console and the states of the footer hold, and whether that is more than the messages of their list. */
import type { RuntimeChanged } from '../../core/contract/console.ts';
import type { DeliveryState } from '../../core/contract/delivery.ts';
import { fill } from '../copy/fill.ts';
import { LIST, VIEWS } from '../copy/messages.ts';
import { count } from './quantity.ts';

type ViewId = (typeof VIEWS)[number]['id'];

type Counted = Pick<RuntimeChanged, 'counts' | 'holds' | 'unpublished' | 'droppedEarly'>;

/** Number after the title of a view: deliveries, and messages that have none. */
export function viewAmount(id: ViewId, runtime: Counted | undefined, unsubscribed: number): number {
  if (runtime === undefined) return 0;
  const { counts } = runtime;
  const without = withoutDelivery(id, runtime);
  switch (id) {
    case 'attention':
      return counts.parked + counts['dead-lettered'] + counts.expired + without;
    case 'held':
      return runtime.holds;
    case 'retrying':
      return counts.retrying;
    case 'dead-lettered':
      return counts['dead-lettered'];
    case 'dropped':
      return counts.dropped + without;
    case 'none':
      return unsubscribed;
    case 'all':
      return 0;
  }
}

/** How many messages that ended before any delivery are in the number of a view. */
export function withoutDelivery(id: ViewId | undefined, runtime: Counted | undefined): number {
  if (id === 'attention') return runtime?.unpublished ?? 0;
  return id === 'dropped' ? (runtime?.droppedEarly ?? 0) : 0;
}

/**
 * What the number of a view counts, in words: `9 held`, `3 deliveries`.
 * @param without messages among them that have no delivery
 */
export function amountText(id: ViewId | undefined, n: number, without = 0): string {
  if (id === 'held') return fill(LIST.held, { n: count(n) });
  if (without === 0) return fill(LIST.deliveries, { n: count(n) });
  if (n === without) return fill(LIST.onlyWithout, { m: count(n) });
  return fill(LIST.partlyWithout, { n: count(n - without), m: count(without) });
}

type FooterState = DeliveryState | 'waiting';

const SHOWN: readonly FooterState[] = ['queued', 'waiting', 'attempting', 'retrying', 'parked', 'held'];

type Footed = Pick<RuntimeChanged, 'counts' | 'queuedForApp' | 'forApp'>;

/**
 * The numbers of deliveries by state in the footer. A delivery that waits for its app is queued too, and a filter is about whole messages, so
 * that none finds the others alone: both numbers have it, and the second one says so.
 */
export function footerStates({ counts, queuedForApp = 0 }: Footed): readonly {
  readonly state: FooterState;
  readonly n: number;
  /** Finds what the number counts. */
  readonly filter: string;
}[] {
  const numbers = { ...counts, waiting: queuedForApp };
  return SHOWN.map((state) => ({ state, n: numbers[state], filter: `state:${state}` })).filter(
    ({ state, n }) => n > 0 || state === 'queued',
  );
}

/** Number of messages that wait for an app to list its subscriptions: they have no delivery yet. */
export function waitingMessages({ forApp = 0, queuedForApp = 0 }: Footed): number {
  return Math.max(0, forApp - queuedForApp);
}

/**
 * Number of deliveries behind this filter in a tab or in the footer, if it is more than the listed messages: a message has a delivery for
 * each subscription, and both figures are on the screen. A held answer and a message held before any delivery count as held, too.
 */
export function beyondListed(
  listed: number,
  filter: string,
  runtime: (Counted & Footed) | undefined,
): string | undefined {
  if (runtime === undefined) return undefined;
  const view = VIEWS.find((each) => each.filter === filter);
  if (view?.id === 'none') return undefined;
  const n =
    view === undefined
      ? footerStates(runtime).find((each) => each.filter === filter)?.n
      : viewAmount(view.id, runtime, 0);
  if (n === undefined || n <= listed) return undefined;
  return amountText(view?.id, n, withoutDelivery(view?.id, runtime));
}
