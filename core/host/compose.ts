/** Builds the whole product, once, in its order: settings, journal, apps, components, runtime, edges. The only construction site. */
import { join } from 'node:path';
import { PROFILES } from '../contract/profile.ts';
import type { TextPipe } from '../contract/rpc.ts';
import type { ShellAddresses } from '../contract/shell.ts';
import { bufferCodec } from '../adapters/buffer-codec.ts';
import { createLog } from '../adapters/json-log.ts';
import { createSchemaCheck } from '../adapters/json-schema/check.ts';
import { randomIds, systemRandom } from '../adapters/random-ids.ts';
import { createRequestFiles } from '../adapters/request-files.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { createConsoleServer } from '../console/server.ts';
import { SecretValues } from '../domain/secret-values.ts';
import { errorBody } from '../http/errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { KeptSecrets } from '../ports/kept-secrets.ts';
import { Runtime } from '../runtime/runtime.ts';
import { AppService } from './app-service.ts';
import { followAddresses } from './app-addresses.ts';
import { mockOf, openApps } from './apps.ts';
import { openComponents } from './component-source.ts';
import { composeEventRouter } from './event-router.ts';
import { Keeper, keepMockApps, keepSettings, keptApps } from './persistence.ts';
import { openJournal } from './open-journal.ts';
import type { ProductOptions } from './options.ts';
import { choosePort } from './ports.ts';
import { watchRefusals } from './refusals.ts';
import { consoleKey, keeperOf, watchConsoleKey } from './console-key.ts';
import { createSamples } from './samples.ts';
import { openSettings } from './settings.ts';
import { callSidecar } from './call-sidecar.ts';
import { restartBanner } from './restart-banner.ts';
import { beyondThisMachine, openSidecars } from './sidecars.ts';
import { productVersion } from './version.ts';

export type { ProductOptions };

/** How long running attempts may go on once a stop was asked for. */
const GRACE_MS = 5_000;
/** The link printed at the start lives longer than later ones: it may wait in a terminal. */
const FIRST_LINK_MS = 600_000;
const MOCK_KNOWN_MS = 2_000;

export interface Product {
  readonly version: string;
  readonly ready: ShellAddresses;
  /** Sentences for the first screen: ports that gave way, history that is not kept. */
  readonly notes: readonly string[];
  readonly durable: boolean;
  /** A trusted peer of the console: the desktop window. */
  attach(pipe: TextPipe): void;
  /** Another one-time link to the console. */
  link(): string;
  /** Deliveries held or parked. */
  held(): number;
  /** Calls back once when the whole product is asked to end (shutdown route in headless mode). */
  onShutdown(asked: () => void): void;
  stop(): Promise<void>;
}

/** Rejects with UsageError (bad setting in a file), PortTaken, or the reason why nothing can run; then nothing is left open. */
export async function startProduct(options: ProductOptions, kept?: KeptSecrets): Promise<Product> {
  const opened: Opened = [];
  try {
    return await start(options, opened, kept);
  } catch (error) {
    for (const close of opened.reverse()) await close();
    throw error;
  }
}

type Opened = (() => Promise<void>)[];

async function start(options: ProductOptions, opened: Opened, kept?: KeptSecrets): Promise<Product> {
  const version = productVersion();
  const profile = PROFILES[options.profile];
  const clock = systemClock();
  const mayMove = options.mode === 'desktop';
  const settings = openSettings(options);
  const apiToken = options.env[profile.env.apiToken] ?? '';
  const appApiToken = options.env[profile.env.appApiToken] ?? '';
  const secrets = new SecretValues([apiToken, appApiToken]);
  const log = createLog({
    level: options.logLevel,
    format: options.logFormat,
    now: () => clock.now(),
    secrets,
  });
  const opening = await openJournal(options, settings.current['journal.sync'], log);
  const { journal } = opening;
  opened.push(() => journal.close());
  const keeper = new Keeper(journal, log);
  await keepSettings(settings, keeper, log, (level) => opening.setSync(level));

  const apps = await openApps(
    {
      options,
      added: await keptApps(journal, options.apps),
      profile,
      mayMove,
      clock,
      random: systemRandom(),
      codec: bufferCodec,
      ids: randomIds(),
      log,
      healthPath: () => settings.current['app.health'].path,
      addressOf: (appId) => settings.current['app.address'][appId],
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
    version,
  });
  opened.push(() => eventRouter.close());
  const appIds = apps.specs.map(({ appId }) => appId);
  const components = openComponents({
    options,
    profile,
    clock,
    ids: randomIds(),
    log,
    secrets,
    appIds,
    kept,
    eventRouter,
  });
  const keepMock = await keepMockApps(apps.list, keeper, components, options.resources !== undefined);

  const runtime = new Runtime({
    clock,
    ids: randomIds(),
    random: systemRandom(),
    codec: bufferCodec,
    profile,
    settings,
    journal,
    log,
    secrets,
    components,
    apps: apps.specs,
    version,
    backlogMemoryBytes: opening.backlogBytes,
    ...(opening.found === undefined ? {} : { found: opening.found }),
    ...(appApiToken === '' ? {} : { appApiToken }),
    ...(options.env['NAMESPACE'] === undefined ? {} : { namespace: options.env['NAMESPACE'] }),
  });
  keeper.through((name, value) => runtime.keep(name, value));
  opened.push(() => runtime.stop(0));
  followAddresses(apps.list, settings, runtime, log);

  let askedToEnd: () => void = () => undefined;
  const sidecars = await openSidecars(
    {
      options,
      profile,
      mayMove,
      settings,
      runtime,
      log,
      clock,
      apiToken,
      wholeProduct: options.mode !== 'desktop',
      endAll: () => askedToEnd(),
    },
    apps,
    opened,
  );
  const consolePort = await choosePort(
    { flag: '--console-port', what: 'console', given: options.consolePort, standard: 3580 },
    mayMove,
    new Set(),
  );
  const notes = [
    ...apps.notes,
    ...sidecars.notes,
    ...(consolePort.notice === undefined ? [] : [consolePort.notice]),
  ];
  const key = consoleKey(opening.folder, log);
  let keptKey = key;
  const beyond = beyondThisMachine(options.sidecarHost, profile, apiToken);
  if (beyond !== undefined) log.write('warn', 'sidecar', beyond.text);
  const banners = [
    ...notes.map((text, i) => ({ id: `port-${i}`, text, level: 'info' as const })),
    ...(beyond === undefined ? [] : [beyond]),
  ];
  const refusals = watchRefusals({
    clock,
    log: { write: (...line) => runtime.log(...line) },
    reasons: () => [journal.trouble, runtime.refuses, eventRouter.refuses],
  });
  opened.push(async () => refusals.close());
  const served = await createConsoleServer({
    runtime,
    settings,
    components,
    apps: new AppService({ apps, sidecars, runtime, settings, keeper, keepMock, appIds }),
    mockApp: (appId) => mockOf(apps.list, appId),
    callSidecar: callSidecar(runtime, clock),
    samples: createSamples({ runtime, settings, profile, apps: apps.list }),
    eventRouter: eventRouter.attach(runtime, components),
    facts: {
      version,
      profile: options.profile,
      ephemeral: options.ephemeral,
      ...(opening.folder === undefined ? {} : { dataDir: opening.folder }),
      ...(options.reveal === undefined ? {} : { reveal: options.reveal }),
      get secrets() {
        return secrets.all;
      },
      banners: () => [...banners, ...opening.banners(), ...refusals.banners(), ...restartBanner(runtime)],
    },
    settled: () => keeper.settled(),
    openScratch: () => opening.openScratch(),
    codec: bufferCodec,
    clock,
    random: systemRandom(),
    schemaCheck: createSchemaCheck(),
    ...(components.folder === undefined ? {} : { requestFiles: createRequestFiles(components.folder) }),
    env: (name) => options.env[name],
    ids: randomIds(),
    log,
    publishAnswer: (refusal, edge, metadata) => errorBody(refusal, profile, edge, metadata),
    rendererDir: join(
      import.meta.dirname,
      import.meta.url.endsWith('.ts') ? '../../dist/renderer' : '../../renderer',
    ),
    port: consolePort.port,
    ...(key === undefined ? {} : { token: key }),
    ...(opening.folder === undefined
      ? {}
      : { keepToken: keeperOf(opening.folder, (next) => (keptKey = next)) }),
  });
  opened.push(() => served.close());
  const endKeyWatch = watchConsoleKey(key && opening.folder, () => keptKey ?? served.token, log);
  opened.push(endKeyWatch);
  await runtime.start();
  await mockAppsKnown(runtime, clock);

  let stopping: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    await sidecars.close(GRACE_MS);
    // The console goes before the runtime closes the journal: a list must not see it half closed.
    await served.close();
    refusals.close();
    await endKeyWatch();
    await runtime.stop(GRACE_MS);
    await eventRouter.close();
    await apps.close();
  };
  const pubsubname = runtime.components().find((row) => row.kind === 'pubsub' && row.state === 'ready')?.name;
  return {
    version,
    ready: {
      console: served.url,
      open: served.link(FIRST_LINK_MS),
      rpc: `${served.url}/rpc`,
      token: served.token,
      apps: apps.list.map((app, i) => ({
        appId: app.appId,
        sidecar: sidecars.urls[i] ?? '',
        app: app.channel.url,
        mock: app.mock !== undefined,
      })),
      ...(pubsubname === undefined ? {} : { pubsubname }),
    },
    notes,
    durable: journal.durable,
    attach: (pipe) => served.attach(pipe),
    link: () => served.link(),
    held: () => {
      const counts = runtime.counts();
      return counts.held + counts.parked;
    },
    onShutdown: (asked) => {
      askedToEnd = asked;
    },
    stop: () => (stopping ??= stop()),
  };
}

/** The mock apps are there already: whoever reads the ready line finds them discovered. A real app may come later. */
async function mockAppsKnown(runtime: Runtime, clock: Clock): Promise<void> {
  const until = clock.monotonic() + MOCK_KNOWN_MS;
  const unknown = (): boolean =>
    runtime
      .apps()
      .some((app) => app.mock && (app.discovery.state === 'waiting' || app.discovery.state === 'asking'));
  while (unknown() && clock.monotonic() < until) {
    await new Promise<void>((go) => clock.at(clock.now() + 5, go));
  }
}
