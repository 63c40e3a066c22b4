/**
 * Runs one scenario file: starts an instance and the apps beside it, runs the steps, and removes everything
 * afterwards.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { systemClock } from '../adapters/system-clock.ts';
import { errorText } from '../contract/error-text.ts';
import type { Scenario, ScenarioApp, StepOf } from '../contract/scenario.ts';
import { shellQuote } from '../contract/shell-quote.ts';
import { withoutUndefined } from '../contract/without-undefined.ts';
import { ExpectationFailed } from '../scenario/expectation-failed.ts';
import { prepareMock } from '../scenario/prepare.ts';
import type { AppOutput, FileResult } from '../scenario/report.ts';
import { InstanceGone, RpcRefused } from '../scenario/rpc.ts';
import { runSteps } from '../scenario/run-steps.ts';
import type { Stage } from '../scenario/run-steps.ts';
import { AppProcess } from './app-process.ts';
import type { StartProgram } from './app-process.ts';
import { Instance } from './instance.ts';
import type { At, InstanceOptions, RunningInstance } from './instance.ts';
import { lastingPort } from './lasting-port.ts';

export interface ScenarioFile {
  /** Name of the file in reports. */
  readonly file: string;
  readonly path: string;
  readonly scenario: Scenario;
}

export interface RunHow {
  /** True: the history of a failed file stays on disk, and the result has the command that opens it. */
  readonly keep: boolean;
  /** Makes the environment of an app's process, from the ready line with only that app. */
  readonly environmentOf: (
    at: Pick<At, 'apps'>,
    profile: Scenario['profile'],
  ) => Readonly<Record<string, string>>;
  /** Starts the program of an app in a group of its own. */
  readonly startProgram: StartProgram;
  /**
   * Starts an instance in this process. If it is absent, and for a file with a restart, each instance has a
   * process of its own.
   */
  readonly start?: (options: InstanceOptions) => Promise<RunningInstance>;
  /** The command as it was started, for the line that opens the history of a file; absent: `sidelight`. */
  readonly startedAs?: string;
  /** Ends the file when it is aborted. */
  readonly signal: AbortSignal;
}

/** An app of the file with the port of its process. */
interface PlannedApp {
  readonly appId: string;
  readonly app: ScenarioApp;
  readonly port?: number;
}

/** Runs the file. Never rejects: an error is part of the result. */
export async function runFile(file: ScenarioFile, how: RunHow): Promise<FileResult> {
  const { scenario, path } = file;
  const { startedAs = 'sidelight' } = how;
  const { name = basename(path).replace(/\.scenario\.ya?ml$/, '') } = scenario;
  const { keptIn, ...ended } = await runKept(file, how).catch(notRun);
  const hasPassed = passed(ended);
  const open =
    keptIn === undefined
      ? `${startedAs} test --keep ${shellQuote(file.file)}`
      : `${startedAs} --data-dir ${shellQuote(keptIn)}`;
  return {
    file: file.file,
    name,
    status: hasPassed ? 'passed' : 'failed',
    ...ended,
    ...(hasPassed ? {} : { open }),
  };
}

type Ended = Pick<FileResult, 'steps' | 'trouble' | 'output'>;
/** End of a file, with the folder of its history if that stays. */
type Kept = Ended & { readonly keptIn: string | undefined };

function passed({ steps, trouble }: Ended): boolean {
  return trouble === undefined && steps.every(({ status }) => status === 'passed');
}

function notRun(error: unknown): Kept {
  return { steps: [], trouble: `it could not be run: ${errorText(error)}`, keptIn: undefined };
}

/** Runs the file in a folder of its own, if its history has to be on disk. */
async function runKept(file: ScenarioFile, how: RunHow): Promise<Kept> {
  const needsFolder = how.keep || restartsIn(file.scenario);
  if (!needsFolder) return { ...(await run(file, how, undefined)), keptIn: undefined };
  const dataDir = await mkdtemp(join(tmpdir(), 'sidelight-scenario-'));
  const ended = await run(file, how, dataDir).catch(notRun);
  if (how.keep && !passed(ended)) return { ...ended, keptIn: dataDir };
  await rm(dataDir, { recursive: true, force: true });
  return { ...ended, keptIn: undefined };
}

async function run(
  { path, scenario }: ScenarioFile,
  how: RunHow,
  dataDir: string | undefined,
): Promise<Ended> {
  const cwd = dirname(path);
  const processes: AppProcess[] = [];
  let components: string | undefined;
  let instance: RunningInstance | undefined;
  // The stop at the end waits for this one, and fails as it does.
  const stopped = (): void => void instance?.stop().catch(() => undefined);
  try {
    const apps = await plannedApps(scenario);
    components = scenario.pubsubs === undefined ? undefined : await componentFolder(scenario.pubsubs);
    const start = starterOf(scenario, how);
    instance = await start({
      apps: apps.map((app) => ({ appId: app.appId, to: addressOf(app, scenario) })),
      flags: [...flagsOf(scenario, cwd), ...(components === undefined ? [] : ['--resources', components])],
      cwd,
      restarts: restartsIn(scenario),
      ...withoutUndefined({ dataDir }),
    });
    how.signal.addEventListener('abort', stopped);
    if (how.signal.aborted) return { steps: [], trouble: 'interrupted' };
    for (const app of apps) processes.push(...startApp(app, instance.at, scenario, cwd, how));
    if ((scenario.app ?? 'mock') === 'mock') await prepareMock(instance.rpc, scenario);
    const steps = await runSteps(new FileStage(instance, failureOf(processes, instance)), scenario);
    // The start of the apps is checked too, because steps such as `never` also pass without an app.
    const isGood =
      steps.every(({ status }) => status === 'passed') && processes.every(({ hasStarted }) => hasStarted);
    if (isGood) return { steps };
    const output = await outputOf(processes);
    const trouble = troubleOf(processes, await unheardOf(instance));
    return { steps, ...withoutUndefined({ trouble, output }) };
  } catch (error) {
    if (error instanceof InstanceGone || error instanceof RpcRefused)
      return { steps: [], trouble: how.signal.aborted ? 'interrupted' : error.message };
    return notRun(error);
  } finally {
    how.signal.removeEventListener('abort', stopped);
    await Promise.all([instance?.stop(), ...processes.map((each) => each.stop())]);
    if (components !== undefined) await rm(components, { recursive: true, force: true });
  }
}

function restartsIn({ steps }: Scenario): boolean {
  return steps.some((step) => 'restart' in step);
}

function starterOf(
  scenario: Scenario,
  { start }: RunHow,
): (options: InstanceOptions) => Promise<RunningInstance> {
  return start === undefined || restartsIn(scenario) ? (options) => Instance.start(options) : start;
}

/** Acts on the instance of a file from outside. */
class FileStage implements Stage {
  readonly clock = systemClock();
  readonly appFailed: AbortSignal;
  readonly #instance: RunningInstance;

  constructor(instance: RunningInstance, appFailed: AbortSignal) {
    this.#instance = instance;
    this.appFailed = appFailed;
  }

  get rpc() {
    return this.#instance.rpc;
  }

  async publishGrpc(request: StepOf<'publishGrpc'>['publishGrpc']): Promise<void> {
    const { apps } = this.#instance.at;
    const app = request.appId === undefined ? apps[0] : apps.find(({ appId }) => appId === request.appId);
    if (app?.grpc === undefined)
      throw new ExpectationFailed([`the sidecar of ${request.appId ?? 'the app'} has no gRPC port`]);
    const { publishGrpc } = await import('./publish-grpc.ts');
    await publishGrpc(app.grpc, request);
  }

  async restart(how: StepOf<'restart'>['restart']): Promise<void> {
    await this.#instance.restart(how);
  }
}

async function plannedApps({
  appId: first = 'app',
  app = 'mock',
  apps = {},
}: Scenario): Promise<readonly PlannedApp[]> {
  const planned: PlannedApp[] = [];
  for (const [appId, each] of [[first, app] as const, ...Object.entries(apps)]) {
    const isProcess = typeof each === 'object' && 'run' in each;
    planned.push({ appId, app: each, ...(isProcess ? { port: each.port ?? (await lastingPort()) } : {}) });
  }
  return planned;
}

/** Folder with a file for each component, whose name does not depend on the component's. */
async function componentFolder(pubsubs: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sidelight-components-'));
  for (const [index, name] of pubsubs.entries()) {
    const component = {
      apiVersion: 'dapr.io/v1alpha1',
      kind: 'Component',
      metadata: { name },
      spec: { type: 'pubsub.in-memory', version: 'v1', metadata: [] },
    };
    await writeFile(join(folder, `pubsub-${index + 1}.yaml`), JSON.stringify(component));
  }
  return folder;
}

function addressOf({ app, port }: PlannedApp, { appProtocol = 'http' }: Scenario): string {
  if (app === 'mock') return 'mock';
  return 'url' in app ? app.url : `${appProtocol}://127.0.0.1:${port}`;
}

function flagsOf(
  { appProtocol, profile, resources, settings = {} }: Scenario,
  cwd: string,
): readonly string[] {
  const set = Object.entries(settings).flatMap(([key, value]) => [
    '--set',
    `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  ]);
  return [
    ...(appProtocol === undefined ? [] : ['--app-protocol', appProtocol]),
    ...(profile === undefined ? [] : ['--profile', profile]),
    ...(resources === undefined ? [] : ['--resources', resolve(cwd, resources)]),
    ...set,
  ];
}

function startApp(
  { appId, app, port }: PlannedApp,
  at: At,
  { profile }: Scenario,
  cwd: string,
  { environmentOf, startProgram }: RunHow,
): readonly AppProcess[] {
  if (port === undefined || app === 'mock' || !('run' in app)) return [];
  const own = at.apps.filter((each) => each.appId === appId);
  const env = { ...environmentOf({ apps: own }, profile), ...app.env };
  return [new AppProcess({ appId, run: app.run, port, cwd, env }, { startProgram, clock: systemClock() })];
}

/** Aborted when an app has failed before its sidecar reached it: then nothing that waits for it can come any more. */
function failureOf(processes: readonly AppProcess[], instance: Pick<RunningInstance, 'rpc'>): AbortSignal {
  const failure = new AbortController();
  for (const { appId, failed } of processes)
    void failed
      .then(async (hasFailed) => {
        if (hasFailed && (await unheardOf(instance)).has(appId)) failure.abort();
      })
      .catch((error: unknown) => {
        // At the end of the file the instance stops before the apps. An instance that ends earlier is reported by the step under way.
        if (!(error instanceof InstanceGone)) throw error;
      });
  return failure.signal;
}

/** Ids of the apps that their sidecars have never reached. */
async function unheardOf({ rpc }: Pick<RunningInstance, 'rpc'>): Promise<ReadonlySet<string>> {
  const { items } = await rpc.call('apps.list', {});
  return new Set(items.flatMap(({ appId, discovery }) => (discovery.state === 'waiting' ? [appId] : [])));
}

/** What the apps printed last; undefined: none of them did. An app mostly prints there why it failed. */
async function outputOf(processes: readonly AppProcess[]): Promise<readonly AppOutput[] | undefined> {
  const outputs = await Promise.all(processes.map((app) => app.output()));
  const printed = outputs.filter((output) => output !== undefined);
  return printed.length === 0 ? undefined : printed;
}

function troubleOf(processes: readonly AppProcess[], unheard: ReadonlySet<string>): string | undefined {
  const troubles = processes.flatMap((app) => app.trouble ?? (unheard.has(app.appId) ? app.unheard : []));
  return troubles.length === 0 ? undefined : troubles.join('\n');
}
