/** Runs the cases of one configuration on a started sidecar, green or with everything spoilt that a case names. */
import { createApp } from './app.ts';
import type { ConformanceApp } from './app.ts';
import type { Case, ConsoleRpc, Own, ResourceFolder, Running, Sidecar } from './case.ts';
import { listing } from './configuration.ts';
import type { Configuration, RedisAddresses } from './configuration.ts';
import {
  closeGrpc,
  contextOf,
  fence,
  fenceSubscription,
  ownNames,
  poll,
  scriptFence,
  served,
  sidecarAt,
} from './context.ts';
import type { Surroundings } from './context.ts';
import { createGrpcApp } from './grpc-app.ts';
import { createClient } from './http-client.ts';
import type { HttpClient } from './http-client.ts';
import { watchedNames } from './names.ts';
import type { Names } from './names.ts';
import { startSpoilingProxy } from './proxy.ts';
import type { CaseResult } from './report.ts';
import { textOf } from './text-of.ts';
import { RedisServer } from '../../support/redis-server.ts';
import { SELF_SIGNED } from '../../support/self-signed.ts';
import { appSpoiler } from './spoiler.ts';
import type { Spoil } from './spoiler.ts';
import { freePort } from '../../support/free-port.ts';

export interface StartedSidecar {
  readonly url: string;
  /** Where it serves gRPC, `127.0.0.1:50001`; absent: it is not known. */
  readonly grpc?: string;
  /** Whether its process has ended; absent: unknown. */
  readonly hasEnded?: () => boolean;
  readonly appId: string;
  readonly component: string;
  readonly running: Running;
  /** Process that serves it, where it is ours. */
  readonly pid?: number;
  readonly console?: ConsoleRpc;
  /** Address of the second app's sidecar. */
  readonly secondUrl?: string;
  /** The components folder of the configuration, where there is one. */
  readonly files?: ResourceFolder;
  /** Last log lines of the process. */
  readonly lastWords: () => string;
  stop(): Promise<void>;
}

export interface RunOptions {
  readonly configuration: Configuration;
  readonly cases: readonly Case[];
  readonly names: Names;
  /** Name of the component in the suite's subscriptions. */
  readonly component: string;
  /** 0 = a free one. */
  readonly appPort: number;
  /** Every spoil of every case, each expected to make it fail; otherwise every case as it is. */
  readonly red: boolean;
  readonly patienceMs: number;
  readonly start: (around: {
    readonly url: string;
    readonly secondUrl?: string;
    readonly redis?: RedisAddresses;
  }) => Promise<StartedSidecar>;
  readonly done: (result: CaseResult) => void;
  /** A case whose subscriptions keep the sidecar from serving any other. */
  readonly isAlone?: (id: string) => boolean;
  /** Longest wait until the sidecar is ready, in ms. */
  readonly readyMs?: number;
  /** Takes cases whose sidecar could not be started or made ready; absent: then everything ends. */
  readonly notStarted?: (cases: readonly Case[], reason: string) => void;
  /** Called with the id of a case that reads a name of the profile: it expects something else in another profile. */
  readonly readsNames?: (id: string) => void;
  /** Bounds how many sidecars run at the same time, over all configurations. */
  readonly limit: Limit;
}

export type Limit = (work: () => Promise<void>) => Promise<void>;

/** Wait for one fence of a start before another is tried. */
const FIRST_FENCE_MS = 5_000;
/** Wait for a message that only asks whether a component is served. */
const ASK_AGAIN_MS = 1_000;

/** Turns that share a start when things are spoilt: more starts side by side, as spoilt cases wait in vain. */
const SPOILT_TOGETHER = 60;

/** At most `most` of the works given to it run at once, in the order in which they were given. */
export function limitOf(most: number): Limit {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= most) await new Promise<void>((go) => waiting.push(go));
    running += 1;
    try {
      await work();
    } finally {
      running -= 1;
      waiting.shift()?.();
    }
  };
}

/** One time that a case is run: as it is, or with one thing spoilt. */
interface Turn {
  readonly of: Case;
  readonly own: Own;
  readonly spoil: Spoil | undefined;
}

/** Runs them all; a result per turn goes to `done`. Rejects when the sidecar cannot be started or made ready. */
export async function runCases(options: RunOptions): Promise<void> {
  const turns = turnsOf(options);
  if (turns.length === 0) return;
  await Promise.all(
    groupsOf(options, turns).map(async (group) =>
      options.limit(async () => {
        try {
          await runGroup(options, group);
        } catch (error) {
          if (options.notStarted === undefined) throw error;
          const reason = textOf(error);
          options.notStarted(
            group.map(({ of }) => of),
            reason,
          );
        }
      }),
    ),
  );
}

function groupsOf(options: RunOptions, turns: readonly Turn[]): readonly (readonly Turn[])[] {
  const alone = turns.filter(({ of }) => options.isAlone?.(of.id) === true);
  const together = turns.filter((turn) => !alone.includes(turn));
  return [...(together.length === 0 ? [] : inGroups(options, together)), ...alone.map((turn) => [turn])];
}

function inGroups(options: RunOptions, turns: readonly Turn[]): readonly (readonly Turn[])[] {
  const size = options.configuration.fresh === true ? 1 : options.red ? SPOILT_TOGETHER : turns.length;
  return Array.from({ length: Math.ceil(turns.length / size) }, (_, at) =>
    turns.slice(at * size, (at + 1) * size),
  );
}

function turnsOf(options: RunOptions): readonly Turn[] {
  const run = `r${Date.now().toString(36)}${Math.floor(Math.random() * 1296).toString(36)}`;
  return options.cases.flatMap((of) =>
    (options.red ? of.spoils : [undefined]).map((spoil, at) => ({
      of,
      spoil,
      own: ownNames(namesFor(options, of.id), options.component, `${run}${at}`, of.id),
    })),
  );
}

/** The names as one case gets them. */
function namesFor({ names, readsNames }: RunOptions, id: string): Names {
  return readsNames === undefined ? names : watchedNames(names, () => readsNames(id));
}

async function runGroup(options: RunOptions, turns: readonly Turn[]): Promise<void> {
  const { configuration, names } = options;
  const client = createClient();
  const app =
    configuration.grpcApp === true ? createGrpcApp(names.discoveryPath) : createApp(names.discoveryPath);
  const second = configuration.secondApp !== true ? undefined : createApp(names.discoveryPath);
  let rest: readonly Turn[] = [];
  const closing: (() => Promise<void>)[] = [
    async () => app.close(),
    async () => {
      closeGrpc(client);
      client.close();
      return Promise.resolve();
    },
  ];
  try {
    const appPort = await prepare(options, app, turns);
    const secondPort = second === undefined ? undefined : await prepare(options, second, turns);
    if (second !== undefined) closing.unshift(async () => second.close());
    const redis =
      configuration.redis === undefined ? undefined : await RedisServer.start({ tlsBeside: SELF_SIGNED });
    if (redis !== undefined) closing.unshift(async () => redis.stop());
    if (configuration.redis === 'away') await redis?.kill();
    const sidecar = await options.start({
      url: `${app.protocol}://127.0.0.1:${appPort}`,
      ...(secondPort === undefined ? {} : { secondUrl: `http://127.0.0.1:${secondPort}` }),
      ...(redis === undefined ? {} : { redis }),
    });
    closing.unshift(async () => sidecar.stop());
    const proxy = options.red ? await startSpoilingProxy(sidecar.url, (one) => app.log.add(one)) : undefined;
    if (proxy !== undefined) closing.unshift(async () => proxy.close());
    const around = surroundings(options, { sidecar, client, app, appPort, second, redis });
    await untilReady(options, around, sidecar, componentsOf(options.component, turns));
    for (const [at, turn] of turns.entries()) {
      if (sidecar.hasEnded?.() === true && configuration.fresh !== true) {
        // The previous case ended its process: the others get another one.
        rest = turns.slice(at);
        break;
      }
      if (proxy !== undefined) proxy.spoil = turn.spoil;
      app.spoiler = turn.spoil === undefined ? undefined : appSpoiler(turn.spoil);
      options.done(
        await runTurn(
          turn,
          {
            ...around,
            names: namesFor(options, turn.of.id),
            baseUrl: proxy?.url ?? around.baseUrl,
            spoil: turn.spoil,
          },
          configuration,
        ),
      );
      app.spoiler = undefined;
    }
  } finally {
    for (const close of closing) await close();
  }
  if (rest.length > 0) await runGroup(options, rest);
}

/** Opens the app (or finds it a port that it opens later) with the cases' subscriptions. */
async function prepare(options: RunOptions, app: ConformanceApp, turns: readonly Turn[]): Promise<number> {
  const { configuration, names, component } = options;
  const subscriptions = [
    ...componentsOf(component, turns).map(fenceSubscription),
    ...turns.flatMap(({ of, own }) => of.subscriptions?.(own) ?? []),
  ];
  scriptFence(app);
  app.script(names.discoveryPath, ...(configuration.discovery?.(subscriptions) ?? [listing(subscriptions)]));
  for (const [path, steps] of Object.entries(configuration.app ?? {})) app.script(path, ...steps);
  // A spoil may concern what happens while the sidecar starts.
  const [first] = turns;
  if (configuration.fresh === true && first?.spoil !== undefined) app.spoiler = appSpoiler(first.spoil);
  // An app that leaves and comes back finds its port again.
  const port = await app.open(options.appPort === 0 ? await freePort() : options.appPort);
  if (configuration.appOpensLate === true) await app.close();
  return port;
}

/** The suite's component, and the others that subscriptions of the cases name. */
function componentsOf(component: string, turns: readonly Turn[]): readonly string[] {
  const named = turns
    .flatMap(({ of, own }) => of.subscriptions?.(own) ?? [])
    .flatMap(({ pubsubname, pubsubName }) => [pubsubname, pubsubName])
    .filter((name) => typeof name === 'string');
  return [...new Set([component, ...named])];
}

function surroundings(
  options: RunOptions,
  parts: {
    readonly sidecar: StartedSidecar;
    readonly client: HttpClient;
    readonly app: ConformanceApp;
    readonly appPort: number;
    readonly second: ConformanceApp | undefined;
    readonly redis: RedisServer | undefined;
  },
): Surroundings {
  const { sidecar, client, app, appPort, second, redis } = parts;
  const headers = options.configuration.headers?.(options.names) ?? {};
  const { component } = options;
  return {
    names: options.names,
    appId: sidecar.appId,
    component,
    baseUrl: sidecar.url,
    client,
    headers,
    app,
    appPort,
    second:
      second === undefined || sidecar.secondUrl === undefined
        ? undefined
        : { app: second, sidecar: sidecarAt({ baseUrl: sidecar.secondUrl, client, headers, component }) },
    running: sidecar.running,
    console: sidecar.console,
    grpcAddress: sidecar.grpc,
    files: sidecar.files,
    redis,
    patienceMs: options.patienceMs,
    fenceMs: options.readyMs ?? 120_000,
  };
}

async function untilReady(
  { configuration, readyMs = 120_000 }: RunOptions,
  around: Surroundings,
  sidecar: StartedSidecar,
  components: readonly string[],
): Promise<void> {
  const asked = sidecarAt(around);
  const longest = Math.max(around.patienceMs, readyMs);
  try {
    if (configuration.notReady === true || configuration.appOpensLate === true) {
      await poll(
        async () => asked.send('/v1.0/healthz'),
        () => true,
        'an answer',
        longest,
      );
      return;
    }
    await poll(
      async () => asked.send('/v1.0/healthz'),
      (one) => one.status === 204,
      'healthz 204',
      longest,
    );
    await firstFence(around, asked, components, readyMs);
    if (around.second !== undefined) {
      const { sidecar: other } = around.second;
      await poll(
        async () => other.send('/v1.0/healthz'),
        (one) => one.status === 204,
        'healthz 204',
        longest,
      );
    }
  } catch (error) {
    const why = textOf(error);
    throw new Error(`the sidecar was not made ready: ${why}\nIt said:\n${sidecar.lastWords()}`, {
      cause: error,
    });
  }
}

/**
 * Subscriptions may be served a moment after the sidecar is healthy, one component after the other, and a message that comes before is lost
 * elsewhere.
 */
async function firstFence(
  around: Surroundings,
  asked: Sidecar,
  components: readonly string[],
  longestMs: number,
): Promise<void> {
  const until = performance.now() + longestMs;
  const within = (ms: number): Surroundings => ({ ...around, patienceMs: ms, fenceMs: ms });
  await again(async () => fence(within(FIRST_FENCE_MS), asked), until);
  for (const component of components)
    await again(async () => served(within(ASK_AGAIN_MS), asked, component), until);
}

/** Does it until it succeeds, or until the time is over. */
async function again(act: () => Promise<void>, until: number): Promise<void> {
  for (;;) {
    try {
      await act();
      return;
    } catch (error) {
      if (performance.now() > until) throw error;
    }
  }
}

async function runTurn(turn: Turn, around: Surroundings, configuration: Configuration): Promise<CaseResult> {
  const { of, own, spoil } = turn;
  const base = {
    id: of.id,
    title: of.title,
    basis: of.basis,
    rows: of.rows,
    configuration: configuration.id,
    profile: around.names.profile,
    ...(spoil === undefined ? {} : { spoil: spoil.name }),
  };
  if (of.needsConsole === true && around.console === undefined) {
    return { ...base, result: 'not reachable', ms: 0, reason: "needs the console's RPC" };
  }
  if (of.needsFiles === true && around.files === undefined) {
    return { ...base, result: 'not reachable', ms: 0, reason: 'needs its components folder' };
  }
  if (of.needsGrpc === true && around.grpcAddress === undefined) {
    return { ...base, result: 'not reachable', ms: 0, reason: 'needs --grpc-address' };
  }
  const from = performance.now();
  const ms = (): number => Math.round(performance.now() - from);
  try {
    await of.run(contextOf(around, own, of));
    return { ...base, result: 'passed', ms: ms() };
  } catch (error) {
    return {
      ...base,
      result: 'failed',
      ms: ms(),
      reason: textOf(error),
    };
  }
}
