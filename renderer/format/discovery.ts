/** How a discovery went, in words. */
import type { DiscoveryState } from '../../core/contract/subscription.ts';
import { fill } from '../copy/fill.ts';
import { SUBSCRIPTIONS } from '../copy/topics.ts';
import { clockSeconds } from './quantity.ts';

/** How the last discovery went, in words. */
export function discoveryWords({ state, url, at, status, count, error }: DiscoveryState): string {
  switch (state) {
    case 'waiting':
      return fill(SUBSCRIPTIONS.waiting, { url });
    case 'asking':
      return fill(SUBSCRIPTIONS.asking, { url });
    case 'failed':
      return fill(SUBSCRIPTIONS.discoveryFailed, { error: error ?? status, url });
    case 'done':
      return fill(SUBSCRIPTIONS.done, {
        time: at === undefined ? undefined : clockSeconds(at),
        url,
        status,
        n: count,
      });
  }
}
