/**
 * Starts a real reference sidecar for one configuration: an executable that is called as `PATH VERSION HTTP_PORT APP_PORT RESOURCES flags`.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { endIn, folderOf, lastLines, live, writeResources } from './driver.ts';
import type { Configuration, RedisAddresses } from './suite/configuration.ts';
import { APP_ID, withPolicy } from './suite/files.ts';
import { NAMES } from './suite/names.ts';
import type { Names, ProfileName } from './suite/names.ts';
import type { StartedSidecar } from './suite/run.ts';
import { startTap } from './tap.ts';
import { freeBase } from '../support/reference.ts';

/** How a configuration is had from the reference; `skip`: why it is not. */
export interface ReferenceSetup {
  readonly flags?: readonly string[];
  readonly skip?: string;
}

const NOT_ITS_SETTING = 'the reference has no such setting';
const OTHER_COMPONENT = 'the reference that is compared with has no event-router component';

/** Configurations that need more than a folder, an environment and an app, or that the reference cannot be given. */
export const REFERENCE_SETUPS: Readonly<Record<string, ReferenceSetup>> = {
  tokens: { flags: ['--allowed-origins', 'http://localhost:5173'] },
  'bad-elements': { skip: 'one element that cannot be used loses all subscriptions of the app there' },
  serial: { skip: NOT_ITS_SETTING },
  settings: { skip: NOT_ITS_SETTING },
  'default-policy': { skip: 'the reference has no policy of its own' },
  'two-apps': { skip: 'its in-memory component belongs to one process' },
  'one-at-a-time': { flags: ['--app-max-concurrency', '1'] },
  'app-health': { skip: 'it probes once a second at most' },
  'grpc-limits': { skip: NOT_ITS_SETTING },
  'grpc-off': { skip: 'it always serves gRPC' },
  'grpc-health': { flags: ['--enable-app-health-check', '--app-health-probe-interval', '1'] },
  'redis-away': {
    skip: 'its process ends, or the component stays away, when Redis is not there at the start',
  },
  'event-router': { skip: OTHER_COMPONENT },
  'event-router-not-valid': { skip: OTHER_COMPONENT },
  'unknown-type': { skip: 'its process ends when a component cannot be loaded' },
  duplicate: { skip: 'its process ends when a component name is there twice' },
};

/** The profile whose expectations a release has to meet. */
export function profileOf(version: string): ProfileName {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 1 || minor >= 17 ? 'dapr-1.18' : 'dapr';
}

/** Names of the profile that a release is compared with. */
function namesOf(version: string): Names {
  return NAMES[profileOf(version)];
}

export interface ReferenceStart {
  readonly path: string;
  readonly version: string;
  readonly configuration: Configuration;
  readonly appUrl: string;
  readonly redis?: RedisAddresses;
  /** A tap stands between it and the suite, on both sides. */
  readonly throughTap: boolean;
}

/** Starts it. The caller asks its health route whether it is ready. */
export async function startReference(start: ReferenceStart): Promise<StartedSidecar> {
  const { path, version, configuration, appUrl, redis } = start;
  const facts = {
    names: namesOf(version),
    appUrl,
    ...(redis === undefined ? {} : { redis }),
  };
  const folder = await mkdtemp(join(tmpdir(), 'sidelight-reference-'));
  await writeResources(folder, withPolicy(facts, configuration));
  const port = await freeBase();
  const tap = start.throughTap
    ? await startTap({
        appUrl,
        sidecarPort: port,
        grpcPort: port + 1000,
        env: configuration.env?.(facts) ?? {},
      })
    : undefined;
  const setup = REFERENCE_SETUPS[configuration.id] ?? {};
  const protocol = configuration.grpcApp === true ? ['--app-protocol', 'grpc'] : [];
  const appPort = String(tap?.appPort ?? new URL(appUrl).port);
  const args = [version, String(port), appPort, folder, '--app-id', APP_ID, ...protocol];
  const child = spawn(resolve(path), [...args, ...(setup.flags ?? [])], {
    // Files that a component names are looked for from here.
    cwd: folder,
    env: { ...process.env, ...configuration.env?.(facts) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  live.set(child, folder);
  let hasEnded = false;
  const ended = new Promise<number>((done, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => done(code ?? (signal === null ? 1 : 128)));
  });
  void ended.then(
    () => (hasEnded = true),
    () => (hasEnded = true),
  );
  const log = lastLines(child);
  return {
    url: tap?.url ?? `http://127.0.0.1:${port}`,
    grpc: tap?.grpc ?? `127.0.0.1:${port + 1000}`,
    appId: APP_ID,
    component: 'pubsub',
    files: folderOf(folder),
    running: {
      maxAttempts: configuration.maxAttempts,
      ended,
      ...(child.pid === undefined ? {} : { pid: child.pid }),
    },
    hasEnded: () => hasEnded,
    lastWords: () => [log(), ...(tap === undefined ? [] : ['The tap said:', tap.lastWords()])].join('\n'),
    stop: async () => {
      await endIn(child, ended);
      live.delete(child);
      await tap?.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
