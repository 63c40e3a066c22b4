/**
 * Applies the setting `app.address`: deliveries to an app with a mock app can go to another address at run
 * time.
 */
import { theApp } from '../contract/app-text.ts';
import { errorText } from '../contract/error-text.ts';
import { isObject } from '../contract/is-object.ts';
import { STANDARD_PORTS } from '../contract/standard-ports.ts';
import { withScheme } from '../domain/names.ts';
import { Refusal } from '../domain/refusal.ts';
import type { Log } from '../ports/log.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { OpenApp } from './apps.ts';
import type { ProductOptions } from './options.ts';
import { isThisMachine } from './ports.ts';
import type { PortOwners } from './ports.ts';
import type { Settings } from './settings.ts';

const KEY = 'app.address';

/**
 * The address that the setting has for an app, as it is called: one slash behind `http:` is enough for whoever writes it. undefined: it has
 * none.
 */
export function addressIn({ current }: Pick<Settings, 'current'>, appId: string): string | undefined {
  const set = current[KEY];
  const url = Object.hasOwn(set, appId) ? set[appId] : undefined;
  return url === undefined ? undefined : withScheme(url, 'http');
}

/** Ids of the apps whose address a person entered in the console, now or before this start. An app without a mock app has that of its flag. */
export function enteredAddresses(
  settings: Pick<Settings, 'current' | 'items'>,
  apps: readonly Pick<OpenApp, 'appId' | 'turnable'>[],
): readonly string[] {
  const isEntered = settings.items().some(({ key, origin }) => key === KEY && origin === 'here');
  if (!isEntered) return [];
  return apps.flatMap(({ appId, turnable }) =>
    turnable !== undefined && addressIn(settings, appId) !== undefined ? appId : [],
  );
}

/** Follows the setting. At its new address the app is asked for its subscriptions. */
export function followAddresses(
  apps: readonly Pick<OpenApp, 'appId' | 'turnable'>[],
  settings: Settings,
  runtime: Pick<Runtime, 'rediscovery'>,
  log: Log,
): void {
  settings.onChange((key) => {
    if (key !== KEY) return;
    for (const { appId, turnable } of apps) {
      if (turnable === undefined) continue;
      const before = turnable.url;
      turnable.turnTo(addressIn(settings, appId));
      if (turnable.url === before) continue;
      runtime.rediscovery.ask(appId).catch((error: unknown) => {
        // The app is being removed, and the runtime no longer knows it.
        const reason = errorText(error);
        log.write('debug', 'discovery', `${appId} is not asked at ${turnable.url}: ${reason}`);
      });
    }
  });
}

/** The console as the owner of its port. */
export const CONSOLE = "Sidelight's own console";

/** Whose listener of this run is at an address; undefined: none. */
function listenerAt(url: string, owners: PortOwners): string | undefined {
  const { hostname, port } = new URL(url);
  return port !== '' && isThisMachine(hostname) ? owners.get(Number(port)) : undefined;
}

/** Says that Sidelight itself listens at an address that was given for an app; undefined: it does not. */
export function ownListener(url: string, owners: PortOwners): string | undefined {
  const owner = listenerAt(url, owners);
  if (owner === undefined) return undefined;
  return `Port ${new URL(url).port} is ${owner}: give the address of your own app`;
}

/**
 * Refuses an address of an app at which Sidelight itself listens: its requests would come back to it.
 * @param owners ports of this run's own listeners
 */
export function refuseOwnListeners(
  settings: Pick<Settings, 'current' | 'checkEach'>,
  owners: () => PortOwners,
): void {
  settings.checkEach((key, value) => {
    if (key !== KEY || !isObject(value)) return;
    const before = settings.current[KEY];
    for (const [appId, url] of Object.entries(value)) {
      // An address from before must not keep those of other apps from being changed.
      if (typeof url !== 'string' || (Object.hasOwn(before, appId) && before[appId] === url)) continue;
      const reason = ownListener(url, owners());
      if (reason === undefined) continue;
      const expected = 'an address at which Sidelight does not listen';
      throw new Refusal('INVALID_PARAMS', { reason: `${reason}.` }, { field: `value.${appId}`, expected });
    }
  });
}

/** Ports that this start takes for itself and for nothing else, each with its owner; a default that may move is none of them. */
export function neededPorts(
  { apps, sidecarPort, grpcPort, consolePort }: ProductOptions,
  mayMove: boolean,
): PortOwners {
  const firstId = apps[0]?.appId ?? '';
  const sidecar = sidecarPort ?? (mayMove ? 0 : STANDARD_PORTS.sidecar);
  const own = apps.flatMap((app) => [
    [app.sidecarPort ?? 0, `the port of the sidecar of ${theApp(app.appId)}`] as const,
    [app.grpcPort ?? 0, `the gRPC port of the sidecar of ${theApp(app.appId)}`] as const,
  ]);
  const all = [
    [
      typeof grpcPort === 'number' ? grpcPort : 0,
      `the gRPC port of the sidecar of ${theApp(firstId)}`,
    ] as const,
    [sidecar, `the port of the sidecar of ${theApp(firstId)}`] as const,
    ...own,
    [consolePort ?? (mayMove ? 0 : STANDARD_PORTS.console), CONSOLE] as const,
  ];
  return new Map(all.filter(([port]) => port !== 0));
}

/**
 * Removes addresses of apps that an earlier run kept and at which this start listens itself: it must not fail for them.
 * @returns a note on each
 */
export function dropOwnAddresses(
  settings: Pick<Settings, 'current' | 'items' | 'set'>,
  needed: PortOwners,
): readonly string[] {
  if (settings.items().find(({ key }) => key === KEY)?.origin !== 'here') return [];
  const kept = Object.entries(settings.current[KEY]);
  const own = kept.flatMap(([appId, url]) => {
    const owner = listenerAt(url, needed);
    return owner === undefined ? [] : [{ appId, url, owner }];
  });
  if (own.length === 0) return [];
  const others = kept.filter(([appId]) => own.every((one) => one.appId !== appId));
  settings.set(KEY, others.length === 0 ? null : Object.fromEntries(others));
  return own.map(
    ({ appId, url, owner }) =>
      `${url}, the address that ${theApp(appId)} had until now, is ${owner} in this start: Sidelight has removed it, and the mock app gets the deliveries`,
  );
}
