/** Finds listeners of the embedded router whose port appears in a component's addresses. */
import { isLoopbackUrl } from '../rules/field-rules.ts';
import type { EventRouterSettings } from '../../contract/event-router/settings.ts';
import type { RouterListener } from '../../ports/local-router.ts';
import type { RouterGuest } from '../client/router-access.ts';

const LISTENERS: readonly RouterListener[] = ['router', 'ingress'];

/**
 * Listeners whose port a component has in its addresses. On another port the component would not reach them,
 * so they wait until theirs is free.
 */
export function listenersNamedBy(
  guest: RouterGuest | undefined,
  listen: EventRouterSettings['listen'],
): ReadonlySet<RouterListener> {
  const named = (url: string | undefined, address: string): boolean =>
    url !== undefined && isLoopbackUrl(url) && address.endsWith(`:${new URL(url).port}`);
  return new Set(
    LISTENERS.filter((listener) =>
      listener === 'router'
        ? named(guest?.output?.topicEndpoint, listen.router)
        : named(guest?.input?.subscriberEndpoint, listen.ingress),
    ),
  );
}
