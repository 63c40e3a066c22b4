/** The sidecars that an app of the suite is run against: the product, and another one where it is given. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { portWithOthers } from '../bench/targets/contenders.ts';
import { startProduct } from '../e2e/product.ts';
import type { Product } from '../e2e/product.ts';
import type { Way } from './languages.ts';

const READY_MS = 60_000;
const STOP_MS = 10_000;
const POLL_INTERVAL_MS = 100;
const STEADY_MS = 1_000;
/** Sidecars that are called by a script serve gRPC so many ports above HTTP. */
const GRPC_ABOVE = 1_000;

export interface Sidecar {
  readonly http: string;
  readonly grpc: string;
  /** Attempts of all deliveries that a tap in between has shown; absent without one. */
  attempts?(): Promise<number>;
  stop(): Promise<void>;
}

/** Something that an app can be run against. */
export interface Target {
  readonly name: string;
  /** False: the release has no streaming subscriptions. */
  readonly hasStreams: boolean;
  /** Starts it for an app at this port. Rejects when it does not answer in time. */
  start(appPort: number, way: Way): Promise<Sidecar>;
}

const COMPONENT = `apiVersion: dapr.io/v1alpha1
kind: Component
metadata: { name: pubsub }
spec: { type: pubsub.in-memory, version: v1, metadata: [] }
`;
const RESILIENCY = `apiVersion: dapr.io/v1alpha1
kind: Resiliency
metadata: { name: fast }
spec:
  policies:
    retries:
      fast: { policy: constant, duration: 200ms, maxRetries: 2 }
  targets:
    components:
      pubsub:
        inbound: { retry: fast }
`;

/** Writes the component and the retry policy that every sidecar of the suite is given. */
export async function writeResources(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'pubsub.yaml'), COMPONENT);
  await writeFile(path.join(folder, 'resiliency.yaml'), RESILIENCY);
  return folder;
}

/** The built product. */
export function sidelight(resources: string, isVerbose: boolean): Target {
  return {
    name: 'Sidelight',
    hasStreams: true,
    async start(appPort, way) {
      const scheme = way === 'grpc' ? 'grpc' : 'http';
      const app = way === 'stream' ? 'none' : `${scheme}://127.0.0.1:${appPort}`;
      const flags = ['--profile', 'dapr', '--resources', resources, '--app-url', app, '--log-level', 'warn'];
      const product = await startProduct({ flags });
      const [first] = product.ready.apps;
      if (first?.grpc === undefined) throw new Error('the ready line names no gRPC address');
      return {
        http: portOf(first.sidecar),
        grpc: portOf(`grpc://${first.grpc}`),
        async stop() {
          await product.stop();
          if (isVerbose) process.stderr.write(product.log());
        },
      };
    },
  };
}

/** A sidecar that an executable starts: `PATH VERSION HTTP_PORT APP_PORT RESOURCES [flags]`. */
export interface Reference {
  readonly executable: string;
  readonly version: string;
  readonly resources: string;
  readonly isVerbose: boolean;
}

interface Place {
  readonly port: number;
  readonly appPort: number;
  readonly way: Way;
}

/** The sidecar by itself. */
export function reference(of: Reference): Target {
  return {
    name: of.version,
    hasStreams: hasStreams(of),
    async start(appPort, way) {
      const port = await portWithOthers();
      const stop = await startReference(of, { port, appPort, way });
      return { http: String(port), grpc: String(port + GRPC_ABOVE), stop };
    },
  };
}

/** The sidecar with a tap between it and the app. */
export function tappedReference(of: Reference): Target {
  return {
    name: `${of.version} through a tap`,
    hasStreams: hasStreams(of),
    async start(appPort, way) {
      const port = await portWithOthers();
      const tap = await startTap(port, `${way === 'grpc' ? 'grpc' : 'http'}://127.0.0.1:${appPort}`);
      const stopTap = async (): Promise<void> => {
        await tap.stop();
        if (of.isVerbose) process.stderr.write(tap.log());
      };
      try {
        const [at] = tap.ready.taps ?? [];
        if (at?.grpcPort === undefined) throw new Error('the ready line names no tap with a port for gRPC');
        const stop = await startReference(of, { port, appPort: at.appPort, way });
        return {
          http: String(at.sidecarPort),
          grpc: String(at.grpcPort),
          async attempts() {
            const { items } = await tap.rpc('messages.list', { filter: 'is:tapped', limit: 100 });
            const deliveries = items.flatMap((row) => row.deliveries);
            return deliveries.reduce((sum, delivery) => sum + delivery.attempts, 0);
          },
          async stop() {
            await stop();
            await stopTap();
          },
        };
      } catch (error) {
        await stopTap();
        throw error;
      }
    },
  };
}

function startTap(sidecarPort: number, appUrl: string): Promise<Product> {
  const flags = [
    ...['--ephemeral', '--log-level', 'warn', '--app-url', appUrl],
    ...['--sidecar-url', `http://127.0.0.1:${sidecarPort}`],
    ...['--sidecar-grpc', `127.0.0.1:${sidecarPort + GRPC_ABOVE}`],
    ...['--tap-app-port', '0', '--tap-sidecar-port', '0', '--tap-grpc-port', '0'],
  ];
  return startProduct({ command: 'tap', flags });
}

function hasStreams({ version }: Reference): boolean {
  return !version.startsWith('1.13.');
}

/** Resolves once it answers, with what ends it. */
async function startReference(of: Reference, { port, appPort, way }: Place): Promise<() => Promise<void>> {
  const flags = way === 'grpc' ? ['--app-protocol', 'grpc'] : way === 'stream' ? ['--app-port', '0'] : [];
  const child = spawn(of.executable, [of.version, String(port), String(appPort), of.resources, ...flags], {
    stdio: ['ignore', 'ignore', of.isVerbose ? 'inherit' : 'ignore'],
  });
  const cut = (): void => void child.kill();
  process.once('exit', cut);
  const ended = once(child, 'exit').then(() => void process.off('exit', cut));
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    const kill = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    await ended;
    clearTimeout(kill);
  };
  try {
    await untilAnswers(`http://127.0.0.1:${port}/v1.0/metadata`);
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Resolves once the sidecar has had this number of subscriptions of its app for a second: Python's SDK sometimes ends a stream that it has
 * just opened, and opens it again.
 */
export async function untilSubscribed(sidecar: Sidecar, topics: number): Promise<void> {
  let since: number | undefined;
  await until(`${topics} subscriptions of the sidecar at port ${sidecar.http}`, async () => {
    const answer = await fetch(`http://127.0.0.1:${sidecar.http}/v1.0/metadata`);
    const { subscriptions = [] }: { subscriptions?: readonly unknown[] } = await answer.json();
    if (subscriptions.length < topics) since = undefined;
    else since ??= performance.now();
    return since !== undefined && performance.now() - since >= STEADY_MS;
  });
}

async function untilAnswers(url: string): Promise<void> {
  await until(`an answer of ${url}`, async () => {
    try {
      return (await fetch(url)).ok;
    } catch (error) {
      // No program listens yet.
      if (error instanceof TypeError) return false;
      throw error;
    }
  });
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const limit = performance.now() + READY_MS;
  while (!(await isSo())) {
    if (performance.now() > limit) throw new Error(`waited in vain for ${what}`);
    await sleep(POLL_INTERVAL_MS);
  }
}

function portOf(address: string): string {
  return new URL(address).port;
}
