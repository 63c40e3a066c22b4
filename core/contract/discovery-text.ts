/** What the answer of an app to discovery means for the person who connected it: no list of subscriptions, or some that cannot be used. */
import { grpcCode } from './grpc.ts';
import { theApp } from './app-text.ts';
import { beginningOf } from './cut-place.ts';
import { PROFILES } from './profile.ts';
import type { AppRow, DiscoveryState, Problem } from './subscription.ts';

/** `Problem.code` of a subscription in an app's answer that cannot be used. */
export const UNUSABLE_SUBSCRIPTION = 'unusable-subscription';

/** `Problem.code` of an app that answers the discovery route of another profile. */
export const OTHER_PROFILE = 'other-profile';

/** `Problem.code` of an app that subscribes now to topics with messages that no app got. */
export const NOW_SUBSCRIBED = 'now-subscribed';

/** `Problem.code` of an app that has not answered its last calls in time. */
export const SILENT_APP = 'silent-app';

const UNIMPLEMENTED = grpcCode('UNIMPLEMENTED');
/** Maximum number of characters of a mistake in a sentence; the problems of the app have the whole text. */
const SHOWN_LENGTH = 400;

/** Whether the app answered that it has no discovery route. That is no mistake of an app that only publishes. */
export function hasNoDiscoveryRoute({ state, status }: Pick<DiscoveryState, 'state' | 'status'>): boolean {
  return state === 'done' && (status === 404 || status === UNIMPLEMENTED);
}

/**
 * Text about an app without a discovery route. A path in its address is often the mistake, so it is named.
 * @param subject the app at the beginning of a sentence
 * @param also clause about what else was tried
 */
export function withoutSubscriptions(
  subject: string,
  { url, status }: Pick<DiscoveryState, 'url' | 'status'>,
  also = '',
): string {
  const answer = status === UNIMPLEMENTED ? `UNIMPLEMENTED to ${url}` : `404 to GET ${url}`;
  const base = pathOfAddress(url);
  const of = base === '' ? '' : ` Sidelight puts the path ${base} of its address before every route.`;
  return `${subject} declares no subscriptions: it answers ${answer}${also}.${of} The app gets messages only by subscriptions in files.`;
}

/** Path in the address of an app, which stands before its discovery route; "" = none. */
function pathOfAddress(url: string): string {
  const pathname = url.replace(/^\w+:\/\/[^/]*/, '');
  const route = Object.values(PROFILES).find(({ discoveryPath }) => pathname.endsWith(discoveryPath));
  return route === undefined ? '' : pathname.slice(0, -route.discoveryPath.length).replace(/\/+$/, '');
}

/** Problems of an app about subscriptions that cannot be used. */
export function listMistakes(problems: readonly Problem[]): readonly Problem[] {
  return problems.filter(({ code }) => code === UNUSABLE_SUBSCRIPTION);
}

/**
 * Text about subscriptions of an app that cannot be used; undefined: there is none.
 * @param topic topic of a message: of a mistake in the subscription to it nothing else is said
 */
export function listMistakeText(
  { appId, problems, discovery }: Pick<AppRow, 'appId' | 'problems'> & Partial<Pick<AppRow, 'discovery'>>,
  topic?: string,
): string | undefined {
  const mistakes = listMistakes(problems);
  const own = mistakes.find((mistake) => topic !== undefined && mistake.topic === topic);
  const told = own ?? mistakes[0];
  if (told === undefined) return undefined;
  const shown = beginningOf(told.message, SHOWN_LENGTH);
  // The head of a message has room for two lines.
  if (own !== undefined) return `A mistake in the list of ${theApp(appId)}: ${shown}`;
  const n = Math.max(discovery?.unused ?? 0, mistakes.length);
  const has = n === 1 ? 'a mistake: ' : `${n.toLocaleString('en-US')} mistakes. One of them: `;
  return `The subscription list of ${theApp(appId)} has ${has}${shown}`;
}
