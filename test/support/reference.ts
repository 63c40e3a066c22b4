/**
 * The sidecar behind a tap, if there is one: SIDELIGHT_REFERENCE names an executable that is called as `PATH VERSION HTTP_PORT APP_PORT
 * [RESOURCES]`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout } from 'node:timers/promises';

const PATH = process.env['SIDELIGHT_REFERENCE'];
const READY_MS = 60_000;
const POLL_INTERVAL_MS = 50;

/** Why tests with the real sidecar cannot run here; undefined: they can. */
export const WHY_NO_REFERENCE =
  PATH === undefined ? 'SIDELIGHT_REFERENCE does not name a real sidecar' : undefined;

export interface RealSidecar {
  readonly url: string;
  readonly port: number;
  stop(): Promise<void>;
}

export interface RealSidecarStart {
  readonly version: string;
  /** From `freeBase`. */
  readonly port: number;
  readonly appPort: number;
  /** Folder of its components; absent: one in memory, named pubsub. */
  readonly resources?: string;
  /** Further flags of its own. */
  readonly flags?: readonly string[];
}

/** Starts it and waits until it answers. */
export async function startRealSidecar(start: RealSidecarStart): Promise<RealSidecar> {
  const { version, port, appPort, resources, flags = [] } = start;
  if (PATH === undefined) throw new Error(WHY_NO_REFERENCE);
  const more = [...(resources === undefined ? [] : [resources]), ...flags];
  const child = spawn(PATH, [version, String(port), String(appPort), ...more], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  const url = `http://127.0.0.1:${port}`;
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  const until = Date.now() + READY_MS;
  while (!(await answers(url))) {
    if (child.exitCode !== null || Date.now() > until) {
      await stop();
      throw new Error(`the sidecar ${version} did not come up`);
    }
    await setTimeout(POLL_INTERVAL_MS);
  }
  return { url, port, stop };
}

async function answers(url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/v1.0/metadata`);
    await answer.text();
    return answer.ok;
  } catch (error) {
    // No program listens yet.
    if (error instanceof TypeError) return false;
    throw error;
  }
}

/** A port that is free together with the three that such a sidecar derives from it. */
export async function freeBase(): Promise<number> {
  for (;;) {
    const base = 20_000 + Math.floor(Math.random() * 9_000);
    const free = await Promise.all([0, 1_000, 2_000, 3_000].map(async (more) => isFree(base + more)));
    if (free.every(Boolean)) return base;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((done) => {
    server.once('error', () => done(false));
    server.listen(port, '127.0.0.1', () => server.close(() => done(true)));
  });
}
