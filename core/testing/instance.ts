/** Runs Sidelight in a process of its own: started on free ports, restarted on the same ones, ended. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { ShellAddresses } from '../contract/shell.ts';
import { withoutUndefined } from '../contract/without-undefined.ts';
import { isObject, tryParse } from '../domain/json.ts';
import { InstanceGone } from '../scenario/rpc.ts';
import type { Rpc } from '../scenario/rpc.ts';
import { connect } from './connect.ts';
import { LastLines } from './last-lines.ts';
import { lastingPort } from './lasting-port.ts';

/** The program beside this file, built or as source. */
export const PROGRAM = fileURLToPath(new URL(`../host/cli${extname(import.meta.url)}`, import.meta.url));
/** Folder of compiled code that instances share: Node's own default. */
const COMPILED = join(tmpdir(), 'node-compile-cache');
const START_MS = 60_000;
const END_MS = 10_000;
/** Number of last log lines that an error repeats. */
const LINES_TOLD = 10;

/** An app: its id, and its address, `mock` or `none`. */
export interface AppAt {
  readonly appId: string;
  readonly to: string;
}

export interface InstanceOptions {
  /** Apps of the instance, at least one. */
  readonly apps: readonly AppAt[];
  /** Flags beside those for apps, ports and history. */
  readonly flags: readonly string[];
  /**
   * True if the instance will be restarted: its ports are then chosen so that no other program takes them
   * meanwhile.
   */
  readonly restarts?: boolean;
  /** Folder of the history; absent: it is not kept. */
  readonly dataDir?: string;
  /** Folder to which paths in flags are relative; absent: that of this process. */
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Addresses of an instance, from its ready line. */
export type At = Omit<ShellAddresses, 'pubsubname'>;

/** Addresses whose ports are used again. */
type Ports = Pick<At, 'console'> & {
  readonly apps: readonly Pick<At['apps'][number], 'appId' | 'sidecar' | 'app' | 'grpc'>[];
};

export interface RunningInstance {
  readonly at: At;
  /** The present connection to its console. */
  readonly rpc: Rpc;
  /**
   * Ends the instance, in order or at once, and restarts it on the same ports. Its history survives only with
   * a data folder.
   */
  restart(how: 'graceful' | 'kill'): Promise<void>;
  stop(): Promise<void>;
}

/** An instance in a process of its own. */
export class Instance implements RunningInstance {
  readonly #options: InstanceOptions;
  #run: Run;

  private constructor(options: InstanceOptions, run: Run) {
    this.#options = options;
    this.#run = run;
  }

  /** Starts an instance. Rejects with the last lines of its log if it does not get ready. */
  static async start(options: InstanceOptions): Promise<Instance> {
    const ports = options.restarts === true ? await lastingPorts(options) : undefined;
    return new Instance(options, await startRun(options, ports));
  }

  get at(): At {
    return this.#run.at;
  }

  get rpc(): Rpc {
    return this.#run.rpc;
  }

  async restart(how: 'graceful' | 'kill'): Promise<void> {
    const { at } = this;
    await this.#run.end(how === 'kill' ? 'SIGKILL' : 'SIGTERM');
    this.#run = await startRun(this.#options, at);
  }

  async stop(): Promise<void> {
    await this.#run.end('SIGTERM');
  }
}

interface Run {
  readonly at: At;
  readonly rpc: Rpc;
  /** Ends the process; resolves when it has exited. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

/** Running instances of this process, all of which end with it. */
const living = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of living) child.kill('SIGKILL');
});

async function lastingPorts({ apps }: InstanceOptions): Promise<Ports> {
  const address = async (): Promise<string> => `127.0.0.1:${await lastingPort()}`;
  const ports: Ports['apps'][number][] = [];
  for (const { appId } of apps)
    ports.push({ appId, sidecar: await address(), app: await address(), grpc: await address() });
  return { console: await address(), apps: ports };
}

/**
 * Starts a run.
 * @param before addresses of an earlier run, whose ports are used again; undefined: free ones
 */
async function startRun(options: InstanceOptions, before: Ports | undefined): Promise<Run> {
  const { cwd, env } = options;
  const child = spawn(process.execPath, [PROGRAM, ...argumentsOf(options, before)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { NODE_COMPILE_CACHE: COMPILED, ...process.env, ...env },
    ...withoutUndefined({ cwd }),
  });
  living.add(child);
  const over = new Promise<void>((resolve) => {
    child.once('close', () => {
      living.delete(child);
      resolve();
    });
  });
  const at = await readyLine(child);
  const end = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
    child.kill(signal);
    const late = setTimeout(() => child.kill('SIGKILL'), END_MS);
    await over;
    clearTimeout(late);
  };
  try {
    return { at, rpc: await connect(at), end };
  } catch (error) {
    await end('SIGKILL');
    throw error;
  }
}

/**
 * Command line of such an instance.
 * @param before addresses of an earlier run, whose ports are used again
 */
export function argumentsOf({ apps, flags, dataDir }: InstanceOptions, before?: Ports): readonly string[] {
  const history = dataDir === undefined ? ['--ephemeral'] : ['--data-dir', dataDir];
  const where = [...appFlags(apps, before), '--console-port', portOf(before?.console)];
  return ['--headless', ...history, ...where, '--log-level', 'warn', ...flags];
}

function readyLine(child: ChildProcess): Promise<At> {
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error('the streams of the instance are not piped');
  const said = new LastLines(LINES_TOLD);
  createInterface({ input: stderr }).on('line', said.add);
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => reject(new InstanceGone([why, ...said.all].join('\n')));
    const late = setTimeout(() => {
      child.kill('SIGKILL');
      fail(`Sidelight was not ready after ${START_MS / 1000} s`);
    }, START_MS);
    child.once('error', (error) => fail(`Sidelight could not be started: ${error.message}`));
    child.once('close', (status) => {
      clearTimeout(late);
      fail(`Sidelight ended with status ${status ?? 'unknown'} before it was ready`);
    });
    createInterface({ input: stdout }).once('line', (line) => {
      clearTimeout(late);
      const at = tryParse(line)?.value;
      if (isReady(at)) resolve(at);
      else fail(`Sidelight printed no ready line, but: ${line.slice(0, 200)}`);
    });
  });
}

function isReady(value: unknown): value is At {
  return isObject(value) && value['event'] === 'ready' && typeof value['rpc'] === 'string';
}

/**
 * Flags for the apps with their ports: those of an earlier run, because other apps know them, else any free
 * ones.
 */
function appFlags([first, ...others]: readonly AppAt[], before: Ports | undefined): readonly string[] {
  const known = (appId: string) => before?.apps.find((app) => app.appId === appId);
  const { appId = 'app', to = 'mock' } = first ?? {};
  const at = known(appId);
  return [
    ...[`--app-id=${appId}`, '--sidecar-port', portOf(at?.sidecar), '--grpc-port', portOf(at?.grpc)],
    ...(to === 'mock' ? ['--app-port', portOf(at?.app)] : ['--app-url', to]),
    ...others.flatMap((app) => {
      const other = known(app.appId);
      return [`--app=${app.appId}=${app.to},${portOf(other?.sidecar)},${portOf(other?.grpc)}`];
    }),
  ];
}

/** The port of an address; without an address 0, which is any. */
function portOf(address: string | undefined): string {
  return address === undefined ? '0' : address.slice(address.lastIndexOf(':') + 1);
}
