/** Starts the headless product for one configuration and stops it again. Knows its command line, nothing of its code. */
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import type { ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { ProductPool } from '../e2e/reuse/product-pool.ts';
import type { ConsoleRpc, ResourceFolder } from './suite/case.ts';
import { objectOf } from './suite/checks.ts';
import type { Configuration, RedisAddresses } from './suite/configuration.ts';
import { within } from './suite/context.ts';
import { APP_ID } from './suite/files.ts';
import { createClient } from './suite/http-client.ts';
import type { Names } from './suite/names.ts';
import type { StartedSidecar } from './suite/run.ts';

export interface DriverOptions {
  readonly configuration: Configuration;
  readonly names: Names;
  readonly appUrl: string;
  readonly secondUrl?: string;
  readonly redis?: RedisAddresses;
  /** Script that Node runs; default: the product's source. */
  readonly entry?: string;
  /** Processes that run one product after the other, for configurations that need none of their own. */
  readonly pool?: ProductPool;
}

type Started = Pick<StartedSidecar, 'lastWords' | 'stop'> & {
  readonly ready: Readonly<Record<string, unknown>>;
  /** Resolves with the exit code; absent: its process goes on after it. */
  readonly ended?: Promise<number>;
};

export const ENTRY = fileURLToPath(new URL('../../core/host/cli.ts', import.meta.url));
export const READY_MS = 120_000;
const STOP_MS = 15_000;
const LOG_LINES = 40;

/** Running processes that would be left behind, with their folders. */
export const live = new Map<ChildProcess, string | undefined>();

/** Ends every product at once and removes its folder: for a run that is broken off by a signal. */
export function endAll(): void {
  for (const [child, folder] of live) {
    child.kill('SIGTERM');
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
  live.clear();
}

/** Starts it and waits for its ready line. Rejects with what it wrote when none comes. */
export async function startProduct(options: DriverOptions): Promise<StartedSidecar> {
  const { configuration, names, appUrl, secondUrl, redis, pool } = options;
  const facts = { names, appUrl, ...(redis === undefined ? {} : { redis }) };
  const folder = await mkdtemp(join(tmpdir(), 'sidelight-conformance-'));
  const files = configuration.resources?.(facts);
  if (files !== undefined) await writeResources(join(folder, 'resources'), files);
  const args = [
    ...['--headless', '--ephemeral', '--sidecar-port', '0', '--console-port', '0'],
    ...['--profile', names.profile, '--app-id', APP_ID, '--app-url', appUrl, '--log-level', 'debug'],
    ...(files === undefined ? [] : ['--resources', join(folder, 'resources')]),
    ...(secondUrl === undefined ? [] : ['--app', `second=${secondUrl},0`]),
    ...(configuration.args?.(facts) ?? []),
  ];
  const remove = async (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const started =
      pool === undefined || needsProcess(configuration)
        ? await inProcess(options.entry ?? ENTRY, args, configuration.env?.(facts), folder)
        : await inPool(pool, args);
    return sidecarOf(started, configuration, files && join(folder, 'resources'), remove);
  } catch (error) {
    await remove();
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${configuration.id}: the product did not start: ${reason}`, { cause: error });
  }
}

/** Whether its product cannot share a process: it has an environment of its own, or a case looks at the end of the process. */
const needsProcess = ({ env, endsProcess }: Configuration): boolean =>
  env !== undefined || endsProcess === true;

function sidecarOf(
  { ready, ended, lastWords, stop }: Started,
  configuration: Configuration,
  resources: string | undefined,
  remove: () => Promise<void>,
): StartedSidecar {
  const apps = Array.isArray(ready['apps']) ? ready['apps'].map(objectOf) : [];
  const grpc = apps[0]?.['grpc'];
  const rpc = createConsole(String(ready['rpc']), String(ready['token']));
  const pid = Number(ready['pid']);
  return {
    url: String(apps[0]?.['sidecar']),
    ...(typeof grpc === 'string' ? { grpc } : {}),
    ...(resources === undefined ? {} : { files: folderOf(resources) }),
    ...(apps[1] === undefined ? {} : { secondUrl: String(apps[1]['sidecar']) }),
    appId: APP_ID,
    component: 'pubsub',
    running: { maxAttempts: configuration.maxAttempts, ...(ended && { ended, pid }) },
    pid,
    console: rpc,
    lastWords,
    stop: async () => {
      rpc.close();
      try {
        await stop();
      } finally {
        await remove();
      }
    },
  };
}

/** A product that is composed in a process that has the program loaded. */
async function inPool(pool: ProductPool, args: readonly string[]): Promise<Started> {
  const product = await within(pool.startWith(args), 'the start of a product', READY_MS);
  return {
    ready: { ...product.ready },
    lastWords: () => product.log().trimEnd().split('\n').slice(-LOG_LINES).join('\n'),
    stop: async () => {
      const code = await product.stop();
      if (code !== 0) throw new Error(`the product ended with ${code}; its log:\n${product.log()}`);
    },
  };
}

/** A product in a process of its own. */
async function inProcess(
  entry: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> | undefined,
  folder: string,
): Promise<Started> {
  const child = spawn(process.execPath, [entry, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  live.set(child, folder);
  const ended = new Promise<number>((resolve) =>
    child.once('exit', (code, signal) => resolve(code ?? (signal === null ? 1 : 128))),
  );
  const lastWords = lastLines(child);
  const stop = async (): Promise<void> => {
    await endIn(child, ended);
    live.delete(child);
  };
  try {
    const ready = await within(readyLine(child, ended), 'the ready line', READY_MS);
    return { ready, ended, lastWords, stop };
  } catch (error) {
    await stop();
    throw new Error(`its last words:\n${lastWords()}`, { cause: error });
  }
}

/** Writes the files of a components folder. */
export async function writeResources(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
}

/** A components folder that cases change: a file is there whole or not at all. */
export function folderOf(folder: string): ResourceFolder {
  return {
    write: async (name, text) => {
      const beside = join(folder, `.${name}.new`);
      await writeFile(beside, text);
      await rename(beside, join(folder, name));
    },
    remove: async (name) => rm(join(folder, name)),
  };
}

/** The console's RPC over HTTP. `call` rejects with the error's code and text. */
export function createConsole(url: string, token: string): ConsoleRpc & { close(): void } {
  const client = createClient();
  return {
    call: async (method, params) => {
      const answer = await client.send(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      });
      const body = objectOf(answer.json());
      if (body['error'] !== undefined) throw new Error(`${method}: ${JSON.stringify(body['error'])}`);
      return objectOf(body['result']);
    },
    close: () => client.close(),
  };
}

/** The last lines that a process wrote to its error stream. */
export function lastLines(child: ChildProcess): () => string {
  const lines: string[] = [];
  const streams = [child.stderr, child.stdout].flatMap((stream) => (stream === null ? [] : [stream]));
  for (const input of streams) {
    createInterface({ input }).on('line', (line) => {
      lines.push(line);
      if (lines.length > LOG_LINES) lines.shift();
    });
  }
  return () => lines.join('\n');
}

/** The ready line of a product that was just started. */
export async function readyLine(
  child: ChildProcess,
  ended: Promise<number>,
): Promise<Readonly<Record<string, unknown>>> {
  const { stdout } = child;
  if (stdout === null) throw new Error('there is no stdout');
  const line = await Promise.race([
    new Promise<string>((resolve) => createInterface({ input: stdout }).once('line', resolve)),
    ended.then((code) => {
      throw new Error(`the process ended with ${code}`);
    }),
  ]);
  const ready = objectOf(JSON.parse(line));
  if (ready['event'] !== 'ready') throw new Error(`the first line is no ready line: ${line}`);
  return ready;
}

/** Ends a process, with force where it does not end by itself. */
export async function endIn(child: ChildProcess, ended: Promise<number>): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
  const cut = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await ended;
  clearTimeout(cut);
}
