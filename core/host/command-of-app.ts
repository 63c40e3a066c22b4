/** The command of `sidelight run` as a process of its app: its state and output for the console, and what it lacks. */
import type { ProcessRow } from '../contract/methods/processes.ts';
import { theAppFirst } from '../contract/app-text.ts';
import type { Peer } from '../contract/rpc.ts';
import type { SystemDescription } from '../contract/reports.ts';
import { portsText } from '../runtime/apps/connection-mistakes.ts';
import type { RunOfApps } from './attached-processes.ts';
import type { CommandActs, CommandFollower } from './command-process.ts';
import type { AppProcess } from './multi-run/app-process.ts';
import { rowOf } from './multi-run/run-of-apps.ts';
import type { ProcessLink } from './process-link.ts';

type Link = Pick<
  ProcessLink,
  'attach' | 'changed' | 'log' | 'output' | 'pauseDeliveries' | 'resumeDeliveries'
>;

/** Times at which a command without an address is looked through for ports, after its start. */
const LOOKS_MS = [2_000, 5_000, 15_000, 60_000];

export interface CommandOfAppOptions {
  readonly appId: string;
  /** Whether the app has no address because nothing was said about one. */
  readonly isUnaddressed: boolean;
  readonly link: Link;
  /** Ports on which the processes of a group listen. */
  readonly portsOf: (group: number) => readonly number[];
}

export class CommandOfApp implements CommandFollower, RunOfApps {
  readonly #given: CommandOfAppOptions;
  #process: AppProcess | undefined;
  #acts: CommandActs | undefined;
  #pid: number | undefined;
  #timers: NodeJS.Timeout[] = [];
  #lacks: { readonly text: string; readonly level: 'info' | 'warn' } | undefined;

  constructor(given: CommandOfAppOptions) {
    this.#given = given;
  }

  /** Takes a line that the command has written. */
  readonly onLine = (stream: 'stdout' | 'stderr', line: string): void =>
    this.#given.link.output(this.#given.appId, stream, line);

  pauseDeliveries(appId: string): Promise<void> {
    return this.#given.link.pauseDeliveries(appId);
  }

  resumeDeliveries(appId: string): Promise<void> {
    return this.#given.link.resumeDeliveries(appId);
  }

  /** Notes the command, which runs, and what can be done to it. */
  began(process: AppProcess, acts: CommandActs): void {
    this.#process = process;
    this.#acts = acts;
    this.#given.link.attach(this);
  }

  /** Notes a start or an end of the command. An end that no person asked for ends the run: the log says why. */
  changed(process: AppProcess): void {
    const { appId, link, isUnaddressed } = this.#given;
    const { pid, isLive, reason } = process;
    link.changed(appId, isLive ? undefined : reason, pid);
    if (pid === this.#pid) return;
    this.#pid = pid;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers = [];
    this.#lacks = undefined;
    if (pid === undefined || !isUnaddressed) return;
    this.#timers = LOOKS_MS.map((ms) => setTimeout(() => this.#look(pid), ms).unref());
  }

  log(level: 'info' | 'warn' | 'error', text: string): void {
    const { appId, link } = this.#given;
    link.log(level, `${theAppFirst(appId)} ${text}.`, appId);
  }

  rows(): readonly ProcessRow[] {
    return this.#process === undefined ? [] : [{ ...rowOf(this.#process), endsRun: true }];
  }

  banners(): SystemDescription['banners'] {
    const { appId } = this.#given;
    return this.#lacks === undefined ? [] : [{ id: 'no-app-address', ...this.#lacks, appId }];
  }

  restart(appId: string, by?: Peer): Promise<void> | undefined {
    return this.#actsOn(appId)?.restart(by);
  }

  stop(appId: string, by?: Peer): Promise<void> | undefined {
    const acts = this.#actsOn(appId);
    return acts && this.#stop(acts, by);
  }

  start(appId: string): Promise<void> | undefined {
    return this.#actsOn(appId)?.start();
  }

  #actsOn(appId: string): CommandActs | undefined {
    return appId === this.#given.appId ? this.#acts : undefined;
  }

  async #stop(acts: CommandActs, by: Peer | undefined): Promise<void> {
    await acts.stop(by);
    if (this.#process?.isStopped === true)
      this.log('info', 'was stopped, and the run goes on: choose Start on the Apps screen, or end the run');
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
