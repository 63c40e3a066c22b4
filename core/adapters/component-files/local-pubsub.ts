/** Pub/sub components that are served from memory instead of by their broker (`--local-pubsub`). */
import type { ComponentDocument } from '../../domain/component.ts';

const IN_MEMORY = 'pubsub.in-memory';

/** Settings that belong to the sidecar and not to the broker: who may use which topic. */
const KEPT: ReadonlySet<string> = new Set([
  'allowedtopics',
  'protectedtopics',
  'publishingscopes',
  'subscriptionscopes',
]);

/**
 * The component for a run in memory: same name, apps and topic rules. Settings for the broker are left out, so that no secret, address or
 * password is needed. undefined: it is no pub/sub component, or in memory anyway.
 */
export function servedFromMemory(component: ComponentDocument): ComponentDocument | undefined {
  if (!component.type.startsWith('pubsub.') || component.type === IN_MEMORY) return undefined;
  return {
    ...component,
    type: IN_MEMORY,
    metadata: component.metadata.filter(({ name }) => KEPT.has(name.toLowerCase())),
  };
}
