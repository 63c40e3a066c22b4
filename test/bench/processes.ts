/** Starts the processes of a bench and talks to them. */
import { fork, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const START_MS = 30_000;
/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10;
const STOP_MS = 10_000;

export interface Peer {
  readonly pid: number;
  /** Sends and resolves with the next message that comes back. Rejects when none comes, or the process ends. */
  ask<T>(message: object, limitMs: number): Promise<T>;
  stop(): Promise<void>;
}

/** Starts one of our own scripts; `first` resolves with the first message it sends. */
export function startPeer(script: string, args: readonly string[] = []): Peer & { first<T>(): Promise<T> } {
  const file = fileURLToPath(new URL(script, import.meta.url));
  const child = fork(file, [...args], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  return {
    pid: child.pid ?? 0,
    first: async () => nextMessage(child, script, START_MS),
    ask: async (message, limitMs) => {
      const answer = nextMessage<never>(child, script, limitMs);
      child.send(message);
      return answer;
    },
    stop: async () => stopped(child),
  };
}

export interface Product {
  readonly sidecar: string;
  /** HOST:PORT; undefined: gRPC is off. */
  readonly grpc: string | undefined;
  readonly console: string;
  readonly token: string;
  readonly pid: number;
  /** From its start to its ready line. */
  readonly readyMs: number;
  stop(): Promise<void>;
}

/** Starts the headless product for the app at `appUrl` and waits for its ready line. */
export async function startProduct(
  appUrl: string,
  entry: string,
  flags: readonly string[] = ['--ephemeral'],
  nodeFlags: readonly string[] = [],
): Promise<Product> {
  const args = ['--headless', ...flags, '--sidecar-port', '0', '--console-port', '0', '--log-level', 'error'];
  const startedAt = performance.now();
  const { child, ready } = await started<{
    readonly console: string;
    readonly token: string;
    readonly pid: number;
    readonly apps: readonly { readonly sidecar: string; readonly grpc?: string }[];
  }>([...nodeFlags, entry, ...args, '--app-url', appUrl]);
  return {
    readyMs: performance.now() - startedAt,
    sidecar: ready.apps[0]?.sidecar ?? '',
    grpc: ready.apps[0]?.grpc,
    console: ready.console,
    token: ready.token,
    pid: ready.pid,
    stop: async () => stopped(child),
  };
}

export interface TapProcess {
  /** Port of the app as given to the real sidecar. */
  readonly appPort: number;
  /** Where publishes go to. */
  readonly sidecar: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Starts a tap between the app at `appUrl` and the sidecar at `sidecarUrl`, and waits for its ready line. */
export async function startTap(appUrl: string, sidecarUrl: string, entry: string): Promise<TapProcess> {
  const ports = ['--tap-app-port', '0', '--tap-sidecar-port', '0', '--console-port', '0'];
  const args = ['tap', '--headless', '--ephemeral', '--log-level', 'error', ...ports];
  const { child, ready } = await started<{
    readonly pid: number;
    readonly taps: readonly { readonly appPort: number; readonly sidecarPort: number }[];
  }>([entry, ...args, '--app-url', appUrl, '--sidecar-url', sidecarUrl]);
  const [tap] = ready.taps;
  return {
    appPort: tap?.appPort ?? 0,
    sidecar: `http://127.0.0.1:${tap?.sidecarPort ?? 0}`,
    pid: ready.pid,
    stop: async () => stopped(child),
  };
}

/** Starts the baseline of a tap: bytes go on, and nobody reads them. */
export async function startPipe(appPort: number, sidecarPort: number): Promise<TapProcess> {
  const peer = startPeer('./pipe-process.ts', [String(appPort), String(sidecarPort)]);
  const { ports } = await peer.first<{ readonly ports: readonly number[] }>();
  const [forSidecar = 0, forApp = 0] = ports;
  return {
    appPort: forSidecar,
    sidecar: `http://127.0.0.1:${forApp}`,
    pid: peer.pid,
    stop: () => peer.stop(),
  };
}

/** A process of the product and its ready line. */
async function started<T>(
  args: readonly string[],
): Promise<{ readonly child: ChildProcess; readonly ready: T }> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  // A bench that is broken off must not leave it running; our own scripts end with their channel.
  const cut = (): void => void child.kill();
  process.once('exit', cut);
  child.once('exit', () => process.off('exit', cut));
  const line = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the product printed no ready line')), START_MS);
    child.once('exit', (code) => reject(new Error(`the product ended with ${code}`)));
    createInterface({ input: child.stdout }).once('line', (text) => {
      clearTimeout(timer);
      resolve(text);
    });
  });
  const ready: T = JSON.parse(line);
  return { child, ready };
}

/** Processor time that a process took so far, in ms; NaN where the system does not tell. */
export async function cpuMs(pid: number): Promise<number> {
  if (process.platform !== 'linux') return Number.NaN;
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The name in parentheses may hold spaces; user and system ticks are the 12th and 13th field after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** Memory of a process that is in use now, in MB; NaN where the system does not tell. */
export async function memoryMb(pid: number): Promise<number> {
  if (process.platform !== 'linux') return Number.NaN;
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? Number.NaN) / 1_024;
}

async function nextMessage<T>(child: ChildProcess, name: string, limitMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      child.off('message', take).off('exit', gone);
    };
    const take = (message: T): void => {
      end();
      resolve(message);
    };
    const gone = (code: number | null): void => {
      end();
      reject(new Error(`${name} ended with ${code}`));
    };
    const timer = setTimeout(() => {
      end();
      reject(new Error(`${name} said nothing for ${limitMs} ms`));
    }, limitMs);
    child.on('message', take).on('exit', gone);
  });
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  if (child.connected) child.disconnect();
  else child.kill('SIGTERM');
  const cut = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await gone;
  clearTimeout(cut);
}
