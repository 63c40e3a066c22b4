import type { Subscriptions } from '../subscriptions/subscriptions.ts';
import type { Topics } from './topics.ts';

/** Removes a topic together with its event subscriptions; false: it does not exist. */
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
