/** The apps of this run: a channel to each real app, and a mock app with its own port for each other one. */
import { createNoAddressChannel } from '../adapters/http-app-channel/no-address.ts';
import { createGrpcAppChannel } from '../adapters/grpc-app-channel/channel.ts';
import { createHttpAppChannel } from '../adapters/http-app-channel/channel.ts';
import { createTurnableChannel, type TurnableChannel } from '../adapters/http-app-channel/turnable.ts';
import { shareChannel } from '../adapters/http-app-channel/shared.ts';
import { theApp } from '../contract/app-text.ts';
import type { Profile } from '../contract/profile.ts';
import { STANDARD_PORTS } from '../contract/standard-ports.ts';
import { withoutUndefined } from '../contract/without-undefined.ts';
import type { Codec } from '../domain/codec.ts';
import type { BodyCount } from '../domain/request-bodies.ts';
import type { RuleRoom } from '../mock-app/rule-room.ts';
import { createMockApp } from '../mock-app/server.ts';
import type { AppChannel } from '../ports/app-channel.ts';
import type { Clock } from '../ports/clock.ts';
import type { IdSource } from '../ports/ids.ts';
import type { Log } from '../ports/log.ts';
import type { MockApp } from '../ports/mock-app.ts';
import type { Random } from '../ports/random.ts';
import type { AppSpec } from '../runtime/state/app.ts';
import type { Opened } from './opened.ts';
import type { AppOption, ProductOptions } from './options.ts';
import { isThisMachine, openAtPort } from './ports.ts';
import type { PortOwners, PortRequest } from './ports.ts';
import { ending } from './turns.ts';

/** Connections to an app, as many as the reference opens, so that calls that hang do not block others. */
const CONNECTIONS = 1024;

export interface OpenApp extends AppSpec, Pick<AppOption, 'portNames' | 'edge'> {
  /**
   * Port of the sidecar, from `--app` or as an added app had it; undefined: it follows from the first app's.
   */
  readonly sidecarPort?: number;
  /** gRPC port of the app's sidecar; undefined: it follows from the first app's. */
  readonly grpcPort?: number;
  /** Channel of an app with a mock app, whose address can be changed. */
  readonly turnable?: TurnableChannel;
}

export interface OpenApps {
  /** All apps, instances of one id separately: those of the command line in order, then the added ones. */
  readonly list: readonly OpenApp[];
  /** One entry for each app id; instances share its deliveries. */
  readonly specs: readonly AppSpec[];
  readonly notes: readonly string[];
  /**
   * Adds an app with a mock app, which does not use the port of its sidecar, to the list. Throws PortTaken, and
   * Refusal TRANSITION_NOT_ALLOWED after `close`.
   */
  add(appId: string, sidecarPort?: number): Promise<OpenApp>;
  /** Removes an app from the list and closes its mock app. */
  drop(appId: string): Promise<void>;
  close(): Promise<void>;
}

export interface AppDependencies {
  readonly options: ProductOptions;
  /** Apps that were added at run time in an earlier run. */
  readonly added: readonly AppOption[];
  readonly profile: Profile;
  readonly mayMove: boolean;
  readonly clock: Clock;
  readonly random: Random;
  readonly codec: Codec;
  readonly ids: IdSource;
  readonly log: Log;
  readonly ruleRoom: RuleRoom;
  /** Counter for the bodies of requests to all mock apps. */
  readonly mockBodies: BodyCount;
  readonly healthPath: () => string;
  /** The setting `app.address` of an app; undefined: not set. */
  readonly addressOf: (appId: string) => string | undefined;
  /** Aborted once the start was given up: no further mock app is opened. */
  readonly givenUp?: AbortSignal;
}

/**
 * Opens the ports of the mock apps. Throws PortTaken. For a start that fails later, `opened` gets functions
 * that close them.
 */
export async function openApps(deps: AppDependencies, opened: Opened): Promise<OpenApps> {
  const { options } = deps;
  const notes: string[] = [];
  const list: OpenApp[] = [];
  const mocks = (): readonly MockApp[] => list.flatMap(({ mock }) => mock ?? []);
  const listening = new Listening();
  let hasEnded = false;
  const close = async (): Promise<void> => {
    hasEnded = true;
    await listening.closeAll();
  };
  opened.push(close);

  const openMock = async (
    appId: string,
    given: number | undefined,
    mayMove: boolean,
    promised?: number,
  ): Promise<MockApp> => {
    const { request, taken } = mockPort(deps, list, { appId, given, promised });
    return openAtPort(request, mayMove, taken, async ({ port, notice }) => {
      const mock = listening.noted(await mockAppAt(deps, appId, port));
      notes.push(...logged(deps, notice));
      return mock;
    });
  };
  const take = (app: AppOption, mock: MockApp | undefined, added: boolean): OpenApp => {
    const one = openApp(deps, app, mock, added);
    list.push(one);
    return one;
  };
  for (const app of options.apps) {
    const given = mocks().length === 0 ? options.appPort : undefined;
    const isMocked = app.url === undefined && app.noAddress !== true;
    const mock = isMocked ? await openMock(app.appId, given, deps.mayMove) : undefined;
    take(app, mock, false);
    deps.givenUp?.throwIfAborted();
  }
  if (mocks().length === 0) notes.push(...unusedPort(deps));
  for (const app of deps.added) take(app, await openMock(app.appId, undefined, true), true);
  return {
    list,
    specs: bySharedId(list),
    notes,
    add: async (appId, sidecarPort) => {
      const mock = await openMock(appId, undefined, true, sidecarPort);
      try {
        if (hasEnded) throw ending();
        return take({ appId }, mock, true);
      } catch (error) {
        await listening.close(mock);
        throw error;
      }
    },
    drop: async (appId) => {
      await listening.close(takeOut(list, appId)?.mock);
    },
    close,
  };
}

/** Logs the note on a default port that was replaced, and returns it for the first screen. */
function logged({ log }: AppDependencies, notice: string | undefined): readonly string[] {
  if (notice === undefined) return [];
  log.write('warn', 'host', `${notice}.`);
  return [notice];
}

interface MockPortRequest {
  readonly appId: string;
  readonly given: number | undefined;
  /** Port that the app's sidecar is going to take. */
  readonly promised: number | undefined;
}

function mockPort(
  { options, added }: AppDependencies,
  list: readonly OpenApp[],
  { appId, given, promised }: MockPortRequest,
): { readonly request: PortRequest; readonly taken: PortOwners } {
  const first = options.appPort ?? STANDARD_PORTS.mockApp;
  const before = list.filter(({ mock }) => mock !== undefined).length;
  const standard = first === 0 ? 0 : first + before;
  const taken = new Map(list.flatMap(addressPort));
  if (promised !== undefined) taken.set(promised, `the sidecar's port of ${theApp(appId)}`);
  const several = options.apps.length + added.length > 1 || list.length > 0;
  const of = several ? { appId } : {};
  return { request: { flag: '--app-port', what: 'mock app', given, standard, hint: realApp, ...of }, taken };
}

/** The mock apps that listen; one whose app could not be made is in no other list. */
class Listening {
  readonly #mocks = new Set<MockApp>();

  noted(mock: MockApp): MockApp {
    this.#mocks.add(mock);
    return mock;
  }

  async close(mock: MockApp | undefined): Promise<void> {
    if (mock !== undefined && this.#mocks.delete(mock)) await mock.close();
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#mocks].map((mock) => mock.close()));
  }
}

/** Takes the entry of an app out of a list; undefined: it has none. */
export function takeOut<T extends { readonly appId: string }>(list: T[], appId: string): T | undefined {
  const at = list.findIndex((one) => one.appId === appId);
  return at < 0 ? undefined : list.splice(at, 1)[0];
}

/** Logs and returns a note if the port of the mock app was given where no app has one. */
function unusedPort({ options: { appPort }, log }: AppDependencies): readonly string[] {
  if (appPort === undefined) return [];
  const note = `--app-port ${appPort} has no effect: it is the port of the mock app, and no app here is a mock app.`;
  log.write('warn', 'host', note);
  return [note];
}

/** The port of this machine at which an app listens, with its owner for the banner; nothing for an app that has none here. */
export function addressPort({
  appId,
  channel: { url },
}: Pick<OpenApp, 'appId' | 'channel'>): readonly (readonly [port: number, owner: string])[] {
  const { hostname, port } = url === '' ? { hostname: '', port: '' } : new URL(url);
  return port === '' || !isThisMachine(hostname) ? [] : [[Number(port), `the port of ${theApp(appId)}`]];
}

function mockAppAt(deps: AppDependencies, appId: string, port: number): Promise<MockApp> {
  const { profile, healthPath, clock, random, codec, ids, log } = deps;
  return createMockApp({
    appId,
    port,
    protocol: deps.options.appProtocol,
    profile,
    subscriptions: [],
    healthPath,
    clock,
    random,
    codec,
    ids,
    log,
    room: deps.ruleRoom,
    bodies: deps.mockBodies,
  });
}

/** Hint for a taken port of the mock app: the user's real app may listen there. */
function realApp(port: number): string {
  return `this is the port of the mock app; to deliver to the app on ${port} give --app-url http://127.0.0.1:${port}`;
}

/** Opens the channel to an address, by its scheme. */
function open(url: string): AppChannel {
  return /^grpcs?:/.test(url)
    ? createGrpcAppChannel({ url })
    : createHttpAppChannel({ url, connections: CONNECTIONS });
}

/**
 * Makes an app with its channel: to its own address, or to its mock app, which the setting `app.address` can
 * replace.
 */
function openApp(deps: AppDependencies, app: AppOption, mock: MockApp | undefined, added: boolean): OpenApp {
  const { appId, url: _url, noAddress, ...given } = app;
  if (noAddress === true) return { appId, channel: createNoAddressChannel(), ...given };
  const turnable = mock === undefined ? undefined : createTurnableChannel(mock.url, open);
  turnable?.turnTo(deps.addressOf(appId));
  return {
    appId,
    channel: turnable ?? open(app.url ?? ''),
    ...withoutUndefined({ mock, turnable }),
    ...given,
    ...(added ? { added } : {}),
  };
}

function bySharedId(list: readonly OpenApp[]): readonly AppSpec[] {
  return list.flatMap((app, i): AppSpec[] => {
    if (list.findIndex((other) => other.appId === app.appId) < i) return [];
    const others = list.slice(i + 1).filter((other) => other.appId === app.appId);
    const channel = shareChannel([app.channel, ...others.map((other) => other.channel)]);
    return [
      {
        appId: app.appId,
        channel,
        ...withoutUndefined({ mock: app.mock }),
        ...(app.added === true ? { added: true } : {}),
        ...withoutUndefined({ own: app.own, addressFrom: app.addressFrom, runFile: app.runFile }),
        ...(others.length === 0
          ? {}
          : { addressesFrom: [app, ...others].map(({ addressFrom }) => addressFrom) }),
      },
    ];
  });
}

/** The mock app of an app; without an id that of the first app; undefined: the app has none. */
export function mockOf(apps: readonly OpenApp[], appId: string | undefined): OpenApp['mock'] {
  return (appId === undefined ? apps[0] : apps.find((app) => app.appId === appId))?.mock;
}
