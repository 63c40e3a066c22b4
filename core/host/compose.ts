/**
 * Builds the whole product in order: settings, journal, apps, components, runtime, edges. No other file
 * constructs them.
 */
import { join } from 'node:path';
import { theApp } from '../contract/app-text.ts';
import { errorText, hasCode } from '../contract/error-text.ts';
import { PROFILES } from '../contract/profile.ts';
import type { Profile } from '../contract/profile.ts';
import type { TextPipe } from '../contract/rpc.ts';
import type { SystemDescription } from '../contract/reports.ts';
import type { ShellAddresses } from '../contract/shell.ts';
import { STANDARD_PORTS } from '../contract/standard-ports.ts';
import { bufferCodec } from '../adapters/buffer-codec.ts';
import { createEventCheck } from '../adapters/event-check.ts';
import { createLog } from '../adapters/json-log.ts';
import { createSchemaCheck } from '../adapters/json-schema/check.ts';
import { systemHostNames } from '../adapters/host-names.ts';
import { randomIds, systemRandom } from '../adapters/random-ids.ts';
import { createRecordingTexts } from '../adapters/recording-texts/texts.ts';
import { createRequestFiles } from '../adapters/request-files.ts';
import { systemClock } from '../adapters/system-clock.ts';
import type { HostServices, ProductFacts } from '../console/methods/dependencies.ts';
import { START_LINK_MS } from '../console/one-time-links.ts';
import { createConsoleServer } from '../console/server.ts';
import type { ConsoleServer, ConsoleServerDependencies } from '../console/server.ts';
import { withoutUndefined } from '../contract/without-undefined.ts';
import { SecretValues } from '../domain/secret-values.ts';
import type { EventRouter } from '../event-router/event-router.ts';
import { errorBody } from '../http/errors.ts';
import { RequestBodies } from '../domain/request-bodies.ts';
import { memoryShares } from './memory-shares.ts';
import { RuleRoom } from '../mock-app/rule-room.ts';
import type { ShutdownMode } from '../domain/shutdown-kind.ts';
import type { Clock } from '../ports/clock.ts';
import type { ComponentSource } from '../ports/component-source.ts';
import type { AskedByAgent } from '../ports/agents.ts';
import type { Journal } from '../ports/journal.ts';
import type { KeptSecrets } from '../ports/kept-secrets.ts';
import type { Log } from '../ports/log.ts';
import { pollUntil } from '../ports/poll-until.ts';
import { createRuntime } from '../runtime/runtime.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { AgentFacts } from './agents.ts';
import { appBanners } from './app-banners.ts';
import { componentBanners } from './component-banners.ts';
import { AttachedProcesses } from './attached-processes.ts';
import { openProcessLink } from './process-link.ts';
import type { ProcessLink } from './process-link.ts';
import { AppService } from './app-service.ts';
import {
  addressIn,
  CONSOLE,
  dropOwnAddresses,
  enteredAddresses,
  followAddresses,
  neededPorts,
  refuseOwnListeners,
} from './app-addresses.ts';
import { addressPort, mockOf, openApps } from './apps.ts';
import type { OpenApps } from './apps.ts';
import { openComponents } from './component-source.ts';
import { composeEventRouter } from './event-router.ts';
import { Keeper, KeptMockApps, keepSettings, keptApps, readyPubSub } from './kept-state.ts';
import { watchIdleMemory } from './idle-memory.ts';
import { OPEN_FILES_ADVICE, TOO_MANY_FILES } from './missing-program.ts';
import { openJournal } from './open-journal.ts';
import type { OpenJournal } from './open-journal.ts';
import type { ProductOptions } from './options.ts';
import { openAtPort } from './ports.ts';
import type { PortOwners } from './ports.ts';
import { closeInReverse } from './opened.ts';
import type { Opened } from './opened.ts';
import { NOT_LISTED, openRunningFile } from './running-file.ts';
import type { RunningFile, StartedProcess } from './running-file.ts';
import { worstFirst } from './worst-first.ts';
import type { OrderedBanners } from './worst-first.ts';
import { watchRefusals } from './refusal-banners.ts';
import type { Refusals } from './refusal-banners.ts';
import { consoleKey, keeperOf, watchConsoleKey } from './console-key.ts';
import { createSamples } from './samples.ts';
import { openSettings } from './settings.ts';
import { refuseTakenPorts } from './taken-ports.ts';
import { TapService } from './taps.ts';
import type { Settings } from './settings.ts';
import { callSidecar } from './call-sidecar.ts';
import { LastNotice } from './last-notice.ts';
import { restartBanner } from './restart-banner.ts';
import { beyondThisMachine, consoleBeyond, openSidecars, requireTokens } from './sidecars.ts';
import type { OpenSidecars } from './sidecars.ts';
import { unloadedComponents } from './standard-components.ts';
import { tokensOf } from './tokens.ts';
import { productVersion } from './version.ts';

export type { ProductOptions };

/** Longest time for running attempts after a stop was requested. */
const GRACE_MS = 5_000;
const MOCK_KNOWN_MS = 2_000;

export interface Product {
  readonly version: string;
  readonly ready: ShellAddresses;
  /** Notes for the first screen: ports that were taken, history that is not kept. */
  readonly notes: readonly string[];
  /** Notes that no printed line of the log says. */
  readonly unsaid: readonly string[];
  readonly durable: boolean;
  /** Folder of the history; undefined: it is in memory. */
  readonly dataDir?: string;
  /** Connects a trusted client of the console: the desktop window. */
  attach(pipe: TextPipe): void;
  /** Makes another one-time link to the console. */
  link(): string;
  /** Number of deliveries that are held or parked. */
  held(): number;
  /** Calls back once when a client asks the whole product to end (shutdown route in headless mode). */
  onShutdown(asked: (how: ShutdownMode) => void): void;
  readonly taps: Pick<TapService, 'list' | 'looked'>;
  /** Connection to the part that runs the apps' processes. */
  readonly processLink: ProcessLink;
  /** Notes commands that were started with this instance, and what ended ones left, so that other programs find them in its file. */
  started(processes: readonly StartedProcess[]): void;
  /**
   * Stops the product.
   * @param how `at-once`: running calls are cut
   */
  stop(how?: ShutdownMode): Promise<void>;
}

/**
 * Starts the product. Rejects with UsageError (bad setting in a file), PortTaken, or the reason why it cannot
 * run; then nothing stays open.
 * @param givenUp aborted once nobody wants the product any more: the start then ends at the next app, with its reason
 */
export async function startProduct(
  options: ProductOptions,
  kept?: KeptSecrets,
  givenUp?: AbortSignal,
): Promise<Product> {
  const opened: Opened = [];
  try {
    return await start(options, opened, kept, givenUp);
  } catch (error) {
    const log = hostLog(options, systemClock(), new SecretValues([]));
    await closeInReverse(opened, (what) =>
      log.write('error', 'host', `After the failed start Sidelight could not close everything: ${what}`),
    );
    if (hasCode(error, ...TOO_MANY_FILES)) throw new Error(OPEN_FILES_ADVICE, { cause: error });
    throw error;
  }
}

async function start(
  options: ProductOptions,
  opened: Opened,
  kept?: KeptSecrets,
  givenUp?: AbortSignal,
): Promise<Product> {
  const base = await openBase(options, opened);
  await refuseTakenPorts(options);
  const connected = await openConnections(base, opened, kept, givenUp);
  requireTokens(connected, connected.apps.list);
  const runtime = openRuntime(connected, opened);
  connected.mocks.onSet((appId) => runtime.touchApp(appId));
  const endAll = new EndRequest();
  const sidecars = await openSidecars(
    {
      ...connected,
      runtime,
      wholeProduct: options.mode !== 'desktop',
      endAll: (how) => endAll.ask(how),
      ...withoutUndefined({ givenUp }),
    },
    connected.apps,
    opened,
  );
  const taps = new TapService({ ...connected, runtime, isProfileGiven: options.isProfileGiven });
  opened.push(() => taps.close());
  const { opening, apps, dropped } = connected;
  const notes = [...opening.notes, ...dropped, ...apps.notes, ...sidecars.notes];
  const running: Running = { ...connected, runtime, sidecars, taps, notes };
  const served = await openConsole(running, opened);
  await runtime.start();
  await connected.mocks.useReady(runtime);
  const endHeapWatch = watchIdleMemory(
    () => runtime.events.sequence,
    () => base.journal.rest?.(),
  );
  opened.push(async () => endHeapWatch());
  await taps.start(options.tap);
  notes.push(...taps.notes);
  await mockAppsKnown(runtime, base.clock);
  const at = addressesOf(running, served.server);
  const { log, version } = base;
  const runningFile =
    options.isListed === false
      ? NOT_LISTED
      : openRunningFile({ folder: opening.folder, env: options.env, version, at, log });
  opened.push(() => runningFile.remove());
  return productOf(running, served, endAll, at, runningFile);
}

/** A shutdown that was requested over HTTP. The caller of `startProduct` decides what it does. */
class EndRequest {
  #asked: (how: ShutdownMode) => void = () => undefined;

  onAsk(asked: (how: ShutdownMode) => void): void {
    this.#asked = asked;
  }

  ask(how: ShutdownMode): void {
    this.#asked(how);
  }
}

/** Parts that all others use: settings, log and journal. */
interface Base {
  readonly options: ProductOptions;
  readonly version: string;
  readonly profile: Profile;
  readonly clock: Clock;
  /** True if ports of this start may be replaced by the next free ones. */
  readonly mayMove: boolean;
  readonly settings: Settings;
  /** Token that callers of the sidecars have to send; '' = none. */
  readonly apiToken: string;
  /** Token that the sidecars send to apps; '' = none. */
  readonly appApiToken: string;
  readonly secrets: SecretValues;
  readonly log: Log;
  readonly opening: OpenJournal;
  readonly journal: Journal;
  readonly keeper: Keeper;
}

async function openBase(options: ProductOptions, opened: Opened): Promise<Base> {
  const profile = PROFILES[options.profile];
  const clock = systemClock();
  const settings = openSettings(options);
  const { apiToken, appApiToken, ofApps } = tokensOf(options);
  const secrets = new SecretValues([apiToken, appApiToken, ...ofApps]);
  const log = hostLog(options, clock, secrets);
  for (const note of options.flagNotes) log.write('warn', 'host', note);
  const unloaded = unloadedComponents(options);
  if (unloaded !== undefined) log.write('info', 'host', unloaded);
  const opening = await openJournal(options, settings.current['journal.sync'], log);
  const { journal } = opening;
  opened.push(() => journal.close());
  const keeper = new Keeper(journal, log);
  await keepSettings(settings, keeper, log, (level) => opening.setSync(level));
  return {
    options,
    version: productVersion(),
    profile,
    clock,
    mayMove: options.mode !== 'headless',
    settings,
    apiToken,
    appApiToken,
    secrets,
    log,
    opening,
    journal,
    keeper,
  };
}

function hostLog(
  { logLevel, logFormat, writeLog }: ProductOptions,
  clock: Clock,
  secrets: SecretValues,
): Log {
  return createLog({
    level: logLevel,
    format: logFormat,
    now: () => clock.now(),
    secrets,
    ...withoutUndefined({ write: writeLog }),
  });
}

/** The base, and the parts that the runtime is connected to: apps, components, the event router. */
interface Connected extends Base {
  readonly ruleRoom: RuleRoom;
  readonly apps: OpenApps;
  /** Ids of the apps for which component files are resolved; the same list for the whole run. */
  readonly appIds: string[];
  readonly components: ComponentSource;
  readonly eventRouter: EventRouter;
  readonly mocks: KeptMockApps;
  /** Notes on addresses of apps that were removed at this start. */
  readonly dropped: readonly string[];
}

async function openConnections(
  base: Base,
  opened: Opened,
  kept?: KeptSecrets,
  givenUp?: AbortSignal,
): Promise<Connected> {
  const { options, profile, clock, settings, log, secrets, opening, journal, keeper } = base;
  const ids = randomIds();
  const ruleRoom = new RuleRoom();
  const dropped = dropOwnAddresses(settings, neededPorts(options, base.mayMove));
  for (const note of dropped) log.write('warn', 'host', `${note}.`);
  const apps = await openApps(
    {
      options,
      // A tap works beside foreign sidecars, so no apps are restored.
      added: options.tap === undefined ? await keptApps(journal, options.apps) : [],
      profile,
      mayMove: base.mayMove,
      clock,
      random: systemRandom(),
      codec: bufferCodec,
      ids,
      log,
      ruleRoom,
      mockBodies: new RequestBodies(memoryShares().backlogBytes),
      healthPath: () => settings.current['app.health'].path,
      addressOf: (appId) => addressIn(settings, appId),
      ...withoutUndefined({ givenUp }),
    },
    opened,
  );
  const eventRouter = composeEventRouter({
    profile,
    settings: () => settings.current.eventRouter,
    dataDir: opening.folder,
    written: options.writtenListeners,
    journal,
    clock,
    log,
    version: base.version,
  });
  opened.push(() => eventRouter.close());
  const appIds = apps.specs.map(({ appId }) => appId);
  const components = openComponents({
    options,
    profile,
    clock,
    ids,
    log,
    secrets,
    appIds,
    kept,
    eventRouter,
  });
  const ownResources = options.resources !== undefined || options.resourceSets !== undefined;
  const mocks = await KeptMockApps.open(apps.list, keeper, components, { ownResources, log });
  return { ...base, ruleRoom, apps, appIds, components, eventRouter, mocks, dropped };
}

/** Makes the runtime without starting it. From now on the keeper writes through it. */
function openRuntime(connected: Connected, opened: Opened): Runtime {
  const { options, clock, settings, log, opening, keeper, apps, appApiToken } = connected;
  const runtime = createRuntime({
    clock,
    ids: randomIds(),
    random: systemRandom(),
    hostNames: systemHostNames(),
    codec: bufferCodec,
    profile: connected.profile,
    settings,
    journal: connected.journal,
    log,
    secrets: connected.secrets,
    components: connected.components,
    apps: apps.specs,
    version: connected.version,
    backlogMemoryBytes: opening.backlogBytes,
    nextTurn: (run) => void setImmediate(run),
    ...withoutUndefined({ found: opening.found }),
    ...(appApiToken === '' ? {} : { appApiToken }),
    ...withoutUndefined({ namespace: options.env['NAMESPACE'] }),
  });
  keeper.through((name, value) => runtime.keep(name, value));
  opening.onBanner(() => runtime.touch());
  opened.push(() => runtime.stop(0));
  followAddresses(apps.list, settings, runtime, log);
  return runtime;
}

/** All parts that the console shows and controls. */
interface Running extends Connected {
  readonly runtime: Runtime;
  readonly sidecars: OpenSidecars;
  readonly taps: TapService;
  /** Notes for the first screen: ports that were taken. Each part adds its own as it opens. */
  readonly notes: string[];
}

interface OpenConsole {
  readonly server: ConsoleServer;
  readonly processes: AttachedProcesses;
  readonly refusals: Refusals;
  readonly ordered: OrderedBanners;
  readonly endKeyWatch: () => Promise<void>;
}

async function openConsole(running: Running, opened: Opened): Promise<OpenConsole> {
  const { clock, log, runtime, journal, eventRouter } = running;
  const { folder } = running.opening;
  const key = consoleKey(folder, log);
  let keptKey = key;
  let startBanners: Banners = [];
  const refusals = watchRefusals({
    clock,
    log: { write: (...line) => runtime.log.write(...line) },
    reasons: () => [journal.trouble, runtime.refuses, eventRouter.refuses],
  });
  opened.push(async () => refusals.close());
  const ofKey = new LastNotice('console-key', (level, text) => runtime.log.write(level, 'console', text));
  const ofApps = appBanners(() => runtime.topology.problems());
  const processes = new AttachedProcesses(runtime);
  const present = (): Banners => [
    ...startBanners,
    ...running.opening.banners(),
    ...ofKey.banners(),
    ...running.taps.banners(),
    ...refusals.banners(),
    ...running.sidecars.banners(),
    ...ofApps(),
    ...processes.banners(),
    ...runtimeBanners(runtime),
  ];
  const ordered = worstFirst(clock, present, (error) =>
    runtime.log.write('error', 'console', `The banners could not be read: ${errorText(error)}`),
  );
  opened.push(async () => ordered.close());
  const ownPorts = (): PortOwners => ownListeners(running, server);
  const server: ConsoleServer = await openConsoleServer(running, {
    ...consoleServices(running, processes, ownPorts),
    agents: lateAgents({
      attach: (pipe) => server.attach(pipe, 'agent'),
      log: { write: (...line) => runtime.log.write(...line) },
      version: running.version,
      env: running.options.env,
    }),
    facts: factsOf(running, ordered.banners),
    onPublish: () => running.sidecars.publishAtConsole(server.url),
    log,
    ids: randomIds(),
    requestBytes: memoryShares().consoleBytes,
    publishAnswer: (refusal, edge, metadata) => errorBody(refusal, running.profile, edge, metadata),
    rendererDir: join(
      import.meta.dirname,
      import.meta.url.endsWith('.ts') ? '../../dist/renderer' : '../../renderer',
    ),
    ...withoutUndefined({ host: running.options.consoleHost, token: key }),
    allowedHosts: running.options.consoleAllowedHosts,
    ...(folder === undefined ? {} : { keepToken: keeperOf(folder, (next) => (keptKey = next)) }),
  });
  opened.push(() => server.close());
  refuseOwnListeners(running.settings, ownPorts);
  startBanners = bannersOfStart(running);
  const endKeyWatch = watchConsoleKey(key && folder, () => keptKey ?? server.token, ofKey.take);
  opened.push(endKeyWatch);
  return { server, processes, refusals, ordered, endKeyWatch };
}

/** Opens the console on its port. Throws PortTaken. */
function openConsoleServer(
  { options, mayMove, apps, sidecars, runtime, notes }: Running,
  deps: Omit<ConsoleServerDependencies, 'port'>,
): Promise<ConsoleServer> {
  const request = {
    flag: '--console-port',
    what: 'console',
    given: options.consolePort,
    standard: STANDARD_PORTS.console,
  };
  const taken = new Map([...apps.list.flatMap(addressPort), ...sidecars.ports()]);
  return openAtPort(request, mayMove, taken, async ({ port, notice }) => {
    const server = await createConsoleServer({ ...deps, port });
    if (notice !== undefined) {
      runtime.log.write('warn', 'host', `${notice}.`);
      notes.push(notice);
    }
    return server;
  });
}

/** Ports of this run's own listeners, except those on which a tap hands deliveries on to an app. */
function ownListeners({ apps, sidecars, taps }: Running, server: Pick<ConsoleServer, 'url'>): PortOwners {
  return new Map([
    ...apps.list.flatMap(({ appId, mock }) =>
      mock === undefined ? [] : [[portOf(mock.url), `the port of the mock app of ${theApp(appId)}`] as const],
    ),
    ...taps.addresses.flatMap(({ appId, sidecarPort, grpcPort }) =>
      [sidecarPort, grpcPort].flatMap((port) =>
        port === undefined ? [] : [[port, `a port of the tap of ${theApp(appId)}`] as const],
      ),
    ),
    ...sidecars.ports(),
    [portOf(server.url), CONSOLE] as const,
  ]);
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}

/** Serves agents; the code is loaded at their first request. */
function lateAgents(facts: AgentFacts): AskedByAgent {
  let handler: Promise<AskedByAgent> | undefined;
  return async (question, signal) => {
    handler ??= import('./agents.ts').then(({ agentHandler }) => agentHandler(facts));
    return (await handler)(question, signal);
  };
}

type Banners = SystemDescription['banners'];

function runtimeBanners(runtime: Runtime): Banners {
  return [...componentBanners(runtime.topology.brokenComponents()), ...restartBanner(runtime)];
}

/** Banners that stay for the whole run; a warning is also logged. */
function bannersOfStart({ options, log, notes }: Running): Banners {
  const sidecars = beyondThisMachine(options.sidecarHost);
  if (sidecars !== undefined) log.write('warn', 'sidecar', sidecars.text);
  const console = consoleBeyond(options.consoleHost);
  if (console !== undefined) log.write('warn', 'console', console.text);
  return [
    ...notes.map((text, i) => ({ id: `port-${i}`, text, level: 'info' as const })),
    ...[sidecars, console].filter((each) => each !== undefined),
  ];
}

function factsOf({ options, version, opening, secrets }: Running, banners: () => Banners): ProductFacts {
  return {
    version,
    profile: options.profile,
    ephemeral: options.ephemeral,
    ...withoutUndefined({ dataDir: opening.folder, reveal: options.reveal }),
    get secrets() {
      return secrets.all;
    },
    // A banner repeats what others sent, as a line of the log does: the address of a refused publish, for example.
    banners: () => banners().map((banner) => ({ ...banner, text: secrets.mask(banner.text) })),
  };
}

function consoleServices(
  running: Running,
  processes: AttachedProcesses,
  ownPorts: () => PortOwners,
): Omit<HostServices, 'facts'> {
  const { options, profile, clock, settings, opening, keeper, apps, components, runtime } = running;
  return {
    runtime,
    settings,
    components,
    apps: new AppService({ ...running, ownPorts }),
    taps: running.taps,
    processes,
    mockApp: (appId) => mockOf(apps.list, appId) ?? running.taps.rulesOf(appId),
    callSidecar: callSidecar(runtime.topology, clock),
    samples: createSamples({ runtime, settings, profile, apps: apps.list, keeper }),
    eventRouter: running.eventRouter.attach(
      {
        components: () => runtime.topology.components(),
        log: (...line) => runtime.log.write(...line),
        touch: () => runtime.touch(),
        reload: () => runtime.resources.reload(),
      },
      components,
    ),
    settled: () => keeper.settled(),
    openRecordingJournal: () => opening.openRecordingJournal(),
    codec: bufferCodec,
    clock,
    random: systemRandom(),
    schemaCheck: createSchemaCheck(),
    eventCheck: createEventCheck(),
    recordingTexts: createRecordingTexts(),
    ...(components.folder === undefined ? {} : { requestFiles: createRequestFiles(components.folder) }),
    env: (name) => options.env[name],
  };
}

function productOf(
  running: Running,
  served: OpenConsole,
  endAll: EndRequest,
  ready: ShellAddresses,
  runningFile: RunningFile,
): Product {
  const { runtime, notes } = running;
  const { server } = served;
  let stopping: Promise<void> | undefined;
  const stop = async (how: ShutdownMode): Promise<void> => {
    try {
      await stopAll(running, served, how === 'at-once' ? 0 : GRACE_MS);
    } finally {
      await runningFile.remove();
    }
  };
  return {
    version: running.version,
    ready,
    notes,
    // The log has the other notes too, as warnings.
    unsaid: running.options.logLevel === 'error' ? notes : running.opening.notes,
    durable: running.journal.durable,
    ...withoutUndefined({ dataDir: running.opening.folder }),
    attach: (pipe) => server.attach(pipe),
    link: () => server.link(),
    held: () => {
      const counts = runtime.figures.counts();
      return counts.held + counts.parked;
    },
    taps: running.taps,
    processLink: openProcessLink(runtime, served.processes),
    onShutdown: (asked) => endAll.onAsk(asked),
    started: (processes) => runningFile.setProcesses(processes),
    stop: (how = 'in-order') => (stopping ??= stop(how)),
  };
}

function addressesOf(
  { apps, sidecars, taps, runtime, profile, settings }: Running,
  server: ConsoleServer,
): ShellAddresses {
  const entered = enteredAddresses(settings, apps.list);
  const pubsubname = readyPubSub(runtime, apps.list[0]?.appId ?? '');
  return {
    console: server.url,
    open: server.link(START_LINK_MS),
    rpc: `${server.url}/rpc`,
    token: server.token,
    apps: apps.list.map((app, i) => ({
      appId: app.appId,
      sidecar: sidecars.urls[i] ?? '',
      ...withoutUndefined({ grpc: sidecars.grpc[i] }),
      ...(app.channel.url === '' ? {} : { app: app.channel.url }),
      protocol: app.channel.protocol ?? 'http',
      // An app with a mock app may have been turned to an address of its own.
      mock: app.mock !== undefined && app.mock.url === app.channel.url,
    })),
    ...(entered.length === 0 ? {} : { entered }),
    ...(taps.addresses.length === 0 ? {} : { taps: taps.addresses }),
    ...withoutUndefined({ pubsubname }),
    ...(runtime.topology.apps()[0]?.asksForToken === true
      ? { apiToken: { header: profile.tokenHeader, variable: profile.env.apiToken } }
      : {}),
  };
}

async function stopAll(
  { sidecars, taps, runtime, eventRouter, apps }: Running,
  served: OpenConsole,
  graceMs: number,
): Promise<void> {
  await Promise.all([sidecars.close(graceMs), taps.close()]);
  // The console closes before the runtime closes the journal, because a list must not read a half closed one.
  await served.server.close();
  served.refusals.close();
  served.ordered.close();
  await served.endKeyWatch();
  await runtime.stop(graceMs);
  await eventRouter.close();
  await apps.close();
}

/**
 * Waits until the mock apps are discovered, `MOCK_KNOWN_MS` at most, so that a reader of the ready line can
 * use them. A real app may come later.
 */
async function mockAppsKnown(runtime: Runtime, clock: Clock): Promise<void> {
  const areKnown = (): boolean =>
    !runtime.topology
      .apps()
      .some((app) => app.mock && (app.discovery.state === 'waiting' || app.discovery.state === 'asking'));
  await pollUntil(clock, { everyMs: 5, limitMs: MOCK_KNOWN_MS }, areKnown);
}
