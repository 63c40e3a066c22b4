/** The measured programs: the product, the bare forwarder, and another sidecar if one is given. Each delivers publishes to one app. */
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { startPeer, startProduct } from '../processes.ts';
import type { Peer, Product } from '../processes.ts';

const READY_MS = 60_000;
const STOP_MS = 10_000;
const POLL_INTERVAL_MS = 50;

export interface Contender {
  readonly name: string;
  /** Address that publishes go to. */
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** The sidecar to compare with: an executable called as `PATH VERSION HTTP_PORT APP_PORT [RESOURCES]`, ended by SIGTERM. */
export interface Reference {
  readonly path: string;
  readonly version: string;
}

export const TOPIC = 't0';

/** An app in a process of its own that subscribes to `TOPIC`. */
export async function startApp(): Promise<{ readonly peer: Peer; readonly port: number }> {
  const peer = startPeer('./app-process.ts');
  const subscriptions = [{ pubsubname: 'pubsub', topic: TOPIC, routes: { default: `/${TOPIC}` } }];
  const { port } = await peer.ask<{ port: number }>({ kind: 'start', subscriptions }, READY_MS);
  return { peer, port };
}

export async function startForwarder(appPort: number): Promise<Contender> {
  const peer = startPeer('./forwarder-process.ts', [`http://127.0.0.1:${appPort}`]);
  const { port } = await peer.first<{ port: number }>();
  return { name: 'forwarder', url: `http://127.0.0.1:${port}`, pid: peer.pid, stop: () => peer.stop() };
}

export async function startOurs(
  appPort: number,
  entry: string,
  flags: readonly string[] = ['--ephemeral'],
): Promise<Contender & { readonly product: Product }> {
  const product = await startProduct(`http://127.0.0.1:${appPort}`, entry, flags);
  await untilSubscribed(product.sidecar);
  return { name: 'ours', url: product.sidecar, pid: product.pid, product, stop: () => product.stop() };
}

/**
 * Rejects when it does not subscribe in time. Its own words go to stderr.
 * @param resources folder of its components; without it: its own in-memory one
 * @param wanted port of its HTTP API; without it: a free one
 */
export async function startReference(
  { path, version }: Reference,
  appPort: number,
  resources?: string,
  wanted?: number,
): Promise<Contender> {
  const port = wanted ?? (await portWithOthers());
  const more = resources === undefined ? [] : [resources];
  const child = spawn(path, [version, String(port), String(appPort), ...more], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const cut = (): void => void child.kill();
  process.once('exit', cut);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  void ended.then(() => process.off('exit', cut));
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    const kill = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    await ended;
    clearTimeout(kill);
  };
  const url = `http://127.0.0.1:${port}`;
  try {
    await Promise.race([
      untilSubscribed(url),
      ended.then(() => {
        throw new Error(`${path} ${version} ended before it was ready`);
      }),
    ]);
  } catch (error) {
    await stop();
    throw error;
  }
  return { name: version, url, pid: child.pid ?? 0, stop };
}

/** Such a sidecar listens on further ports, a thousand apart: the first one leaves room for them. */
export async function portWithOthers(): Promise<number> {
  for (let port = 20_000 + (process.pid % 5_000); ; port += 7) {
    const all = [0, 1_000, 2_000, 3_000].map((more) => isFree(port + more));
    if ((await Promise.all(all)).every(Boolean)) return port;
  }
}

/** A port without a listener now. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

async function untilSubscribed(url: string): Promise<void> {
  const until = performance.now() + READY_MS;
  for (;;) {
    if (await isSubscribed(url)) return;
    if (performance.now() > until) throw new Error(`${url} did not subscribe within ${READY_MS} ms`);
    await sleep(POLL_INTERVAL_MS);
  }
}

async function isSubscribed(url: string): Promise<boolean> {
  let text: string;
  try {
    const answer = await fetch(`${url}/v1.0/metadata`);
    text = await answer.text();
  } catch (error) {
    // No program listens yet: the caller asks again until its time is over.
    if (error instanceof TypeError) return false;
    throw error;
  }
  const body: { subscriptions?: readonly unknown[] } = JSON.parse(text);
  return (body.subscriptions?.length ?? 0) > 0;
}
