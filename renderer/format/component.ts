/** How a component stands, in the words of its list. */
import type { ComponentRow } from '../../core/contract/subscription.ts';

export type Standing = ComponentRow['state'] | 'lost';

/** One that is tried again by itself is not initialised yet, whatever went wrong; one that was there may have lost its server. */
export function standingOf({ state, nextStartAt, lost }: ComponentRow): Standing {
  if (state === 'failed' && nextStartAt !== undefined) return 'initialising';
  return state === 'ready' && lost !== undefined ? 'lost' : state;
}

/** The pub/sub component that is offered first: one that works, else one that is tried again by itself, else any. */
export function firstPubsub(items: readonly ComponentRow[]): ComponentRow | undefined {
  const pubsubs = items.filter(({ kind }) => kind === 'pubsub');
  const order: readonly Standing[] = ['ready', 'lost', 'initialising'];
  const best = order.map((standing) => pubsubs.find((item) => standingOf(item) === standing));
  return best.find((item) => item !== undefined) ?? pubsubs[0];
}

/** What of it a person has to look at: its problems, or that it does not work although its file has none. */
export function troublesOf(item: ComponentRow): number {
  return item.problems.length > 0 || standingOf(item) === 'ready' ? item.problems.length : 1;
}
