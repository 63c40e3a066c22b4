/** A topic that goes takes the event subscriptions on it along. */
import type { Subscriptions } from '../subscriptions/subscriptions.ts';
import type { Topics } from './topics.ts';

/** False: there is no such topic. */
export function removeTopic(
  parts: { readonly topics: Topics; readonly subscriptions: Subscriptions },
  name: string,
): boolean {
  const key = parts.topics.get(name)?.resourceId.toLowerCase();
  if (key === undefined) return false;
  for (const kept of parts.subscriptions.list()) {
    if (kept.scope.key === key) parts.subscriptions.remove(kept.id);
  }
  return parts.topics.remove(name);
}
