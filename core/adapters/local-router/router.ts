/** The embedded event router behind ports/local-router.ts: made, started, stopped. */
import type { LocalRouterStatus } from '../../contract/local-router-parts.ts';
import type { LocalRouter } from '../../ports/local-router.ts';
import { adopt } from './adopt.ts';
import { certificatesFace, identityFace, subscriptionsFace, topicsFace } from './faces.ts';
import { openListeners } from './listeners.ts';
import type { Listeners } from './listeners.ts';
import type { LocalRouterOptions } from './options.ts';
import { makeParts } from './parts.ts';

/**
 * Makes a router with its keys, certificates and kept state; it listens after `start`.
 * @throws RouterError EVR-SEC-01 when a kept key can be read by others
 */
export async function createLocalRouter(
  options: LocalRouterOptions,
): Promise<Omit<LocalRouter, 'deliveries' | 'emulate'>> {
  const parts = await makeParts(options);
  let listeners: Listeners | undefined;
  let stopped = false;
  const status = (): LocalRouterStatus => ({
    running: listeners !== undefined,
    addresses: addresses(),
    namespace: options.settings.namespace,
    timeScale: options.settings.delivery.timeScale,
    counts: {},
    topics: parts.topics.list().length,
    subscriptions: parts.subscriptions.list().length,
    ingress: parts.ingress.status(),
    remote: options.settings.allowRemote,
    notes: [...parts.notes],
  });
  const addresses: LocalRouter['addresses'] = () => ({ ...parts.addresses, ingress: parts.ingress.url });
  return {
    topics: topicsFace(parts),
    subscriptions: subscriptionsFace(parts, () => ({ counts: {} })),
    ingress: parts.ingress,
    certificates: certificatesFace(parts),
    identity: identityFace(parts, () => listeners?.identityRequests() ?? []),
    faults: parts.faults,
    async start() {
      if (listeners !== undefined || stopped) return;
      listeners = await openListeners(parts, { addShared: () => undefined, addOwn: () => undefined });
      parts.subscriptions.resume();
    },
    async stop() {
      if (stopped) return;
      stopped = true;
      parts.subscriptions.stop();
      await listeners?.close();
      listeners = undefined;
      await parts.outbound.close();
      parts.store.close();
    },
    addresses,
    status,
    adopt: (tenant) => adopt(parts, tenant),
    onChange: (take) => parts.changes.listen(take),
  };
}
