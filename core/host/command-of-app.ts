/** The command of `sidelight run` as a process of its app: its state and output for the console, and what it lacks. */
import type { ProcessRow } from '../contract/methods/processes.ts';
import { theApp, theAppFirst } from '../contract/app-text.ts';
import type { SystemDescription } from '../contract/reports.ts';
import { withoutUndefined } from '../contract/without-undefined.ts';
import { Refusal } from '../domain/refusal.ts';
import { portsText } from '../runtime/apps/connection-mistakes.ts';
import type { RunOfApps } from './attached-processes.ts';
import type { ProcessLink } from './process-link.ts';

type Link = Pick<ProcessLink, 'attach' | 'changed' | 'log' | 'output'>;

/** Times at which a command without an address is looked through for ports, after its start. */
const LOOKS_MS = [2_000, 5_000, 15_000, 60_000];

export interface CommandOfAppOptions {
  readonly appId: string;
  readonly command: readonly string[];
  /** Whether the app has no address because nothing was said about one. */
  readonly isUnaddressed: boolean;
  readonly link: Link;
  readonly now: () => number;
  /** Ports on which the processes of a group listen. */
  readonly portsOf: (group: number) => readonly number[];
}

export class CommandOfApp implements RunOfApps {
  readonly #given: CommandOfAppOptions;
  #pid: number | undefined;
  #startedMs: number | undefined;
  #exitCode: number | undefined;
  readonly #timers: NodeJS.Timeout[] = [];
  #lacks: { readonly text: string; readonly level: 'info' | 'warn' } | undefined;

  constructor(given: CommandOfAppOptions) {
    this.#given = given;
  }

  /** Takes a line that the command has written. */
  readonly onLine = (stream: 'stdout' | 'stderr', line: string): void =>
    this.#given.link.output(this.#given.appId, stream, line);

  began(pid: number): void {
    const { appId, link, now, isUnaddressed } = this.#given;
    this.#pid = pid;
    this.#startedMs = now();
    link.attach(this);
    link.changed(appId, undefined, pid);
    if (!isUnaddressed) return;
    for (const ms of LOOKS_MS) this.#timers.push(setTimeout(() => this.#look(pid), ms).unref());
  }

  /**
   * Notes the end of the command, which ends the run: the log says why.
   * @param how `isAsked`: the run was to end, and the command with it
   */
  ended(
    status: number,
    { signal, isAsked }: { readonly signal: NodeJS.Signals | undefined; readonly isAsked: boolean },
  ): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#pid = undefined;
    this.#exitCode = status;
    this.#lacks = undefined;
    const { appId, link } = this.#given;
    const how = signal === undefined ? `ended with status ${status}` : `ended with signal ${signal}`;
    link.log(isAsked || status === 0 ? 'info' : 'error', `${theAppFirst(appId)} ${how}.`, appId);
    link.changed(appId, `it ${how}`);
  }

  rows(): readonly ProcessRow[] {
    const { appId, command } = this.#given;
    const exitCode = this.#exitCode;
    return [
      {
        appId,
        command: [...command],
        ...withoutUndefined({ pid: this.#pid, exitCode }),
        state: exitCode === undefined ? 'running' : exitCode === 0 ? 'exited' : 'failed',
        ...(this.#startedMs === undefined ? {} : { startedAt: new Date(this.#startedMs).toISOString() }),
        restarts: 0,
        endsRun: true,
      },
    ];
  }

  banners(): SystemDescription['banners'] {
    const { appId } = this.#given;
    return this.#lacks === undefined ? [] : [{ id: 'no-app-address', ...this.#lacks, appId }];
  }

  restart(appId: string): Promise<void> | undefined {
    return this.#refuse(appId);
  }

  stop(appId: string): Promise<void> | undefined {
    return this.#refuse(appId);
  }

  start(appId: string): Promise<void> | undefined {
    return this.#refuse(appId);
  }

  #refuse(appId: string): Promise<void> | undefined {
    if (appId !== this.#given.appId) return undefined;
    const reason = `This run ends with the process of ${theApp(appId)}, so end the run and start it again.`;
    return Promise.reject(new Refusal('TRANSITION_NOT_ALLOWED', { reason }));
  }

  /** Says once that the app has no address, and once more if it listens only later. */
  #look(pid: number): void {
    const { appId, link, portsOf } = this.#given;
    const ports = portsOf(pid);
    const text = noAddressText(appId, ports);
    if (text === this.#lacks?.text) return;
    // A program that listens nowhere may only publish.
    const level = ports.length === 0 ? 'info' : 'warn';
    this.#lacks = { text, level };
    link.log(level, text, appId);
  }
}

/** What an app without an address does not get, and which flag gives it one. */
export function noAddressText(appId: string, ports: readonly number[]): string {
  const [port] = ports;
  const start = `${theAppFirst(appId)} was started without --app-port, so it has no address: it gets messages only through a stream that it opens`;
  if (port === undefined)
    return `${start}. If it is to be called, start it with --app-port and the port on which it listens.`;
  return `${start}. It listens on ${portsText(ports)}: if it is to be called there, start it with --app-port ${port}.`;
}
