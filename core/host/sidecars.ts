/** The HTTP and gRPC edges of every app's sidecar. */
import { setImmediate } from 'node:timers/promises';
import { theApp } from '../contract/app-text.ts';
import type { Profile } from '../contract/profile.ts';
import type { SystemDescription } from '../contract/reports.ts';
import { STANDARD_PORTS } from '../contract/standard-ports.ts';
import { withoutUndefined } from '../contract/without-undefined.ts';
import { openGrpcServer } from '../grpc/server.ts';
import type { GrpcServer, GrpcServerOptions } from '../grpc/server.ts';
import { createSidecarServer } from '../http/server.ts';
import type { SidecarServer } from '../http/server.ts';
import { isLoopbackAddress } from '../domain/loopback.ts';
import { Refusal } from '../domain/refusal.ts';
import type { ShutdownMode } from '../domain/shutdown-kind.ts';
import { UsageError } from '../domain/usage-error.ts';
import type { Clock } from '../ports/clock.ts';
import type { Journal } from '../ports/journal.ts';
import type { Log } from '../ports/log.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { addressPort, takeOut } from './apps.ts';
import type { OpenApp, OpenApps } from './apps.ts';
import type { Opened } from './opened.ts';
import type { ProductOptions } from './options.ts';
import { openAtPort } from './ports.ts';
import type { ChosenPort, PortOwners, PortRequest } from './ports.ts';
import { publishableFor, RefusedPublishBanners } from './refused-publish-banners.ts';
import { RefusedPublishes } from './refused-publishes.ts';
import type { Settings } from './settings.ts';
import { ending } from './turns.ts';
import {
  foreignAtGrpc,
  grpcAtHttp,
  publishAtConsole,
  publishAtMock,
  WrongPortBanners,
} from './wrong-ports.ts';

export interface SidecarDependencies {
  readonly options: ProductOptions;
  readonly profile: Profile;
  readonly mayMove: boolean;
  readonly settings: Settings;
  readonly runtime: Runtime;
  readonly journal: Pick<Journal, 'trouble'>;
  readonly log: Log;
  readonly clock: Clock;
  readonly apiToken: string;
  /** True (headless): a shutdown request ends the whole product, not only that app's sidecar. */
  readonly wholeProduct: boolean;
  readonly endAll: (how: ShutdownMode) => void;
  /** Aborted once the start was given up: no further sidecar is opened. */
  readonly givenUp?: AbortSignal;
}

export interface OpenSidecars {
  /** Addresses in the order of the apps. */
  readonly urls: readonly string[];
  /** gRPC address of each, `127.0.0.1:50001`; undefined: it has none. */
  readonly grpc: readonly (string | undefined)[];
  readonly notes: readonly string[];
  /** Ports on which they listen, each with its owner. */
  ports(): PortOwners;
  /** The present warnings about clients on a wrong port, and about refused publishes. */
  banners(): SystemDescription['banners'];
  /**
   * Reports a publish that came to the port of the console.
   * @returns what to answer; undefined: there is no sidecar
   */
  publishAtConsole(consoleUrl: string): string | undefined;
  /**
   * Opens the sidecar of an added app. Throws PortTaken if it requests a port that is not free, and Refusal
   * TRANSITION_NOT_ALLOWED after `close`.
   * @returns its port
   */
  add(app: OpenApp, port?: number): Promise<number>;
  /** Closes the sidecar of an added app. Running calls may take `graceMs` to end. */
  drop(appId: string, graceMs: number): Promise<void>;
  close(graceMs: number): Promise<void>;
}

/** A port as a flag asks for it. */
type FlagRequest = Pick<PortRequest, 'flag' | 'given'>;

/**
 * Port of an app's sidecar if no flag gives one.
 * @param before sidecars that were opened before
 */
function standardPort({ sidecarPort }: ProductOptions, app: OpenApp, before: number): number {
  const first = sidecarPort ?? STANDARD_PORTS.sidecar;
  const follows = first === 0 ? 0 : first + before;
  return app.added === true ? (app.sidecarPort ?? follows) : follows;
}

function portRequest({ sidecarPort }: ProductOptions, app: OpenApp, isFirst: boolean): FlagRequest {
  const ofFlag = isFirst ? sidecarPort : undefined;
  return {
    flag: app.portNames?.http ?? (isFirst ? '--sidecar-port' : '--app'),
    given: app.added === true ? undefined : (app.sidecarPort ?? ofFlag),
  };
}

/** Opens the sidecars. Throws PortTaken. */
export async function openSidecars(
  deps: SidecarDependencies,
  apps: OpenApps,
  opened: Opened,
): Promise<OpenSidecars> {
  const { options, runtime } = deps;
  const servers: OpenSidecar[] = [];
  const notes: string[] = [];
  const refused = refusedIn(deps);
  const wrongPorts = new WrongPortBanners(deps.clock, { write: (...line) => runtime.log.write(...line) });
  let hasEnded = false;
  const close = async (graceMs: number): Promise<void> => {
    hasEnded = true;
    await Promise.all(servers.map((one) => closeBoth(one, graceMs)));
    refused.close();
    wrongPorts.close();
  };
  opened.push(() => close(0));

  async function open(app: OpenApp, request: FlagRequest, mayMove: boolean): Promise<number> {
    const standard = standardPort(options, app, servers.length);
    const isFixed = request.given !== undefined || !mayMove;
    const taken = new Map([...portsOfApps(apps.list, app, isFixed), ...portsOf(servers)]);
    const of = apps.list.length > 1 ? { appId: app.appId } : {};
    const wanted = { ...request, what: 'sidecar', standard, ...of };
    const one = await openAtPort(wanted, mayMove, taken, async (chosen) => {
      const opening = await openHttp(deps, app, chosen.port, { refused, wrongPorts });
      noteGivenWay(chosen, { runtime, notes });
      return opening;
    });
    servers.push(one);
    await withGrpc(deps, app, one, { servers, notes, refused, wrongPorts, apps });
    // `close` could not close the ports that were still being opened.
    if (hasEnded) {
      await closeBoth(one, 0);
      throw ending();
    }
    listens(deps, app, one, apps);
    return one.server.port;
  }

  for (const [i, app] of apps.list.entries()) {
    await open(app, portRequest(options, app, i === 0), deps.mayMove || app.added === true);
    // To open hundreds of them takes seconds, in which a signal must be heard.
    await setImmediate();
    deps.givenUp?.throwIfAborted();
  }
  return {
    urls: servers.map(({ server }) => server.url),
    grpc: servers.map(({ grpc }) => grpc?.address),
    notes,
    ports: () => portsOf(servers),
    banners: () => [...wrongPorts.banners(), ...refused.banners()],
    publishAtConsole: (consoleUrl) => reportAtConsole(consoleUrl, servers, wrongPorts),
    add: async (app, port) => {
      if (hasEnded) throw ending();
      refuseWithoutToken(deps, app);
      return open(app, { flag: 'sidecarPort', given: port }, true);
    },
    drop: (appId, graceMs) => closeOf(servers, appId, graceMs),
    close,
  };
}

/** Closes the sidecar of an app, if it has one, and takes it out of the list. */
async function closeOf(servers: OpenSidecar[], appId: string, graceMs: number): Promise<void> {
  const gone = takeOut(servers, appId);
  if (gone !== undefined) await closeBoth(gone, graceMs);
}

/** Both edges of one app. */
interface OpenSidecar {
  readonly appId: string;
  readonly server: SidecarServer;
  grpc?: GrpcServer | undefined;
}

/** Opens the HTTP edge of one app on this port. Rejects with the system's error if the port is taken. */
async function openHttp(
  deps: SidecarDependencies,
  app: OpenApp,
  port: number,
  complaints: Complaints,
): Promise<OpenSidecar> {
  const one: OpenSidecar = {
    appId: app.appId,
    server: sidecarServer(deps, app, port, complaints, () => one),
  };
  try {
    await one.server.start();
  } catch (error) {
    await one.server.close(0);
    throw error;
  }
  return one;
}

/** Opens the gRPC edge beside the HTTP edge. A failure closes that one too, because an app without one of its edges is not added. */
async function withGrpc(
  deps: SidecarDependencies,
  app: OpenApp,
  one: OpenSidecar,
  edges: OpenEdges & { readonly servers: OpenSidecar[] },
): Promise<void> {
  const { servers } = edges;
  try {
    one.grpc = await openGrpc(deps, app, one, edges);
  } catch (error) {
    servers.splice(servers.indexOf(one), 1);
    await closeBoth(one, 0);
    throw error;
  }
}

async function closeBoth({ server, grpc }: OpenSidecar, graceMs: number): Promise<void> {
  await Promise.all([server.close(graceMs), grpc?.close(graceMs)]);
}

/** Ports on which sidecars listen, each with its owner for the banner. */
function portsOf(servers: readonly OpenSidecar[]): PortOwners {
  return new Map(
    servers.flatMap(({ appId, server, grpc }) => [
      [server.port, `the port of the sidecar of ${theApp(appId)}`] as const,
      ...(grpc === undefined
        ? []
        : [[grpc.port, `the gRPC port of the sidecar of ${theApp(appId)}`] as const]),
    ]),
  );
}

/**
 * Ports at which apps listen, and those that the command line gives to sidecars of other apps.
 * @param isFixed the sidecar can use no other port; apps that were added at run time do not keep one of the command line from it
 */
function portsOfApps(apps: readonly OpenApp[], app: OpenApp, isFixed: boolean): PortOwners {
  const others = apps.filter((other) => other !== app && other.added !== true);
  const listening = isFixed && app.added !== true ? [app, ...others] : apps;
  return new Map([
    ...listening.flatMap(addressPort),
    ...others.flatMap(({ appId, grpcPort = 0, sidecarPort = 0 }) =>
      [
        [grpcPort, `the gRPC port of the sidecar of ${theApp(appId)}`] as const,
        [sidecarPort, `the port of the sidecar of ${theApp(appId)}`] as const,
      ].filter(([port]) => port !== 0),
    ),
  ]);
}

/** Refused publishes in the log and in banners. */
type RefusedBook = Pick<RefusedPublishBanners, 'report' | 'banners' | 'close'>;

function refusedIn({ clock, runtime, journal }: SidecarDependencies): RefusedBook {
  const write: Log['write'] = (...line) => runtime.log.write(...line);
  const lines = new RefusedPublishes(clock, (text) => write('warn', 'sidecar', text));
  const shown = new RefusedPublishBanners({
    clock,
    log: { write },
    events: runtime.events,
    said: () => [journal.trouble, runtime.refuses],
    components: (appId) => publishableFor(appId, runtime.topology.components()),
    onlyForOthers: (appId, name) => runtime.topology.onlyForOthers(appId, name),
  });
  return {
    report: (appId, info) => {
      // The banner first: the line of the log is the event that makes screens ask for it.
      shown.report(appId, info);
      lines.report(info, shown.remedy(appId, info));
    },
    banners: () => shown.banners(),
    close: () => {
      lines.close();
      shown.close();
    },
  };
}

/** Receivers of reports on mistakes of clients. */
interface Complaints {
  readonly refused: RefusedBook;
  readonly wrongPorts: WrongPortBanners;
}

interface OpenEdges extends Complaints {
  readonly apps: OpenApps;
  readonly servers: readonly OpenSidecar[];
  readonly notes: string[];
}

/**
 * Opens the gRPC edge of one app; undefined: it is off. In every mode a default port may be replaced by the
 * next free one.
 */
async function openGrpc(
  deps: SidecarDependencies,
  app: OpenApp,
  one: OpenSidecar,
  { servers, notes, refused, wrongPorts, apps }: OpenEdges,
): Promise<GrpcServer | undefined> {
  const { options, runtime } = deps;
  if (options.grpcPort === 'off') return undefined;
  const isFirst = servers.length === 1;
  const given = app.grpcPort ?? (isFirst ? options.grpcPort : undefined);
  const isAny = (options.grpcPort ?? options.sidecarPort) === 0;
  const standard = isAny ? 0 : (options.grpcPort ?? STANDARD_PORTS.grpc) + servers.length - 1;
  const flag = app.portNames?.grpc ?? (isFirst ? '--grpc-port' : '--app');
  const taken = new Map([...portsOfApps(apps.list, app, given !== undefined), ...portsOf(servers)]);
  const of = apps.list.length > 1 ? { appId: app.appId } : {};
  const request = { flag, given, what: 'gRPC port', standard, ...of };
  return openAtPort(request, true, taken, async (chosen) => {
    const server = await openGrpcServer(
      grpcOptions(deps, app, one, { port: chosen.port, refused, wrongPorts }),
    );
    noteGivenWay(chosen, { runtime, notes });
    return server;
  });
}

function grpcOptions(
  deps: SidecarDependencies,
  app: OpenApp,
  one: OpenSidecar,
  { port, refused, wrongPorts }: Complaints & { readonly port: number },
): GrpcServerOptions {
  const { options, runtime, settings } = deps;
  return {
    sidecar: runtime.sidecar(app.appId, app.turnable === undefined ? app.channel.url : undefined),
    profile: deps.profile,
    port,
    ...withoutUndefined({ host: options.sidecarHost }),
    maxBodyBytes: () => app.edge?.maxBodyBytes ?? settings.current['http.maxBodyBytes'],
    bodies: runtime.bodies,
    ...tokenOf(deps, app),
    httpUrl: () => one.server.url,
    shutdown: (how) => shutDown(deps, app, one, { over: 'gRPC', how }),
    onRefused: (info) => refused.report(app.appId, info),
    onForeign: (kind) =>
      wrongPorts.report(
        app.appId,
        foreignAtGrpc(kind, app.appId, one.grpc?.address ?? String(port), one.server.url),
      ),
    log: { write: (...line) => runtime.log.write(...line) },
  };
}

/** Answers and reports publishes that come to the mock app of an app instead of to its sidecar. */
function watchMock(
  { appId, mock }: OpenApp,
  wrongPorts: WrongPortBanners,
  own: () => Pick<OpenSidecar, 'server'>,
): void {
  mock?.onPublish?.(() => {
    const text = publishAtMock(appId, mock.url, own().server.url);
    wrongPorts.report(appId, text);
    return text;
  });
}

/** Reports a publish that came to the console instead of to one of the sidecars; undefined: there is none. */
function reportAtConsole(
  consoleUrl: string,
  servers: readonly OpenSidecar[],
  wrongPorts: WrongPortBanners,
): string | undefined {
  if (servers.length === 0) return undefined;
  const places = servers.map(({ appId, server }) => ({ appId, url: server.url }));
  const text = publishAtConsole(consoleUrl, places);
  wrongPorts.report(undefined, text);
  return text;
}

/** Also logs that a port was replaced, for scripts that do not read banners. */
function noteGivenWay(
  { notice }: ChosenPort,
  { runtime, notes }: { readonly runtime: Runtime; readonly notes: string[] },
): void {
  if (notice === undefined) return;
  runtime.log.write('warn', 'sidecar', `${notice}.`);
  notes.push(notice);
}

/** Token that callers of the sidecar have to send; absent: none. */
function tokenOf(
  { apiToken }: Pick<SidecarDependencies, 'apiToken'>,
  { edge }: OpenApp,
): { readonly apiToken?: string } {
  const token = edge?.apiToken ?? apiToken;
  return token === '' ? {} : { apiToken: token };
}

/** What decides whether other machines could use an app's sidecar without a token. */
type Reach = Pick<SidecarDependencies, 'options' | 'profile' | 'apiToken'>;

/** Throws UsageError if other machines could use the sidecar of one of the apps without a token. */
export function requireTokens(reach: Reach, apps: readonly OpenApp[]): void {
  const reason = apps.map((app) => reachWithoutToken(reach, app)).find((each) => each !== undefined);
  if (reason !== undefined) throw new UsageError(reason);
}

/** Refuses an app that is added later, if other machines could use its sidecar without a token. */
function refuseWithoutToken(reach: Reach, app: OpenApp): void {
  const reason = reachWithoutToken(reach, app);
  if (reason !== undefined) throw new Refusal('TRANSITION_NOT_ALLOWED', { reason });
}

/** Why an app's sidecar is not opened: other machines could use it without a token. Undefined: they cannot. */
function reachWithoutToken(reach: Reach, app: OpenApp): string | undefined {
  const { sidecarHost } = reach.options;
  if (sidecarHost === undefined || isLoopbackAddress(sidecarHost)) return undefined;
  if (tokenOf(reach, app).apiToken !== undefined) return undefined;
  const { env, tokenHeader } = reach.profile;
  return `--sidecar-host ${sidecarHost} lets other machines publish, so the sidecar of ${theApp(app.appId)} needs a token: set ${env.apiToken} in the environment of Sidelight, and let apps send it as header ${tokenHeader}`;
}

/** Tells the runtime where the sidecar of an app listens. */
function listens(
  deps: SidecarDependencies,
  app: OpenApp,
  { server, grpc }: OpenSidecar,
  apps: OpenApps,
): void {
  const asksForToken = tokenOf(deps, app).apiToken !== undefined;
  deps.runtime.listening(app.appId, server.url, grpc?.address, asksForToken);
  warnOfNoToken(deps, app, apps);
}

/** Warns if an added app's sidecar asks for no token although single apps of the run have one. */
function warnOfNoToken(deps: SidecarDependencies, app: OpenApp, apps: OpenApps): void {
  if (app.added !== true || tokenOf(deps, app).apiToken !== undefined) return;
  const others = apps.list.filter((other) => other.added !== true);
  if (!others.some((other) => tokenOf(deps, other).apiToken !== undefined)) return;
  const text = `The sidecar of ${theApp(app.appId)} asks for no token, but others of this run do. Set ${deps.profile.env.apiToken} in the environment of Sidelight to give each added app that token.`;
  deps.runtime.log.write('warn', 'sidecar', text);
}

/** Serves a client's shutdown request. Another instance of the same app may still have its own sidecar. */
function shutDown(
  deps: SidecarDependencies,
  app: OpenApp,
  one: OpenSidecar,
  { over, how }: { readonly over: string; readonly how: ShutdownMode },
): void {
  if (deps.wholeProduct) {
    deps.endAll(how);
    return;
  }
  const text = `A client told the sidecar of ${theApp(app.appId)} over ${over} to shut down. Restart Sidelight to open it again.`;
  deps.runtime.log.write('warn', 'sidecar', text);
  deps.runtime.closed(app.appId, one.server.url);
  void closeBoth(one, how === 'at-once' ? 0 : CLOSE_GRACE_MS);
}

const CLOSE_GRACE_MS = 5_000;

/** Makes the HTTP edge of one app on this port, without opening it. */
function sidecarServer(
  deps: SidecarDependencies,
  app: OpenApp,
  port: number,
  { refused, wrongPorts }: Complaints,
  own: () => OpenSidecar,
): SidecarServer {
  const { options, runtime, settings, profile } = deps;
  watchMock(app, wrongPorts, own);
  return createSidecarServer({
    sidecar: runtime.sidecar(app.appId, app.turnable === undefined ? app.channel.url : undefined),
    profile,
    port,
    ...withoutUndefined({ host: options.sidecarHost }),
    maxBodyBytes: () => app.edge?.maxBodyBytes ?? settings.current['http.maxBodyBytes'],
    bodies: runtime.bodies,
    allowedOrigins: () => settings.current['http.allowedOrigins'],
    ...tokenOf(deps, app),
    shutdown: (how) => shutDown(deps, app, own(), { over: 'HTTP', how }),
    grpcAddress: () => own().grpc?.address,
    onHttp2: () => {
      const { server, grpc } = own();
      wrongPorts.report(app.appId, grpcAtHttp(app.appId, server.url, grpc?.address));
    },
    onRefused: (info) => refused.report(app.appId, info),
    onForeignOrigin: ({ origin, method, path }) => {
      runtime.log.write(
        'warn',
        'sidecar',
        `Refused ${method} ${path} from a web page of ${origin} (setting http.allowedOrigins).`,
      );
    },
    log: { write: (...line) => runtime.log.write(...line) },
  });
}

/** Warning that the sidecars listen beyond this machine; undefined: they do not. */
export function beyondThisMachine(
  host: string | undefined,
): SystemDescription['banners'][number] | undefined {
  if (host === undefined || isLoopbackAddress(host)) return undefined;
  return {
    id: 'sidecar-host',
    level: 'warn',
    text: `The sidecars listen on ${host} without TLS, so other machines can reach them. Anyone who has their token can publish.`,
  };
}

/** Warning that others can reach the console; undefined: they cannot. */
export function consoleBeyond(host: string | undefined): SystemDescription['banners'][number] | undefined {
  if (host === undefined || isLoopbackAddress(host)) return undefined;
  return {
    id: 'console-host',
    level: 'warn',
    text: `The console listens on ${host} without TLS, so other machines can reach it. Anyone who has its token or a link can do everything that you can do here.`,
  };
}
