/** Adds and removes apps at run time. Each has a sidecar and a mock app, and the next start restores it. */
import { sentence } from '../contract/error-text.ts';
import type { SettingOrigin } from '../contract/settings.ts';
import type { AppRow, NewApp } from '../contract/subscription.ts';
import {
  APP_ADDRESS_WORDS,
  APP_ID,
  APP_ID_WORDS,
  isAppAddress,
  noAddress,
  withScheme,
} from '../domain/names.ts';
import { shownTyped } from '../domain/redact.ts';
import { Refusal } from '../domain/refusal.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { ownListener } from './app-addresses.ts';
import type { OpenApps } from './apps.ts';
import { keepApps } from './kept-state.ts';
import type { Keeper, KeptMockApps } from './kept-state.ts';
import type { AppOption } from './options.ts';
import { PortTaken } from './ports.ts';
import type { PortOwners } from './ports.ts';
import { capital, refusedParam } from './refused-param.ts';
import type { Settings } from './settings.ts';
import type { OpenSidecars } from './sidecars.ts';
import { Turns } from './turns.ts';

const GRACE_MS = 1_000;
const ADDRESS = 'app.address';
const SIDECAR_PORT = 'sidecarPort';

export interface AppServiceDependencies {
  readonly apps: OpenApps;
  readonly sidecars: OpenSidecars;
  readonly runtime: Runtime;
  readonly settings: Settings;
  readonly keeper: Keeper;
  /** Restores the saved state of the app's mock app, and saves changes. */
  readonly mocks: Pick<KeptMockApps, 'keep'>;
  /** Ids of the apps for which component files are resolved; the same list for the whole run. */
  readonly appIds: string[];
  /** Ports of this run's own listeners, at which no app can have its address. */
  readonly ownPorts: () => PortOwners;
}

/** Adds and removes apps, one at a time. */
export class AppService {
  readonly #deps: AppServiceDependencies;
  readonly #turns = new Turns();

  constructor(deps: AppServiceDependencies) {
    this.#deps = deps;
  }

  /** Adds an app. Throws Refusal INVALID_PARAMS, or TRANSITION_NOT_ALLOWED while Sidelight ends; then nothing has changed. */
  add(request: NewApp): Promise<AppRow> {
    return this.#turns.run(() => this.#add(request));
  }

  /** Removes an app. Throws Refusal NOT_FOUND, or INVALID_PARAMS for an app of the command line. */
  remove(appId: string): Promise<{ readonly unfinished: number }> {
    return this.#turns.run(() => this.#remove(appId));
  }

  async #add({ appId, url: typed, sidecarPort }: NewApp): Promise<AppRow> {
    const { apps, sidecars, runtime, appIds } = this.#deps;
    if (!APP_ID.test(appId))
      throw refusedParam('appId', `${JSON.stringify(shownTyped(appId))} is not an app id`, APP_ID_WORDS);
    if (apps.list.some((app) => app.appId === appId))
      throw refusedParam('appId', `The app id "${appId}" is taken`, 'an id that no other app has');
    const url = this.#addressOf(typed);
    const { settings } = this.#deps;
    if (url !== undefined && this.#originOfAddresses() === 'flag')
      throw refusedParam(
        'url',
        `A flag sets ${ADDRESS} for this run`,
        `no url, or the app in --set ${ADDRESS}`,
      );
    const before = settings.here()[ADDRESS] ?? null;
    if (url === undefined) this.#forgetAddress(appId);
    else settings.set(ADDRESS, { ...settings.current[ADDRESS], [appId]: url });
    appIds.push(appId);
    try {
      const app = await apps.add(appId, sidecarPort);
      await this.#deps.mocks.keep(app);
      const spec = { appId, channel: app.channel, added: true, ...(app.mock && { mock: app.mock }) };
      await runtime.membership.enter(spec, async () => void (await sidecars.add(app, sidecarPort)));
    } catch (error) {
      appIds.splice(appIds.indexOf(appId), 1);
      await apps.drop(appId);
      if ((settings.here()[ADDRESS] ?? null) !== before) settings.set(ADDRESS, before);
      throw portRefusal(error, appId) ?? error;
    }
    await this.#keep();
    const [row] = runtime.topology.apps(appId);
    if (row === undefined) throw new Error(`${appId} was added but cannot be found`);
    return row;
  }

  /** The address with its scheme. Throws Refusal for a text that is none, and for an address at which Sidelight itself listens. */
  #addressOf(typed: string | undefined): string | undefined {
    if (typed === undefined) return undefined;
    // As with the first app, an address of host and port alone is one over HTTP.
    const url = withScheme(typed, 'http');
    const reason = isAppAddress(url) ? ownListener(url, this.#deps.ownPorts()) : noAddress(typed);
    if (reason === undefined) return url;
    throw new Refusal(
      'INVALID_PARAMS',
      { reason: sentence(reason) },
      { field: 'url', expected: APP_ADDRESS_WORDS },
    );
  }

  async #remove(appId: string): Promise<{ unfinished: number }> {
    const { apps, sidecars, runtime, appIds } = this.#deps;
    const app = apps.list.find((one) => one.appId === appId);
    if (app === undefined)
      throw new Refusal('NOT_FOUND', { reason: `There is no app ${appId}.` }, { field: 'appId' });
    if (app.added !== true)
      throw refusedParam('appId', `${appId} is an app of the command line`, 'an app that was added here');
    // The list of added apps is saved first: if a later step fails, a half removed app must not come back at
    // the next start.
    await this.#keep(appId);
    await sidecars.drop(appId, GRACE_MS);
    appIds.splice(appIds.indexOf(appId), 1);
    const unfinished = await runtime.membership.leave(appId);
    await apps.drop(appId);
    this.#forgetAddress(appId);
    return { unfinished };
  }

  /** Removes the app's setting `app.address`, unless a flag or a file has set it. */
  #forgetAddress(appId: string): void {
    const { settings } = this.#deps;
    const { [appId]: had, ...others } = settings.current[ADDRESS];
    if (this.#originOfAddresses() === 'here' && had !== undefined)
      settings.set(ADDRESS, Object.keys(others).length === 0 ? null : others);
  }

  #originOfAddresses(): SettingOrigin | undefined {
    return this.#deps.settings.items().find(({ key }) => key === ADDRESS)?.origin;
  }

  #keep(without?: string): Promise<void> {
    const { apps, runtime, keeper } = this.#deps;
    const added = apps.list.filter((app) => app.added === true && app.appId !== without);
    const sidecars = runtime.topology.sidecars();
    const kept = added.map(({ appId }): AppOption => {
      const sidecar = sidecars.get(appId) ?? '';
      return { appId, ...(URL.canParse(sidecar) ? { sidecarPort: Number(new URL(sidecar).port) } : {}) };
    });
    return keepApps(keeper, kept);
  }
}

/**
 * The refusal of an app that gets no port; undefined: the error has another reason. Only the port of its sidecar
 * is a parameter: those of its gRPC edge and of its mock app follow from the start.
 */
function portRefusal(error: unknown, appId: string): Refusal | undefined {
  if (!(error instanceof PortTaken)) return undefined;
  const { flag, reason, what } = error;
  if (flag === SIDECAR_PORT)
    return refusedParam(SIDECAR_PORT, capital(reason), 'a port that is free, or none: the next free one');
  return new Refusal('TRANSITION_NOT_ALLOWED', {
    reason: `App ${appId} cannot be added: its ${what}: ${reason}.`,
  });
}
