/** Merges the rows of apps by id: several instances of one app become one. */
import { OTHER_PROFILE, SILENT_APP, UNUSABLE_SUBSCRIPTION } from '../../core/contract/discovery-text.ts';
import type { AppProbe, AppRow, SubscriptionRow } from '../../core/contract/subscription.ts';
import { clause } from '../../core/contract/error-text.ts';
import { fill } from '../copy/fill.ts';
import { FRAME } from '../copy/frame.ts';
import { HEALTH } from '../copy/health.ts';

/** The first row of each id, in order; its probe is that of a healthy instance if there is one. */
export function oncePerId(apps: readonly AppRow[]): readonly AppRow[] {
  return apps
    .filter(({ appId }, index) => apps.findIndex((other) => other.appId === appId) === index)
    .map((app) => {
      const same = apps.filter(({ appId }) => appId === app.appId);
      const well = same.map(({ appHealth }) => appHealth).find((probe) => probe?.healthy === true);
      return well === undefined ? app : { ...app, appHealth: well };
    });
}

/** Kind of an app in a few words. */
export function kindOf({ mock, app }: Pick<AppRow, 'mock' | 'app'>): string {
  if (mock) return FRAME.mock;
  return app === undefined ? FRAME.publisher : FRAME.real;
}

/**
 * Key of one instance among the rows of all apps. The address of the sidecar alone would not do: it is empty for one that has no sidecar
 * yet.
 */
export function instanceKey({ appId, sidecar }: Pick<AppRow, 'appId' | 'sidecar'>): string {
  return `${appId} ${sidecar}`;
}

/**
 * State of all apps, the worst first: one that went away, one that does not answer, one whose port is open but
 * whose discovery failed, one that is not known yet, one that is asked for its first list, or all answer;
 * `none`: all only publish.
 */
export type AppStanding = 'lost' | 'silent' | 'undiscovered' | 'unknown' | 'asked' | 'answering' | 'none';

/**
 * What is known of an app at its address, if its port takes connections: `undiscovered` is one whose newest
 * discovery failed, `asked` one that has answered none yet or failed before.
 */
export function channelOf({
  channel,
  discovery,
}: Pick<AppRow, 'channel' | 'discovery'>): keyof typeof HEALTH.channels {
  if (channel !== 'answering') return channel;
  const { state, at, error } = discovery;
  if (state === 'failed') return 'undiscovered';
  return state === 'asking' && (at === undefined || error !== undefined) ? 'asked' : channel;
}

export function appStanding(apps: readonly Pick<AppRow, 'channel' | 'discovery'>[]): AppStanding {
  if (apps.every(({ channel }) => channel === 'none')) return 'none';
  if (apps.some(({ channel }) => channel === 'not-reachable')) return 'lost';
  const unknown = apps.filter(({ channel }) => channel === 'unknown');
  // Nothing listens at the app's address: discovery waits for it.
  if (unknown.some(({ discovery }) => discovery.state === 'waiting')) return 'silent';
  if (apps.some((app) => channelOf(app) === 'undiscovered')) return 'undiscovered';
  if (unknown.length > 0) return 'unknown';
  return apps.some((app) => channelOf(app) === 'asked') ? 'asked' : 'answering';
}

/** Problems by which an app has no subscription, though it means to have some. */
const WITHOUT_LIST: ReadonlySet<string | undefined> = new Set([
  UNUSABLE_SUBSCRIPTION,
  OTHER_PROFILE,
  'missing-list',
]);

/**
 * Makes the function that says whether none of an app's subscriptions is used at present: by a mistake, because a component is not ready,
 * or because its stream was lost. An app that only publishes has none to use.
 * @param subscriptions those of all apps, which are read once
 */
export function usingNone(
  subscriptions: readonly Pick<SubscriptionRow, 'appId' | 'state'>[],
): (app: Pick<AppRow, 'appId' | 'problems'>) => boolean {
  const subscribed = new Set(subscriptions.map(({ appId }) => appId));
  const served = new Set(subscriptions.filter(({ state }) => state === 'active').map(({ appId }) => appId));
  return ({ appId, problems }) =>
    !served.has(appId) && (subscribed.has(appId) || problems.some(({ code }) => WITHOUT_LIST.has(code)));
}

/** Whether the last calls of an app got no answer in time, though its port takes connections. */
export function hangs({ problems }: Pick<AppRow, 'problems'>): boolean {
  return problems.some(({ code }) => code === SILENT_APP);
}

/** Whether a person has to look after an app. */
export function isBad(standing: AppStanding): standing is keyof typeof FRAME.ofSeveral & AppStanding {
  return standing === 'lost' || standing === 'silent' || standing === 'undiscovered';
}

/** Whether mock apps are all that there is; false while the apps are not known. */
export function areAllMocks(apps: readonly Pick<AppRow, 'mock'>[] = []): boolean {
  return apps.length > 0 && apps.every(({ mock }) => mock);
}

/** Apps whose state decides the state of all, where it is bad; none if all is well. */
export function culprits<T extends Pick<AppRow, 'channel' | 'discovery'>>(apps: readonly T[]): readonly T[] {
  const standing = appStanding(apps);
  if (!isBad(standing)) return [];
  return apps.filter((app) => appStanding([app]) === standing);
}

/** The result of the last probe, in words. */
export function lastProbe({ status, error, failures }: AppProbe): string {
  const answer =
    error === undefined
      ? status === undefined
        ? HEALTH.notProbed
        : fill(HEALTH.probeAnswered, { status })
      : fill(HEALTH.probeFailed, { error: clause(error) });
  if (failures === 0) return answer;
  return fill(HEALTH.inARow, { answer, n: failures });
}

/** Probe in a few words for a cell: "Not healthy · 500". */
export function probeWord(probe: AppProbe | undefined): string {
  if (probe === undefined) return HEALTH.notChecked;
  const word = probe.healthy ? HEALTH.healthy : HEALTH.notHealthy;
  return probe.status === undefined ? word : fill(HEALTH.verdict, { word, status: probe.status });
}

const OF_ROUTES: ReadonlySet<string | undefined> = new Set([
  'missing-route',
  'old-route',
  'old-subscription',
]);

/** Number of problems with routes of all apps, which the Apps screen shows. */
export function routeProblems(apps: readonly AppRow[]): number {
  return oncePerId(apps).reduce(
    (sum, { problems }) => sum + problems.filter(({ code }) => OF_ROUTES.has(code)).length,
    0,
  );
}

/**
 * An address in as few characters as tell it from others: the port of one on this machine, else host and port;
 * a text that is no address as it is.
 */
export function shortAddress(address: string): string {
  if (!URL.canParse(address)) return address;
  const { protocol, hostname, port } = new URL(address);
  const shown = port === '' ? (DEFAULT_PORTS[protocol] ?? '') : port;
  const at = shown === '' ? '' : `:${shown}`;
  return THIS_MACHINE.test(hostname) && at !== '' ? at : `${hostname}${at}`;
}

/** Hosts that go without saying: what the header names runs here as a rule. */
const THIS_MACHINE = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;

/** Ports that the address of an app leaves out. */
const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };
