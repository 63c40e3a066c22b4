// Starts the product headless as a process of its own, calls its methods, and ends it.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { ConsoleEvent, Method, Params, Result } from '../../core/contract/console.ts';
import type { RpcError } from '../../core/contract/rpc.ts';
import type { ShellAddresses } from '../../core/contract/shell.ts';
import { PROGRAM } from '../support/program.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
/** What ships; SIDELIGHT_ENTRY names another build. */
export const BUILT = process.env['SIDELIGHT_ENTRY'] ?? path.join(ROOT, 'dist', 'program', 'host', 'cli.js');

const QUIET: readonly string[] = [
  '--headless',
  '--ephemeral',
  '--sidecar-port',
  '0',
  '--app-port',
  '0',
  '--console-port',
  '0',
];
/** Longest wait for anything that the product does by itself, in milliseconds. */
const LIMIT_MS = 60_000;

export interface ReadyLine extends ShellAddresses {
  readonly event: 'ready';
  readonly version: string;
  readonly pid: number;
}

export interface StartOptions {
  /** File that is run; default: the built one. */
  readonly entry?: string;
  /** `tap` takes no ports of sidecars and mock apps; `run` takes no mock app's port, and its own give way. */
  readonly command?: 'tap' | 'run';
  /** Further flags; a later flag wins over the standing ones. */
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** An answer of `/rpc` that is an error. */
export class RpcRefusal extends Error {
  readonly error: RpcError;

  constructor(method: string, error: RpcError) {
    super(`${method}: ${error.code} ${error.message} ${JSON.stringify(error.data ?? {})}`);
    this.error = error;
  }
}

export interface Product {
  readonly ready: ReadyLine;
  /** Everything it wrote to stderr so far. */
  readonly log: () => string;
  /** Address of a sidecar route. */
  readonly at: (route: string, app?: number) => string;
  /** Asks the first app's sidecar. */
  readonly sidecar: (route: string, init?: RequestInit) => Promise<Response>;
  /** Publishes JSON over HTTP; any status but 204 is an error. */
  readonly publish: (topic: string, data: unknown, query?: string) => Promise<void>;
  /** Rejects with RpcRefusal. */
  readonly rpc: <M extends Method>(method: M, params: Params<M>) => Promise<Result<M>>;
  /**
   * Asks until there is an answer: again whenever something happened in the product.
   * @throws Error naming `what` after 20 s
   */
  readonly when: <T>(what: string, ask: () => Promise<T | undefined>) => Promise<T>;
  /** SIGTERM; resolves with the exit code. */
  readonly stop: () => Promise<number | null>;
  /** SIGKILL, as a crash is. */
  readonly kill: () => Promise<void>;
}

/** How a running product is read and ended; the rest of `Product` goes over its addresses. */
type Life = Pick<Product, 'log' | 'stop' | 'kill'>;

/** Starts the product and waits for its ready line. Throws with its stderr when it ends before. */
export async function startProduct(options: StartOptions = {}): Promise<Product> {
  const { entry = BUILT, flags = [], env = {}, command } = options;
  const args =
    command === undefined
      ? withStandingFlags(flags)
      : [command, '--headless', '--console-port', '0', ...flags];
  const child = spawn(process.execPath, [entry, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const line = await firstLine(child, ended);
  if (line === undefined) throw new Error(`the product did not start (exit ${child.exitCode}): ${log}`);
  const ready: ReadyLine = JSON.parse(line);
  return productAt(ready, {
    log: () => log,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      return child.exitCode;
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  });
}

/** The flags of every product of a test, and these after them; a later flag wins. */
export function withStandingFlags(flags: readonly string[]): string[] {
  const standing = flags.includes('--data-dir') ? QUIET.filter((flag) => flag !== '--ephemeral') : QUIET;
  return [...standing, ...flags];
}

/** A product that runs, by the addresses of its ready line. */
export function productAt(ready: ReadyLine, life: Life): Product {
  const at = (route: string, app = 0): string => `${ready.apps[app]?.sidecar}${route}`;

  const sidecar: Product['sidecar'] = (route, init) => fetch(at(route), init);

  async function rpc<M extends Method>(method: M, params: Params<M>): Promise<Result<M>> {
    const answer = await fetch(ready.rpc, {
      method: 'POST',
      headers: { authorization: `Bearer ${ready.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const body: { readonly result: Result<M>; readonly error?: RpcError } = await answer.json();
    if (body.error !== undefined) throw new RpcRefusal(method, body.error);
    return body.result;
  }

  return {
    ...life,
    ready,
    at,
    sidecar,
    rpc,
    async publish(topic, data, query = '') {
      const answer = await sidecar(`/v1.0/publish/pubsub/${topic}${query}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(data),
      });
      if (answer.status !== 204) throw new Error(`publish: ${answer.status} ${await answer.text()}`);
    },
    async when(what, ask) {
      const until = performance.now() + LIMIT_MS;
      let events: { sequence: number; events: readonly ConsoleEvent[] } = { sequence: 0, events: [] };
      do {
        // The place in the stream is taken before asking: what happens in between ends the wait at once.
        const { sequence } = await rpc('events.since', { sequence: events.sequence, limit: 500 });
        const found = await ask();
        if (found !== undefined) return found;
        events = await rpc('events.since', { sequence, limit: 500, waitMs: 2_000 });
      } while (performance.now() < until);
      throw new Error(`waited in vain: ${what}`);
    },
  };
}

async function firstLine(child: ChildProcess, ended: Promise<unknown>): Promise<string | undefined> {
  if (child.stdout === null) return undefined;
  const lines = createInterface({ input: child.stdout });
  const line = new Promise<string>((resolve) => void lines.once('line', resolve));
  return Promise.race([line, ended.then(() => undefined)]);
}

/** A run that ends by itself. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the program with exactly these arguments until it ends; SIGKILL (code null) after a minute. */
export async function runProduct(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  await once(child, 'close');
  return { code: child.exitCode, stdout, stderr };
}
