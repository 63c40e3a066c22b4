/** Processes without programs: a test says when each begins to answer and how it ends. */
import { setImmediate } from 'node:timers/promises';
import type { AppProcess } from '../../../core/host/multi-run/app-process.ts';
import type { Child, Ending } from '../../../core/host/multi-run/child.ts';
import type { PlannedApp } from '../../../core/host/multi-run/plan.ts';
import { Processes } from '../../../core/host/multi-run/processes.ts';
import { ManualClock } from '../../support/manual-clock.ts';

/** Between two turns of the clock everything that follows from the first has happened. */
const TURNS = 4;

export function anApp(appId: string, more: Partial<PlannedApp> = {}): PlannedApp {
  return {
    appId,
    folder: '/apps',
    command: ['run', appId],
    host: '127.0.0.1',
    resources: [],
    env: {},
    dependsOn: [],
    restart: 'never',
    watch: [],
    ...more,
  };
}

class FakeChild implements Child {
  readonly pid: number;
  readonly ended: Promise<Ending>;
  readonly signals: string[] = [];
  /** Whether the process ends on a signal. */
  isObedient = true;
  /** The process leaves children, which live until a signal. */
  leavesChildren = false;
  #end: (ending: Ending) => void = () => undefined;
  #isOver = false;

  constructor(pid: number) {
    this.pid = pid;
    this.ended = new Promise((resolve) => (this.#end = resolve));
  }

  end(code: number): void {
    this.#isOver = true;
    this.#end({ kind: 'exited', code });
  }

  signal(signal: 'SIGTERM' | 'SIGKILL'): void {
    if (!this.lives()) return;
    this.signals.push(signal);
    this.leavesChildren = false;
    if (this.#isOver) return;
    if (signal === 'SIGKILL' || this.isObedient) this.end(signal === 'SIGKILL' ? 137 : 143);
  }

  lives(): boolean {
    return !this.#isOver || this.leavesChildren;
  }
}

export class ProcessStand {
  readonly clock = new ManualClock();
  readonly processes: Processes;
  /** Events of deliveries and processes, in order. */
  readonly story: string[] = [];
  /** Apps whose health was asked for, in order. */
  readonly asked: string[] = [];
  /** Apps whose deliveries go on once a program answers at their address. */
  readonly awaited = new Set<string>();
  readonly #children = new Map<string, FakeChild>();
  readonly #answers = new Map<string, () => void>();
  readonly #healthy = new Set<string>();
  #pids = 0;

  /** @param broken ids of apps whose program cannot be started */
  constructor(apps: readonly PlannedApp[], broken: readonly string[] = []) {
    this.processes = new Processes(apps, {
      clock: this.clock,
      start: (app) => {
        this.story.push(`start ${app.appId}`);
        if (broken.includes(app.appId)) return brokenChild();
        const child = new FakeChild((this.#pids += 1));
        this.#children.set(app.appId, child);
        return child;
      },
      onLine: () => undefined,
      pauseDeliveries: async (appId) => {
        this.story.push(`leave ${appId}`);
        this.awaited.delete(appId);
      },
      resumeDeliveries: (appId) => {
        this.awaited.add(appId);
        return new Promise((go) => this.#answers.set(appId, go));
      },
      unhealthy: (appId) => {
        this.asked.push(appId);
        return this.#healthy.has(appId) ? undefined : 'the application channel: no answer yet';
      },
      changed: () => undefined,
      log: (_level, appId, text) => this.story.push(`${appId} ${text}`),
    });
  }

  /** Lets the app's port answer and its health check pass. */
  async answer(appId: string): Promise<void> {
    this.#healthy.add(appId);
    this.#answers.get(appId)?.();
    await this.pass(100);
  }

  /** Closes the app's port. */
  close(appId: string): void {
    this.#healthy.delete(appId);
  }

  async end(appId: string, code: number): Promise<void> {
    this.child(appId).end(code);
    await this.pass(0);
  }

  child(appId: string): FakeChild {
    const child = this.#children.get(appId);
    if (child === undefined) throw new Error(`${appId} was not started`);
    return child;
  }

  of(appId: string): AppProcess {
    const process = this.processes.find(appId);
    if (process === undefined) throw new Error(`there is no ${appId}`);
    return process;
  }

  /** Advances the time, in steps that let each event follow from the one before. */
  async pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 25) {
      this.clock.advance(Math.min(25, left));
      await turns();
    }
    await turns();
  }
}

async function turns(): Promise<void> {
  for (let i = 0; i < TURNS; i += 1) await setImmediate();
}

function brokenChild(): Child {
  return {
    pid: undefined,
    ended: Promise.resolve({ kind: 'not started', reason: 'there is no such program' }),
    signal: () => undefined,
    lives: () => false,
  };
}
