/** Which listeners of the event router a person gave an address: those never give way to another port (event-router 12.4). */
import { readFileSync } from 'node:fs';
import { parseDocument } from 'yaml';
import { isLoopbackUrl } from '../domain/event-router/field-rules.ts';
import type { EventRouterSettings } from '../domain/event-router/settings.ts';
import type { RouterGuest } from '../ports/router-access.ts';

export type RouterListener = 'router' | 'ingress';

const LISTENERS: readonly RouterListener[] = ['router', 'ingress'];

/**
 * The checked settings cannot tell: there a written address equals a default one.
 * @param names of the settings that flags gave, members of blocks included
 * @param config path of the `--config` file, which was read without a mistake before
 */
export function writtenListeners(
  names: readonly string[],
  config: string | undefined,
): ReadonlySet<RouterListener> {
  const file = config === undefined ? undefined : parseDocument(readFileSync(config, 'utf8'));
  const isWritten = (listener: RouterListener): boolean =>
    names.includes(`eventRouter.listen.${listener}`) ||
    file?.hasIn(['eventRouter', 'listen', listener]) === true;
  return new Set(LISTENERS.filter(isWritten));
}

/**
 * Listeners whose port a component has in its addresses. On another port nobody would find them, while one that is taken may be free
 * at the next try.
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
