/** A command beside the product as a process that can be stopped, and started again, while the run goes on. */
import { errorText } from '../contract/error-text.ts';
import type { Peer } from '../contract/rpc.ts';
import { withoutUndefined } from '../contract/without-undefined.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { AppProcess, whyAsked } from './multi-run/app-process.ts';
import type { ProcessPorts } from './multi-run/app-process.ts';
import type { Child, Ending } from './multi-run/child.ts';
import type { PlannedApp } from './multi-run/plan.ts';
import type { ProcessGroup } from './process-group.ts';

/** Who follows the command for the console. */
export interface CommandFollower extends Pick<ProcessPorts, 'pauseDeliveries' | 'resumeDeliveries'> {
  /** Called once it runs, with what a person can do to it. */
  began(process: AppProcess, acts: CommandActs): void;
  changed(process: AppProcess): void;
  log(level: 'info' | 'warn' | 'error', text: string): void;
}

/** Acts through the console. Once the run ends, they do nothing. */
export interface CommandActs {
  /** @param by who asks for it; absent: a person */
  restart(by?: Peer): Promise<void>;
  stop(by?: Peer): Promise<void>;
  start(): Promise<void>;
}

interface Options {
  readonly appId: string;
  readonly command: readonly string[];
  /** Address of the app; undefined: it has none. */
  readonly url: string | undefined;
  /** Starts the command. Throws if the system refuses it at once. */
  readonly start: () => ProcessGroup;
  readonly changed: (process: AppProcess) => void;
  readonly follower: CommandFollower | undefined;
}

export class CommandProcess implements CommandActs {
  readonly #start: () => ProcessGroup;
  readonly #process: AppProcess;
  /** Its status, once it has ended without being asked to by a person. Rejects if it cannot be started. */
  readonly over: Promise<number>;
  #resolve!: (status: number) => void;
  #reject!: (why: unknown) => void;
  #group: ProcessGroup;
  #isFirst = true;
  #isEnding = false;
  /** Whether deliveries were stopped for an act: those of a command that ends by itself are not. */
  #isPaused = false;
  #acts = 0;
  #whyNotStarted: unknown;

  /** Starts the command. Throws if the system refuses it at once. */
  constructor({ appId, command, url, start, changed, follower }: Options) {
    this.over = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#start = start;
    this.#group = start();
    this.#process = new AppProcess(plannedOf(appId, command, url), {
      clock: systemClock(),
      start: () => this.#child(),
      onLine: () => undefined,
      pauseDeliveries: async () => {
        if (this.#acts === 0) return;
        this.#isPaused = true;
        await follower?.pauseDeliveries(appId);
      },
      resumeDeliveries: async () => {
        if (!this.#isPaused) return;
        await follower?.resumeDeliveries(appId);
      },
      changed: (process) => {
        changed(process);
        follower?.changed(process);
        this.#noteEnd(process);
      },
      log: (level, _appId, text) => follower?.log(this.#isEnding && level === 'error' ? 'info' : level, text),
    });
    void this.#process.start();
    if (this.#group.pid !== undefined) follower?.began(this.#process, this);
  }

  /** Sends a signal with which the run ends. One that a person has stopped is not started again. */
  end(signal: NodeJS.Signals): void {
    this.#isEnding = true;
    this.#group.signal(signal);
    if (!this.#process.isAskedToEnd) return;
    void this.#process.stop().then(() => this.#resolve(0));
  }

  /** Ends what it has left: SIGTERM, after `graceMs` SIGKILL. */
  endLeft(graceMs: number): Promise<void> {
    return this.#group.end(graceMs);
  }

  restart(by?: Peer): Promise<void> {
    return this.#act(() => this.#process.restart(whyAsked('restart', by)));
  }

  stop(by?: Peer): Promise<void> {
    return this.#act(() => this.#process.stop(whyAsked('stop', by)));
  }

  start(): Promise<void> {
    return this.#act(() => this.#process.start());
  }

  async #act(act: () => Promise<void>): Promise<void> {
    if (this.#isEnding) return;
    this.#acts += 1;
    try {
      await act();
    } finally {
      this.#acts -= 1;
    }
  }

  #child(): Child {
    try {
      if (this.#isFirst) this.#isFirst = false;
      else {
        // All of it has ended, and a later process may get its number.
        void this.#group.end(0);
        this.#group = this.#start();
      }
    } catch (error) {
      this.#whyNotStarted = error;
      return notStarted(error);
    }
    return this.#childOf(this.#group);
  }

  #childOf(group: ProcessGroup): Child {
    const ended = group.status.then(
      (code): Ending => {
        const signal = group.endedBy();
        return { kind: 'exited', code, ...(signal === undefined ? {} : { signal }) };
      },
      (error: unknown): Ending => {
        this.#whyNotStarted = error;
        return { kind: 'not started', reason: errorText(error) };
      },
    );
    let isGone = false;
    const lives = (): boolean => {
      isGone ||= !group.runs();
      return !isGone;
    };
    return { pid: group.pid, ended, lives, signal: (which) => void (lives() && group.signal(which)) };
  }

  #noteEnd(process: AppProcess): void {
    if (!process.isOver) return;
    if (process.isBroken) this.#reject(this.#whyNotStarted);
    else if (process.exitCode !== undefined) this.#resolve(process.exitCode);
  }
}

function notStarted(error: unknown): Child {
  const ending: Ending = { kind: 'not started', reason: errorText(error) };
  return {
    pid: undefined,
    ended: Promise.resolve(ending),
    signal: () => undefined,
    lives: () => false,
  };
}

/** Only what a process reads of its plan says something here. */
function plannedOf(appId: string, command: readonly string[], url: string | undefined): PlannedApp {
  return {
    appId,
    folder: process.cwd(),
    command,
    ...withoutUndefined({ url }),
    host: '',
    resources: [],
    env: {},
    dependsOn: [],
    restart: 'never',
    watch: [],
  };
}
