/** How a discovery went, in words. */
import type { DiscoveryState, Problem } from '../../core/contract/subscription.ts';
import {
  hasNoDiscoveryRoute,
  OTHER_PROFILE,
  withoutSubscriptions,
} from '../../core/contract/discovery-text.ts';
import { clause } from '../../core/contract/error-text.ts';
import { fill } from '../copy/fill.ts';
import { SUBSCRIPTIONS } from '../copy/topics.ts';
import { clockSeconds } from './clock-time.ts';

/** Whether the app was not asked, because there was no component that it could subscribe to. */
export function isUnasked({ state, status, url }: DiscoveryState): boolean {
  return state === 'done' && status === undefined && url !== '';
}

/**
 * How the last discovery went, in words.
 * @param problems problems of the app: one that speaks another profile declares its subscriptions there, so only the answer is told
 */
export function discoveryText(
  discovery: DiscoveryState,
  problems: readonly Pick<Problem, 'code'>[] = [],
): string {
  const { state, url, at, status, count, error } = discovery;
  if (isUnasked(discovery)) return fill(SUBSCRIPTIONS.unasked, { error: clause(error ?? '') });
  if (url === '') return SUBSCRIPTIONS.noAddress;
  const time = at === undefined ? undefined : clockSeconds(at);
  if (hasNoDiscoveryRoute(discovery) && !problems.some(({ code }) => code === OTHER_PROFILE))
    return fill(SUBSCRIPTIONS.askedAt, { text: withoutSubscriptions(SUBSCRIPTIONS.theApp, discovery), time });
  switch (state) {
    case 'waiting':
      if (error !== undefined) return fill(SUBSCRIPTIONS.waitingBecause, { error: clause(error) });
      return fill(SUBSCRIPTIONS.waiting, { port: /:(\d+)/.exec(url)?.[1] ?? url });
    case 'asking':
      return fill(SUBSCRIPTIONS.asking, { url });
    case 'failed':
      return fill(SUBSCRIPTIONS.discoveryFailed, { error: whyFailed(status, error), url });
    case 'done':
      return withUnusable(fill(SUBSCRIPTIONS.done, { time, url, status, n: count }), discovery);
  }
}

function withUnusable(text: string, { unused }: Pick<DiscoveryState, 'unused'>): string {
  return unused === undefined ? text : fill(SUBSCRIPTIONS.unusable, { text, n: unused });
}

/** The status if the app answered with another one than 200, else the error. */
function whyFailed(status: number | undefined, error: string | undefined): string {
  if (status !== undefined && status !== 200) return String(status);
  return clause(error ?? '');
}
