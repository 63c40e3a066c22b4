/** `sidelight run -f FILE|DIR`: runs every app of the file with a sidecar of its own, and its process. */
import { setTimeout as sleep } from 'node:timers/promises';
import { LOG_LEVELS } from '../../adapters/json-log.ts';
import { leftOut, LineOutput } from '../../adapters/line-output.ts';
import { counted } from '../../contract/count-text.ts';
import { shortened } from '../../contract/cut-place.ts';
import { oneLine } from '../../contract/unicode-escape.ts';
import type { ShellAddresses } from '../../contract/shell.ts';
import { systemClock } from '../../adapters/system-clock.ts';
import { startProduct } from '../compose.ts';
import type { Product } from '../compose.ts';
import type { ProductOptions } from '../options.ts';
import { readyLine, welcome } from '../ready.ts';
import { AppScreen } from './app-screen.ts';
import { startChild } from './child.ts';
import { membersOf } from '../process-group.ts';
import type { StartedProcess } from '../running-file.ts';
import { askOnTerminal, endLeftBehind } from './left-behind.ts';
import { appEnvironment } from './environment.ts';
import { LogFiles } from './log-files.ts';
import { plain } from './output-lines.ts';
import type { PlannedApp, RunPlan } from './plan.ts';
import { checkPortsFree } from './free-ports.ts';
import { Processes } from './processes.ts';
import { productOptions } from './product-options.ts';
import { readPlan } from './read-plan.ts';
import { runOfApps } from './run-of-apps.ts';
import { listenToSignals } from './stop-requests.ts';
import type { StopRequests } from './stop-requests.ts';
import { readRunFile } from './find-file.ts';
import { WatchedApps } from './watch-banners.ts';

/** Longest time for the product to close after a second signal. */
const HURRY_MS = 500;
const EXIT_INTERRUPTED = 130;
/** Maximum number of characters of the run's name that the terminal shows. */
const MAX_TITLE = 60;

/**
 * Runs the command. Throws UsageError for a mistake in the file; then nothing was started.
 * @returns the exit status
 */
export async function runFileCommand(options: ProductOptions, runFile: string): Promise<number> {
  const { env, runtimePath } = options;
  const plan = readPlan(readRunFile(runFile), { env, platform: process.platform, runtimePath });
  const stops = listenToSignals();
  try {
    const run = productOptions(options, plan);
    const product = await startedProduct(plan, run, stops);
    return product === undefined ? 0 : await runApps(plan, product, { options: run, stops });
  } finally {
    stops.close();
  }
}

/** Starts the product; undefined: the end was requested meanwhile, and nothing of it runs. A second signal ends the program at once. */
async function startedProduct(
  plan: RunPlan,
  run: ProductOptions,
  stops: StopRequests,
): Promise<Product | undefined> {
  let isStarting = true;
  void stops.atOnce.then(() => isStarting && process.exit(EXIT_INTERRUPTED));
  try {
    const print = (line: string): void => void process.stderr.write(`sidelight: ${line}\n`);
    await endLeftBehind(run, { print, agrees: (question) => askOnTerminal(question) });
    if (stops.isAsked) return undefined;
    await checkPortsFree(plan);
    if (stops.isAsked) return undefined;
    const product = await startProduct(run, undefined, stops.asked);
    // A signal is heard only in a turn of the event loop, and a start without a history on disk may take none.
    await sleep(0);
    if (!stops.isAsked) return product;
    await product.stop();
    return undefined;
  } catch (error) {
    // The start was given up for the request, and has closed what it had opened.
    if (error === stops.asked.reason) return undefined;
    throw error;
  } finally {
    isStarting = false;
  }
}

interface RunFacts {
  readonly options: ProductOptions;
  readonly stops: StopRequests;
}

async function runApps(plan: RunPlan, product: Product, facts: RunFacts): Promise<number> {
  const { options: run, stops } = facts;
  product.onShutdown(stops.ask);
  announce(product, plan, run);
  const logs = new LogFiles(Date.now(), (text) => product.processLink.log('warn', text));
  openLogs(logs, plan, product);
  const processes = processesOf(plan, run, product, logs);
  const watched = watchedApps(processes, product);
  product.processLink.attach({ ...runOfApps(processes), banners: () => watched.banners() });
  return runUntilEnd(processes, product, logs, { ...facts, watched });
}

function announce(product: Product, plan: RunPlan, { headless, profile }: ProductOptions): void {
  if (headless) {
    process.stdout.write(`${readyLine(product.version, process.pid, profile, product.ready)}\n`);
    return;
  }
  const first = `${titleOf(plan)}: ${counted(plan.apps.length, 'app')}, profile ${profile}`;
  // Many lines on other things may stand between the warning on a mistyped key and these.
  const notes = [...product.unsaid, ...plan.slips];
  process.stderr.write(`  ${first}\n${welcome(product.ready, notes, product.ready.open)}\n`);
}

/** The run by its name and its file. */
export function titleOf({ name, file }: Pick<RunPlan, 'name' | 'file'>): string {
  const from = file === '-' ? 'standard input' : file;
  return name === '' ? from : `${oneLine(shortened(name, MAX_TITLE))} (${from})`;
}

/** Opens log files, only for the apps whose destination is a file. */
function openLogs(logs: LogFiles, { apps }: RunPlan, { processLink }: Product): void {
  const sidecars: string[] = [];
  for (const { appId, folder, appLog, sidecarLog } of apps) {
    const paths: string[] = [];
    if (isFile(appLog)) paths.push(logs.open(appId, folder, 'app'));
    if (isFile(sidecarLog)) {
      paths.push(logs.open(appId, folder, 'sidecar'));
      sidecars.push(appId);
    }
    for (const path of paths) processLink.log('info', `${appId}: writing log file ${path}`, appId);
  }
  if (sidecars.length === 0) return;
  processLink.onLine(({ at, level, part, text }) => {
    for (const appId of sidecars)
      logs.write(appId, 'sidecar', `${at} ${level.toUpperCase()} ${part}: ${text}`);
  });
}

function isFile(destination: PlannedApp['appLog']): boolean {
  return destination === 'file' || destination === 'fileAndConsole';
}

function processesOf(plan: RunPlan, options: ProductOptions, product: Product, logs: LogFiles): Processes {
  const { processLink, ready } = product;
  const screen = new AppScreen(process.stdout, (options.env['NO_COLOR'] ?? '') === '');
  const notes = new LineOutput(process.stderr, (left) => `  ${leftOut(left, 'the terminal')}.`);
  const note = onceInATurn(() => product.started(running(processes)));
  const addresses = new Map(ready.apps.map((at) => [at.appId, at]));
  const processes = new Processes(plan.apps, {
    clock: systemClock(),
    start: (app, onLine) =>
      startChild({
        command: app.command,
        folder: app.folder,
        env: appEnvironment(app, addressOf(addresses, app), options),
        platform: process.platform,
        onLine,
      }),
    onLine: ({ appId, appLog }, stream, line) => {
      const text = plain(line);
      processLink.output(appId, stream, text);
      logs.write(appId, 'app', text);
      if (appLog !== 'file') screen.line(appId, line);
    },
    pauseDeliveries: (appId) => processLink.pauseDeliveries(appId),
    resumeDeliveries: (appId) => processLink.resumeDeliveries(appId),
    unhealthy: (appId) => processLink.unhealthy(appId),
    changed: ({ appId, isLive, reason, pid }) => {
      processLink.changed(appId, isLive ? undefined : reason, pid);
      note();
    },
    log: (level, appId, text) => {
      processLink.log(level, `App ${appId} ${text}.`, appId);
      const isPrinted = LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(options.logLevel);
      if (!isPrinted && !options.headless) notes.line(`  App ${appId} ${oneLine(text)}.`);
    },
  });
  return processes;
}

function addressOf(
  addresses: ReadonlyMap<string, ShellAddresses['apps'][number]>,
  { appId }: PlannedApp,
): ShellAddresses['apps'][number] {
  const at = addresses.get(appId);
  if (at === undefined) throw new Error(`app ${appId} has no sidecar`);
  return at;
}

/** Acts once for all calls of one turn of the event loop: at the start of a run hundreds of processes may change in it. */
function onceInATurn(act: () => void): () => void {
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    queueMicrotask(() => {
      isDue = false;
      act();
    });
  };
}

/** The commands that run, and the processes that ended ones left. */
function running(processes: Processes): readonly StartedProcess[] {
  return processes.all.flatMap(({ appId, pid, leftGroup: group }) => {
    if (pid !== undefined) return [{ appId, pid }];
    return group === undefined ? [] : membersOf(group).map((left) => ({ appId, pid: left, group }));
  });
}

function watchedApps(processes: Processes, { dataDir, processLink }: Product): WatchedApps {
  return new WatchedApps({
    dataDir,
    clock: systemClock(),
    log: (...line) => processLink.log(...line),
    renew: (process) => processes.renew(process),
  });
}

/** Waits until an end is requested; without a console also until no process runs any more. */
async function runUntilEnd(
  processes: Processes,
  product: Product,
  logs: LogFiles,
  { options, stops, watched }: RunFacts & { readonly watched: WatchedApps },
): Promise<number> {
  if (options.headless)
    processes.onChange(({ isBroken }) => {
      // The end of one app may start the next one in the same turn of the event loop, so the check runs after
      // it.
      queueMicrotask(() => (isBroken || processes.isOver) && stops.ask());
    });
  processes.begin();
  watched.begin(processes.all);
  await stops.end;
  watched.end();
  const { hasFailed } = processes;
  if (stops.how === 'at-once') processes.killAll();
  else void stops.forced.then(() => processes.killAll());
  const orderly = endAll(processes, product, logs, stops);
  const hurried = stops.atOnce.then(() => 'hurried' as const);
  if ((await Promise.race([orderly, hurried])) !== 'hurried')
    return hasFailed || stops.how === 'at-once' ? 1 : 0;
  processes.killAll();
  await Promise.race([orderly, new Promise<void>((go) => void setTimeout(go, HURRY_MS))]);
  return process.exit(EXIT_INTERRUPTED);
}

/** Ends the run: the sidecars answer until the last process has ended. */
async function endAll(
  processes: Processes,
  product: Product,
  logs: LogFiles,
  stops: StopRequests,
): Promise<void> {
  await processes.stopAll();
  await product.stop(stops.how);
  await logs.close();
}
