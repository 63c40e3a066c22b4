/** Target 5b: Redis Streams beside another sidecar with the same Redis, history in memory and on disk. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, startOurs, startReference } from './contenders.ts';
import type { Figure } from './figures.ts';
import type { TargetOptions } from './rates.ts';
import { measureSides } from './sides.ts';
import type { Start } from './sides.ts';

const READY_MS = 10_000;
const POLL_INTERVAL_MS = 50;
const TARGETS: readonly (readonly [history: 'memory' | 'disk', publishers: number, atLeast: number])[] = [
  ['memory', 1, 1],
  ['memory', 64, 1.2],
  ['disk', 1, 0.6],
  ['disk', 64, 0.9],
];

/** Creates a components folder with streams of its own. */
export type RedisComponents = () => Promise<string>;

/** Rows 5b. None without a reference, or where there is no `redis-server`. */
export async function measureRedis(options: TargetOptions): Promise<readonly Figure[]> {
  const { entry, references } = options;
  if (references.length === 0) return [];
  return withRedis('5b', async (components, folder) => {
    const ours =
      (history: readonly string[]): Start =>
      async (appPort) =>
        startOurs(appPort, entry, [...history, '--resources', await components()]);
    const starts: Record<string, Start> = {
      memory: ours(['--ephemeral']),
      disk: ours(['--data-dir', path.join(folder, 'data')]),
    };
    for (const reference of references)
      starts[reference.version] = async (appPort) => startReference(reference, appPort, await components());
    const measured = await measureSides(starts, { ...options, publishers: [1, 64] });
    return references.flatMap(({ version }) =>
      TARGETS.map(([history, publishers, atLeast]) => ({
        id: `5b.${history === 'memory' ? 'm' : 'd'}${publishers}`,
        title: `processed/s with Redis, history ${history === 'memory' ? 'in memory' : 'on disk'}, against ${version}, ${publishers}`,
        value: measured.ratio(history, version, publishers),
        target: { atLeast },
        detail: `${measured.said(history, publishers)} against ${measured.said(version, publishers)}`,
      })),
    );
  });
}

/**
 * Measures with a Redis server of its own, which is ended afterwards. No figures where there is none.
 * @param rows what is left out then, for a person
 */
export async function withRedis(
  rows: string,
  measured: (components: RedisComponents, folder: string) => Promise<readonly Figure[]>,
): Promise<readonly Figure[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'sidelight-bench-'));
  const server = await startRedis(folder);
  if (server === undefined) {
    console.log(`${rows}: redis-server does not start here, so these rows are left out`);
    await rm(folder, { recursive: true, force: true });
    return [];
  }
  try {
    // Each contender has streams of its own: a database of the server for each.
    let database = 0;
    return await measured(async () => componentsFolder(folder, server.port, database++), folder);
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function componentsFolder(folder: string, port: number, database: number): Promise<string> {
  const own = path.join(folder, `components-${database}`);
  await mkdir(own);
  const metadata = [
    `{name: redisHost, value: "127.0.0.1:${port}"}`,
    '{name: redisPassword, value: ""}',
    `{name: redisDB, value: "${database}"}`,
  ];
  await writeFile(
    path.join(own, 'pubsub.yaml'),
    `apiVersion: dapr.io/v1alpha1\nkind: Component\nmetadata: {name: pubsub}\nspec:\n  type: pubsub.redis\n  version: v1\n  metadata: [${metadata.join(', ')}]\n`,
  );
  return own;
}

interface RedisServer {
  readonly port: number;
  stop(): Promise<void>;
}

/** Keeps nothing. Undefined: it is not there, or does not answer in time. */
async function startRedis(folder: string): Promise<RedisServer | undefined> {
  const port = await freePort();
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const child = spawn('redis-server', [...args, '--dir', folder], { stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const cut = (): void => void child.kill();
  process.once('exit', cut);
  const stop = async (): Promise<void> => {
    process.off('exit', cut);
    child.kill('SIGTERM');
    await ended;
  };
  const until = performance.now() + READY_MS;
  while (child.exitCode === null && performance.now() < until) {
    if (await listens(port)) return { port, stop };
    await sleep(POLL_INTERVAL_MS);
  }
  await stop();
  return undefined;
}

async function listens(port: number): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port });
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    // Not yet: the caller asks again until its time is over.
    return false;
  } finally {
    socket.destroy();
  }
}
