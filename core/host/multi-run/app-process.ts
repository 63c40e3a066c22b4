/** The process of one app: its state, start, end and restart. */
import type { Peer } from '../../contract/rpc.ts';
import { durationText } from '../../domain/duration.ts';
import type { Cancel, Clock } from '../../ports/clock.ts';
import { pollUntil } from '../../ports/poll-until.ts';
import type { Child, Ending, Stream } from './child.ts';
import type { PlannedApp } from './plan.ts';

const DID = { stop: 'stopped it', restart: 'restarted it' } as const;
const WHO: Readonly<Record<Peer | 'person', string>> = {
  person: 'a person',
  script: 'a script',
  agent: 'an agent',
};

/**
 * Why a process ends that is stopped or restarted through the console, as the end of a sentence.
 * @param by who asked for it; undefined: a person
 */
export function whyAsked(did: keyof typeof DID, by: Peer | undefined): string {
  return `${WHO[by ?? 'person']} ${DID[did]}`;
}

export type ProcessState = 'waiting' | 'starting' | 'running' | 'exited' | 'failed';

/** Longest time that a process may take to end. */
const GRACE_MS = 5_000;
/** Time after which the log reports that a process takes long to end. */
const SLOW_MS = 1_000;
const POLL_INTERVAL_MS = 25;
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;
/** Lifetime after which a process counts as well: after it the next failure begins with the first delay. */
const WELL_AFTER_MS = 60_000;

export interface ProcessPorts {
  readonly clock: Clock;
  /** Starts the command of the app. */
  readonly start: (app: PlannedApp, onLine: (stream: Stream, line: string) => void) => Child;
  readonly onLine: (app: PlannedApp, stream: Stream, line: string) => void;
  /** Stops deliveries to the app. Resolves when the running ones have ended, or after a short time. */
  readonly pauseDeliveries: (appId: string) => Promise<void>;
  /** Resumes deliveries to the app. Resolves when a program listens at its address. */
  readonly resumeDeliveries: (appId: string) => Promise<void>;
  /** Called after each change. */
  readonly changed: (process: AppProcess) => void;
  readonly log: (level: 'info' | 'warn' | 'error', appId: string, text: string) => void;
}

export class AppProcess {
  readonly app: PlannedApp;
  readonly #ports: ProcessPorts;
  state: ProcessState = 'waiting';
  /** Why the process waits, or how it ended. */
  reason: string | undefined;
  exitCode: number | undefined;
  startedMs: number | undefined;
  restarts = 0;
  /** True if the process never ran, because its program cannot be started. */
  isBroken = false;
  #child: Child | undefined;
  /** True if somebody or the run asked the process to end. */
  #isAskedToEnd = false;
  /** Who asked it to end, until it starts again, as the end of a sentence; undefined: nobody did. */
  #whyAsked: string | undefined;
  #delayMs = FIRST_DELAY_MS;
  #restartTimer: Cancel | undefined;
  #stopping: Promise<void> | undefined;
  /** Whether the process starts again after its end; the last call of start, stop and restart decides. */
  #comesBack = false;

  constructor(app: PlannedApp, ports: ProcessPorts) {
    this.app = app;
    this.#ports = ports;
  }

  get appId(): string {
    return this.app.appId;
  }

  get pid(): number | undefined {
    return this.isLive ? this.#child?.pid : undefined;
  }

  /** Process group of a command that has ended and left processes; undefined: there is none. */
  get leftGroup(): number | undefined {
    return !this.isLive && this.#child?.lives() === true ? this.#child.pid : undefined;
  }

  get isLive(): boolean {
    return this.state === 'starting' || this.state === 'running';
  }

  /**
   * Whether the process has ended and will not run again by itself. False if a person ended it, who may start
   * it again.
   */
  get isOver(): boolean {
    return !this.isLive && this.#restartTimer === undefined && !this.#isAskedToEnd;
  }

  /** Whether a person ended the process and did not restart it. */
  get isStopped(): boolean {
    return this.#isAskedToEnd && !this.isLive && this.#stopping === undefined;
  }

  /** Whether a person or the run asked the process to end, and it was not started again since. */
  get isAskedToEnd(): boolean {
    return this.#isAskedToEnd;
  }

  /** Sets the reason for which the process waits. */
  waitFor(reason: string): void {
    if (this.state === 'waiting' && this.reason === reason) return;
    this.state = 'waiting';
    this.reason = reason;
    this.#ports.changed(this);
  }

  /** Starts the command, unless it runs. One that is asked to end starts again after its end. */
  async start(): Promise<void> {
    if (this.#stopping === undefined) return this.#start();
    this.#comesBack = true;
    await this.#stopping;
    if (!this.#comesBack) return;
    this.#comesBack = false;
    this.#start();
  }

  #start(): void {
    if (this.isLive) return;
    this.#cancelAgain();
    // Children of the last process may hold its port.
    if (this.#child?.lives() === true) this.#child.signal('SIGKILL');
    this.#isAskedToEnd = false;
    this.isBroken = false;
    this.exitCode = undefined;
    this.reason = undefined;
    this.state = 'starting';
    this.startedMs = this.#ports.clock.now();
    const child = this.#ports.start(this.app, (stream, line) => this.#ports.onLine(this.app, stream, line));
    this.#child = child;
    void child.ended.then((ending) => this.#ended(child, ending));
    const isByHand = this.#whyAsked !== undefined;
    this.#whyAsked = undefined;
    this.#ports.changed(this);
    if (child.pid === undefined) return;
    if (isByHand) this.#ports.log('info', this.appId, 'was restarted');
    void this.#untilRunning(child);
  }

  /**
   * Ends the process and all that it started. Resolves when all have ended. Concurrent calls are joined.
   * @param why reason for the log and the console, as the end of a sentence; absent: the run ends
   */
  stop(why?: string): Promise<void> {
    this.#comesBack = false;
    this.#whyAsked = why;
    return this.#untilStopped();
  }

  /**
   * Ends the process and starts it again, unless a stop is requested meanwhile. Concurrent calls are joined.
   * @param why as that of `stop`
   */
  async restart(why?: string): Promise<void> {
    this.#comesBack = true;
    this.#whyAsked = why;
    await this.#untilStopped();
    if (!this.#comesBack) return;
    this.#comesBack = false;
    this.restarts += 1;
    this.#start();
  }

  /** Kills the process at once. */
  kill(): void {
    this.#comesBack = false;
    this.#whyAsked = undefined;
    this.#isAskedToEnd = true;
    this.#cancelAgain();
    this.#child?.signal('SIGKILL');
  }

  #untilStopped(): Promise<void> {
    this.#stopping ??= this.#stop().finally(() => (this.#stopping = undefined));
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    this.#isAskedToEnd = true;
    this.#cancelAgain();
    const child = this.#child;
    if (child?.lives() === true) await this.#endAll(child);
    // The command may have ended before, and have waited for its restart while what it left ran on.
    if (this.state === 'waiting') this.#end('exited', 'it was stopped while it waited');
  }

  /** Ends the process and all that it started. */
  async #endAll(child: Child): Promise<void> {
    await this.#ports.pauseDeliveries(this.appId);
    child.signal('SIGTERM');
    const isGone = await this.#untilGone(child, SLOW_MS);
    const leftMs = GRACE_MS - SLOW_MS;
    if (!isGone)
      this.#ports.log('info', this.appId, `is slow to end, and is killed in ${durationText(leftMs)}`);
    if (!isGone && !(await this.#untilGone(child, leftMs))) {
      this.#ports.log('warn', this.appId, `did not end within ${durationText(GRACE_MS)} and is killed`);
      child.signal('SIGKILL');
    }
    await child.ended;
    // Nothing else resumes them if the command itself had ended before.
    void this.#ports.resumeDeliveries(this.appId);
  }

  #untilGone(child: Child, longestMs: number): Promise<boolean> {
    const how = { everyMs: POLL_INTERVAL_MS, limitMs: longestMs };
    return pollUntil(this.#ports.clock, how, () => !child.lives());
  }

  /**
   * Waits until the app runs: one with an address when a program answers there, one that only publishes at
   * once.
   */
  async #untilRunning(child: Child): Promise<void> {
    if (this.app.url !== undefined) await this.#ports.resumeDeliveries(this.appId);
    if (this.#child !== child || this.state !== 'starting') return;
    this.state = 'running';
    this.#ports.changed(this);
  }

  #ended(child: Child, ending: Ending): void {
    if (this.#child !== child) return;
    void this.#ports.pauseDeliveries(this.appId);
    if (ending.kind === 'not started') {
      this.isBroken = true;
      this.#end('failed', ending.reason);
      this.#ports.log('error', this.appId, `could not be started: ${ending.reason}`);
    } else {
      this.exitCode = ending.code;
      const how = ending.signal === undefined ? `status ${ending.code}` : `signal ${ending.signal}`;
      const because = this.#isAskedToEnd && this.#whyAsked !== undefined ? `, because ${this.#whyAsked}` : '';
      const isWell = this.#isAskedToEnd || ending.code === 0;
      this.#ports.log(isWell ? 'info' : 'error', this.appId, `ended with ${how}${because}`);
      if (!isWell && this.app.restart === 'on-failure') this.#startLater(how);
      else this.#end(isWell ? 'exited' : 'failed', `it ended with ${how}${because}`);
    }
    // Another program may listen there later, such as an app that a person starts in a debugger.
    void this.#ports.resumeDeliveries(this.appId);
  }

  #end(state: 'exited' | 'failed', reason: string): void {
    this.state = state;
    this.reason = reason;
    this.#ports.changed(this);
  }

  #startLater(how: string): void {
    const { clock } = this.#ports;
    const livedMs = clock.now() - (this.startedMs ?? clock.now());
    if (livedMs >= WELL_AFTER_MS) this.#delayMs = FIRST_DELAY_MS;
    const delayMs = this.#delayMs;
    this.#delayMs = Math.min(MAX_DELAY_MS, delayMs * 2);
    this.#restartTimer = clock.at(clock.now() + delayMs, () => {
      this.#restartTimer = undefined;
      this.restarts += 1;
      this.#start();
    });
    this.waitFor(`it ended with ${how} and starts again in ${durationText(delayMs)}`);
  }

  #cancelAgain(): void {
    this.#restartTimer?.();
    this.#restartTimer = undefined;
  }
}
