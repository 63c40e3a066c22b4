/** A topic that goes takes the event subscriptions on it along. */
import type { Subscriptions } from '../subscriptions/subscriptions.ts';
import type { Topics } from './topics.ts';

/** False: there is no such topic. */
export function removeTopic(
  deps: { readonly topics: Topics; readonly subscriptions: Subscriptions },
  name: string,
): boolean {
  const key = deps.topics.get(name)?.resourceId.toLowerCase();
  if (key === undefined) return false;
  for (const kept of deps.subscriptions.list()) {
    if (kept.scope.key === key) deps.subscriptions.remove(kept.id);
  }
  return deps.topics.remove(name);
}
