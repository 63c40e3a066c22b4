/** Three apps of one file that are killed and started again at random while they publish and subscribe. */
import { folderWith } from './plan-of.ts';
import { freePort } from '../../support/free-port.ts';
import { SUBSCRIBER, run, until } from './run-stand.ts';
import type { Run } from './run-stand.ts';

/** Publishes one order after another, and says each that was acknowledged. */
const STEADY = `
const url = process.env.DAPR_HTTP_ENDPOINT + '/v1.0/publish/pubsub/orders';
const life = process.pid;
(async () => {
  for (let i = 0; ; i += 1) {
    const body = JSON.stringify(life + '-' + i);
    const { status } = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    if (status === 204) console.log('acknowledged ' + body);
    await new Promise((go) => setTimeout(go, 10));
  }
})();
`;

interface Row {
  readonly appId: string;
  readonly pid?: number;
  readonly state: string;
  readonly restarts: number;
}

/** Number of ends, or the time in which there are as many as fit; at most `pauseMs` between two of them. */
export type Lasting = ({ readonly ends: number } | { readonly ms: number }) & { readonly pauseMs: number };

export interface Outcome {
  readonly ends: number;
  readonly acknowledged: number;
  readonly restarts: number;
  /** Acknowledged, and never seen by this subscriber: "a 17-3". */
  readonly lost: readonly string[];
  /** Deliveries that are in another state than `processed` when all is quiet. */
  readonly unfinished: Readonly<Record<string, number>>;
  readonly status: number | null;
}

/** Numbers from 0 to 1, the same ones in every run. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  // A linear congruential generator.
  return () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
}

/**
 * Ends an app by force or asks for its restart, again and again; then lets all come to rest.
 * @param random gives numbers from 0 to 1
 * @param onDisk the history is kept on disk
 */
export async function randomEnds(lasting: Lasting, random: () => number, onDisk = false): Promise<Outcome> {
  const [first, second] = [await freePort(), await freePort()];
  const folder = folderWith({
    'dapr.yaml': `version: 1
common: {resourcesPath: ./components}
apps:
  - {appDirPath: a, appPort: ${first}, command: [node, a.js], restart: on-failure}
  - {appDirPath: b, appPort: ${second}, command: [node, ../a/a.js], restart: on-failure}
  - {appDirPath: c, command: [node, c.js], restart: on-failure, dependsOn: [a, b]}
`,
    'components/pubsub.yaml': `apiVersion: dapr.io/v1alpha1
kind: Component
metadata: {name: pubsub}
spec: {type: pubsub.in-memory, version: v1, metadata: []}
`,
    'a/a.js': SUBSCRIBER,
    'b/': '',
    'c/c.js': STEADY,
    'data/': '',
  });
  const one = onDisk ? run(folder, [], {}, ['--data-dir', `${folder}/data`]) : run(folder);
  await until(() => said(one, 'c', 'acknowledged').length > 0);
  const begun = performance.now();
  const isOver = (): boolean =>
    'ends' in lasting ? ends >= lasting.ends : performance.now() - begun >= lasting.ms;
  let ends = 0;
  for (; !isOver(); ends += 1) await disturb(one, random, lasting.pauseMs);
  await one.call('processes.stop', { appId: 'c' });
  await until(async () =>
    (await rows(one)).every(({ appId, state }) => appId === 'c' || state === 'running'),
  );
  let unfinished: Readonly<Record<string, number>> = {};
  await until(async () => {
    const { counts } = (await one.call('metrics.get')) as { counts: Record<string, number> };
    unfinished = Object.fromEntries(
      Object.entries(counts).filter(([state, n]) => state !== 'processed' && n > 0),
    );
    return Object.keys(unfinished).length === 0;
  }, REST_MS);
  const restarts = (await rows(one)).reduce((sum, row) => sum + row.restarts, 0);
  const acknowledged = said(one, 'c', 'acknowledged');
  one.signal('SIGTERM');
  const status = await one.over;
  const lost = ['a', 'b'].flatMap((appId) => {
    const got = new Set(said(one, appId, 'got'));
    return acknowledged.filter((order) => !got.has(order)).map((order) => `${appId} ${order}`);
  });
  return { ends, acknowledged: acknowledged.length, restarts, lost, unfinished, status };
}

/** An app that failed often starts again after half a minute at the latest. */
const REST_MS = 90_000;

/** One app that runs is killed or restarted; one that waits to start again is started. */
async function disturb(one: Run, random: () => number, pauseMs: number): Promise<void> {
  const all = await rows(one);
  const row = all[Math.floor(random() * all.length)];
  if (row === undefined) return;
  if (row.pid === undefined) await one.call('processes.start', { appId: row.appId });
  else if (random() < 0.5) killed(row.pid);
  else await one.call('processes.restart', { appId: row.appId });
  await new Promise((go) => setTimeout(go, random() * pauseMs));
}

/** A process that has ended since the request counts as ended. */
function killed(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'ESRCH') throw error;
  }
}

async function rows(one: Run): Promise<readonly Row[]> {
  const { items } = (await one.call('processes.list')) as { items: readonly Row[] };
  return items;
}

/** Lines of an app after this word. */
function said(one: Run, appId: string, word: string): readonly string[] {
  const begin = `== APP - ${appId} == ${word} `;
  return one.out.filter((line) => line.startsWith(begin)).map((line) => line.slice(begin.length));
}
