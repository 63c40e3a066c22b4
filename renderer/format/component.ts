/** State of a component in the words of its list. */
import type { Result } from '../../core/contract/console.ts';
import type { ComponentRow } from '../../core/contract/subscription.ts';

export type Standing = ComponentRow['state'] | 'lost';

/**
 * State of a component. One that is tried again by itself is not initialised yet, whatever the error is; a
 * running one may have lost its server.
 */
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

/**
 * Number of problems that a person has to look at: those of its file, or that it does not work without any.
 */
export function troublesOf(item: ComponentRow): number {
  return item.problems.length > 0 || standingOf(item) === 'ready' ? item.problems.length : 1;
}

/** Number of problems that the screen Components shows: those of components, and those of files that make none. */
export function problemsOf(loaded: Result<'components.list'> | undefined): number {
  if (loaded === undefined) return 0;
  return loaded.items.reduce((sum, item) => sum + troublesOf(item), loaded.problems.length);
}
