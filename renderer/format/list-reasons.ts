/** Why an app may not have the subscription that a message needs: its list is not known, has a mistake, or does not exist. */
import type { Result } from '../../core/contract/console.ts';
import { theApp, theAppFirst } from '../../core/contract/app-text.ts';
import {
  hasNoDiscoveryRoute,
  listMistakes,
  listMistakeText,
  OTHER_PROFILE,
  withoutSubscriptions,
} from '../../core/contract/discovery-text.ts';
import { clause } from '../../core/contract/error-text.ts';
import type { AppRow } from '../../core/contract/subscription.ts';
import { fill } from '../copy/fill.ts';
import { WHY } from '../copy/why.ts';
import { discoveryText } from './discovery.ts';

type Known = Pick<Result<'subscriptions.list'>, 'items' | 'discovery'>;

export interface ListReasons {
  /** Sentences that explain the message. */
  readonly first: readonly string[];
  /** Sentences about lists that may have nothing to do with it. */
  readonly later: readonly string[];
  /** Whether a subscription that an app reported cannot be used. */
  readonly hasMistake: boolean;
}

/** Number of apps without a discovery route that are named: an app that only publishes has none. */
const NAMED = 3;

/**
 * Sentences about the subscription lists of all apps, for a message that nobody got.
 * @param known undefined: not loaded yet
 * @param apps apps whose problems are named
 */
export function listReasons(
  known: Known | undefined,
  apps: readonly Pick<AppRow, 'appId' | 'problems' | 'discovery'>[],
  topic: string,
): ListReasons {
  // Instances of one app have the same list.
  const each = apps.filter(({ appId }, at) => apps.findIndex((app) => app.appId === appId) === at);
  const wrong = each.filter(({ problems }) => listMistakes(problems).length > 0);
  const isAbout = ({ problems }: (typeof each)[number]): boolean =>
    listMistakes(problems).some((mistake) => mistake.topic === topic);
  const about = wrong.filter(isAbout);
  const others = [
    ...each.flatMap(({ problems }) => problems.filter(({ code }) => code === OTHER_PROFILE)),
    ...wrong.filter((app) => !about.includes(app)).map((app) => ({ message: listMistakeText(app, topic) })),
    ...each.flatMap(withoutRoute).slice(0, NAMED),
  ].flatMap(({ message }) => message ?? []);
  const texts = about.flatMap((app) => listMistakeText(app, topic) ?? []);
  const unknown = known?.discovery.flatMap(notKnown) ?? [];
  const hasNone = known?.items.length === 0;
  return {
    first: hasNone ? [...texts, ...others] : texts,
    later: hasNone ? unknown : [...others, ...unknown],
    hasMistake: wrong.length > 0,
  };
}

/** The sentence about an app that has no discovery route, unless it has that of another profile. */
function withoutRoute({
  appId,
  problems,
  discovery,
}: Pick<AppRow, 'appId' | 'problems' | 'discovery'>): readonly { readonly message: string }[] {
  const isExplained = problems.some(({ code }) => code === OTHER_PROFILE);
  if (isExplained || !hasNoDiscoveryRoute(discovery)) return [];
  return [{ message: withoutSubscriptions(theAppFirst(appId), discovery) }];
}

/** Why the subscriptions of an app are not known; nothing if they are. */
function notKnown({
  appId,
  ...discovery
}: Result<'subscriptions.list'>['discovery'][number]): readonly string[] {
  const { state, error, status, url } = discovery;
  if (state === 'done') return [];
  if (state === 'failed')
    return [fill(WHY.discoveryFailed, { app: theApp(appId), error: clause(error) ?? status })];
  return [
    state === 'waiting' && error === undefined
      ? fill(WHY.waitingPort, { app: theApp(appId), url })
      : discoveryText(discovery),
  ];
}
