/** A row of the component list as the console gets it: a pub/sub component in memory that is ready. */
import type { ComponentRow } from '../../core/contract/subscription.ts';

export function componentRow(name: string, change: Partial<ComponentRow> = {}): ComponentRow {
  return {
    name,
    type: 'pubsub.in-memory',
    version: 'v1',
    kind: 'pubsub',
    state: 'ready',
    scopes: [],
    ignoreErrors: false,
    capabilities: [],
    metadata: {},
    problems: [],
    subscriptions: 0,
    ...change,
  };
}
