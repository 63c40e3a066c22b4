/** The processes of all apps of a run: started, followed and ended in order. */
import { setImmediate } from 'node:timers/promises';
import { counted } from '../../contract/count-text.ts';
import type { Peer } from '../../contract/rpc.ts';
import type { Clock } from '../../ports/clock.ts';
import { AppProcess, whyAsked } from './app-process.ts';
import type { ProcessPorts } from './app-process.ts';
import type { Dependency, PlannedApp } from './plan.ts';

const POLL_INTERVAL_MS = 100;
/** Maximum number of processes that are started in one turn of the event loop. */
export const STARTS_PER_TURN = 4;

/** A dependency that is not ready. */
interface Missing {
  /** The apps on the way to it: the app that is waited for, what that one waits for, and so on. */
  readonly way: Way;
  /** Why the last of them is not ready. */
  readonly why: string;
  /** Whether it has failed, so that it will not get ready by itself. */
  readonly hasFailed: boolean;
}

/** The first apps on the way to a missing one, how many follow, and the last: a way through all apps of a file would be a very long text. */
interface Way {
  readonly first: readonly string[];
  readonly left: number;
  readonly last: string;
}

/** Maximum number of apps that are named before the last one of a way. */
const MAX_NAMED = 3;

/** Results of one look, found once for each app. */
interface Look {
  /** Dependencies that apps which were not started lack; undefined: none. */
  readonly missing: Map<string, Missing | undefined>;
  /** Why apps are not healthy; undefined: they are. */
  readonly unhealthy: Map<string, string | undefined>;
}

function newLook(): Look {
  return { missing: new Map(), unhealthy: new Map() };
}

export interface ProcessesPorts extends ProcessPorts {
  readonly clock: Clock;
  /** Why the app is not healthy; undefined: it is. */
  readonly unhealthy: (appId: string) => string | undefined;
}

export class Processes {
  /** Processes of apps that have a command, in the order of the file. */
  readonly all: readonly AppProcess[];
  readonly #apps: ReadonlyMap<string, PlannedApp>;
  readonly #byId: ReadonlyMap<string, AppProcess>;
  readonly #ports: ProcessesPorts;
  readonly #listeners = new Set<(process: AppProcess) => void>();
  /** Apps that were not started yet. */
  readonly #pending = new Set<AppProcess>();
  /** Apps that are said to wait for one that failed. */
  readonly #inVain = new Set<AppProcess>();
  #isLooking = false;
  #isEnding = false;

  constructor(apps: readonly PlannedApp[], ports: ProcessesPorts) {
    this.#apps = new Map(apps.map((app) => [app.appId, app]));
    this.#ports = ports;
    const changed = (process: AppProcess): void => {
      ports.changed(process);
      for (const listener of this.#listeners) listener(process);
    };
    this.all = apps
      .filter(({ command }) => command.length > 0)
      .map((app) => new AppProcess(app, { ...ports, changed }));
    this.#byId = new Map(this.all.map((process) => [process.appId, process]));
  }

  find(appId: string): AppProcess | undefined {
    return this.#byId.get(appId);
  }

  onChange(listener: (process: AppProcess) => void): void {
    this.#listeners.add(listener);
  }

  /** Starts every app without dependencies, and the others as soon as their dependencies allow it. */
  begin(): void {
    for (const process of this.all) this.#pending.add(process);
    void this.#look();
  }

  /** Starts an app for a person, whatever its dependencies are. A run that is ending starts nothing. */
  async start(process: AppProcess): Promise<void> {
    if (this.#isEnding) return;
    this.#pending.delete(process);
    await process.start();
  }

  /** @param by who asks for it; absent: a person */
  stop(process: AppProcess, by?: Peer): Promise<void> {
    this.#pending.delete(process);
    return process.stop(whyAsked('stop', by));
  }

  async restart(process: AppProcess, by?: Peer): Promise<void> {
    if (this.#isEnding) return;
    this.#pending.delete(process);
    await process.restart(whyAsked('restart', by));
  }

  /**
   * Restarts the app after a change of its files. An app that a person stopped stays stopped; one that waits
   * reads the files when it starts.
   */
  renew(process: AppProcess): void {
    if (this.#isEnding || this.#pending.has(process) || process.isStopped) return;
    this.#ports.log('info', process.appId, 'is restarted, because its files changed');
    void process.restart();
  }

  /**
   * Whether nothing runs, and nothing will by itself. An app without a command is started elsewhere and does
   * not count.
   */
  get isOver(): boolean {
    if (this.all.length < this.#apps.size || this.all.some((process) => !process.isOver)) return false;
    const look = newLook();
    return [...this.#pending].every((process) => this.#missing(process, look) !== undefined);
  }

  /** Whether a process has failed, or nothing runs that a waiting app depends on. */
  get hasFailed(): boolean {
    return this.all.some(({ state }) => state === 'failed') || (this.isOver && this.#pending.size > 0);
  }

  /** Ends all processes, each after those that depend on it. Resolves when all have ended. */
  async stopAll(): Promise<void> {
    this.#reportNeverStarted();
    this.#isEnding = true;
    this.#pending.clear();
    const stops = new Map<AppProcess, Promise<void>>();
    const stopOf = (process: AppProcess): Promise<void> => {
      const known = stops.get(process);
      if (known !== undefined) return known;
      const dependants = this.all.filter(({ app }) =>
        app.dependsOn.some(({ appId }) => appId === process.appId),
      );
      const stop = Promise.all(dependants.map(stopOf)).then(() => process.stop());
      stops.set(process, stop);
      return stop;
    };
    await Promise.all(this.all.map(stopOf));
  }

  /** Kills all processes. */
  killAll(): void {
    this.#isEnding = true;
    this.#pending.clear();
    for (const process of this.all) process.kill();
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    const { clock } = this.#ports;
    while (this.#pending.size > 0 && !this.#isEnding) {
      let look = newLook();
      let started = 0;
      for (const process of this.all) {
        if (!this.#pending.has(process)) continue;
        const missing = this.#missing(process, look);
        this.#reportWaitEnded(process, missing);
        if (missing !== undefined) {
          process.waitFor(`it ${describeMissing(missing)}`);
          continue;
        }
        this.#pending.delete(process);
        void process.start();
        started += 1;
        // To start a process takes milliseconds, in which the sidecars answer nobody.
        if (started % STARTS_PER_TURN !== 0) continue;
        await setImmediate();
        if (this.#isEnding) break;
        // An app may have ended meanwhile.
        look = newLook();
      }
      if (this.#pending.size > 0)
        await new Promise<void>((go) => clock.at(clock.now() + POLL_INTERVAL_MS, go));
    }
    this.#isLooking = false;
  }

  /** Reports, once, that an app waits for one that has failed: a person may start that one again. */
  #reportWaitEnded(process: AppProcess, missing: Missing | undefined): void {
    if (missing?.hasFailed !== true) {
      this.#inVain.delete(process);
      return;
    }
    if (this.#inVain.has(process)) return;
    this.#inVain.add(process);
    this.#ports.log('warn', process.appId, describeMissing(missing));
  }

  /**
   * Reports apps that were never started because of one that they depend on, or one further on: it failed, or it ended before it was ready
   * and nothing runs any more.
   */
  #reportNeverStarted(): void {
    const { isOver } = this;
    const look = newLook();
    for (const process of this.#pending) {
      const missing = this.#missing(process, look);
      if (missing !== undefined && (missing.hasFailed || isOver))
        this.#ports.log('error', process.appId, `was not started: it ${describeMissing(missing)}`);
    }
  }

  /**
   * The first dependency of an app that failed, else the first that is not ready; undefined: all are ready. The apps on the way are looked at
   * one after another, the last first: a way may have thousands of them, which is more than calls within each other may be.
   */
  #missing(process: AppProcess, look: Look): Missing | undefined {
    const way = [process];
    for (let last = way.at(-1); last !== undefined; last = way.at(-1)) {
      const next = this.#unseen(last, look);
      if (next !== undefined) way.push(next);
      else {
        way.pop();
        look.missing.set(last.appId, this.#missingNext(last, look));
      }
    }
    return look.missing.get(process.appId);
  }

  /** An app that was not started either, and that was not looked at yet. */
  #unseen({ app }: AppProcess, look: Look): AppProcess | undefined {
    for (const { appId } of app.dependsOn) {
      const process = this.find(appId);
      if (process !== undefined && this.#pending.has(process) && !look.missing.has(appId)) return process;
    }
    return undefined;
  }

  #missingNext({ app }: AppProcess, look: Look): Missing | undefined {
    const all = app.dependsOn
      .map((dependency) => this.#unmet(dependency, look))
      .filter((one) => one !== undefined);
    return all.find(({ hasFailed }) => hasFailed) ?? all[0];
  }

  #unmet({ appId, condition }: Dependency, look: Look): Missing | undefined {
    const process = this.find(appId);
    const because = (why = 'it is not started yet', hasFailed = false): Missing => ({
      way: { first: [], left: 0, last: appId },
      why,
      hasFailed,
    });
    if (process?.state === 'failed') return because(process.reason ?? 'it failed', true);
    if (process !== undefined && this.#pending.has(process)) {
      const behind = look.missing.get(appId);
      return behind === undefined ? because() : { ...behind, way: wayThrough(appId, behind.way) };
    }
    const hasStarted = process === undefined || process.isLive || process.exitCode !== undefined;
    if (!hasStarted) return because(process.reason);
    if (condition === 'started') return undefined;
    const isPublisher = this.#apps.get(appId)?.url === undefined;
    const isLive = process === undefined || process.isLive;
    const unhealthy = isPublisher ? (isLive ? undefined : 'it does not run') : this.#unhealthy(appId, look);
    if (unhealthy === undefined) return undefined;
    // The end of its process says more than its closed port.
    return because(isLive ? unhealthy : (process.reason ?? unhealthy));
  }

  #unhealthy(appId: string, { unhealthy }: Look): string | undefined {
    if (!unhealthy.has(appId)) unhealthy.set(appId, this.#ports.unhealthy(appId));
    return unhealthy.get(appId);
  }
}

/** The way that first leads to this app. */
function wayThrough(appId: string, { first, left, last }: Way): Way {
  return first.length < MAX_NAMED
    ? { first: [appId, ...first], left, last }
    : { first: [appId, ...first.slice(0, -1)], left: left + 1, last };
}

/** A missing dependency in words: "waits for b, which waits for a: it ended with status 3". */
function describeMissing({ way: { first, left, last }, why }: Missing): string {
  const between = left === 0 ? '' : `${counted(left, 'more app')}, the last of which waits for `;
  return `waits for ${first.map((appId) => `${appId}, which waits for `).join('')}${between}${last}: ${why}`;
}
