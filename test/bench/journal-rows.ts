/** Rows of the journal's bench: on disk against in memory, growth over a million messages, Redis against a bare loop. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RedisServer } from '../support/redis-server.ts';
import { collectGarbage, inspectorFlags } from './inspected.ts';
import { rss } from './journal-history.ts';
import { round, startServing, startStand } from './journal-load.ts';
import type { LoadRound } from './journal-load.ts';
import { median, quantile } from './stats.ts';

export interface DurableReport {
  readonly memory: readonly LoadRound[];
  readonly full: readonly LoadRound[];
  readonly normal: readonly LoadRound[];
  /** Median of the rounds' ratios to memory. */
  readonly fullRatio: number;
  readonly normalRatio: number;
}

const PUBLISHERS = 64;

/** 64 publishers, the same load in turn on a product without a disk, with `journal.sync` full and with normal. */
export async function measureDurable(entry: string, rounds: number, seconds: number): Promise<DurableReport> {
  const folder = await mkdtemp(join(tmpdir(), 'sidelight-bench-'));
  const stand = await startStand();
  const kinds = {
    memory: await startServing(stand, entry, ['--ephemeral']),
    full: await startServing(stand, entry, ['--data-dir', join(folder, 'full')]),
    normal: await startServing(stand, entry, [
      '--data-dir',
      join(folder, 'normal'),
      '--set',
      'journal.sync=normal',
    ]),
  };
  const names = ['memory', 'full', 'normal'] as const;
  const made: Record<(typeof names)[number], LoadRound[]> = { memory: [], full: [], normal: [] };
  try {
    const load = { publishers: PUBLISHERS, entries: 0, mostMessages: 50_000 };
    for (const name of names) await round(stand, kinds[name], { ...load, seconds: 1 });
    for (let n = 0; n < rounds; n++) {
      // Every other round the other way round, so that what warms up or fills up favours none.
      for (const name of n % 2 === 0 ? names : names.toReversed())
        made[name].push(await round(stand, kinds[name], { ...load, seconds }));
    }
    const ratio = (name: 'full' | 'normal'): number =>
      median(made[name].map(({ perSecond }, n) => perSecond / (made.memory[n]?.perSecond ?? Number.NaN)));
    return { ...made, fullRatio: ratio('full'), normalRatio: ratio('normal') };
  } finally {
    for (const name of names) await kinds[name].stop();
    await stand.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

export interface GrowthReport {
  readonly messages: number;
  readonly seconds: number;
  /** Resident memory in MB after so many messages, and after a collection of garbage. */
  readonly points: readonly { readonly messages: number; readonly rssMb: number }[];
  readonly grownMb: number;
}

/**
 * Memory of a product that takes, delivers and keeps so many messages, published in bulk.
 * @param tell of each point, since all of them take minutes
 */
export async function measureGrowth(
  entry: string,
  messages: number,
  tell: (point: GrowthReport['points'][number]) => void,
): Promise<GrowthReport> {
  const folder = await mkdtemp(join(tmpdir(), 'sidelight-bench-'));
  const stand = await startStand();
  const keep = ['storage.maxMessages=1000000', 'storage.maxBytes=1099511627776'].flatMap((each) => [
    '--set',
    each,
  ]);
  const inspector = await inspectorFlags();
  const product = await startServing(stand, entry, ['--data-dir', folder, ...keep], inspector.flags);
  const from = performance.now();
  const points: { messages: number; rssMb: number }[] = [];
  try {
    const step = Math.max(10_000, Math.floor(messages / 10));
    let done = 0;
    while (done < messages) {
      const first = done === 0 ? Math.min(step, 20_000) : Math.min(step, messages - done);
      const { messages: made } = await round(stand, product, {
        publishers: 4,
        entries: 100,
        seconds: 600,
        mostMessages: first,
      });
      done += made;
      await collectGarbage(inspector.port);
      const point = { messages: done, rssMb: await rss(product.pid) };
      points.push(point);
      tell(point);
    }
    const [start] = points;
    return {
      messages: done,
      seconds: (performance.now() - from) / 1000,
      points,
      grownMb: (points.at(-1)?.rssMb ?? Number.NaN) - (start?.rssMb ?? Number.NaN),
    };
  } finally {
    await product.stop();
    await stand.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

export interface RedisReport {
  /** A bare client: XADD, XREADGROUP, XACK, one after the other and 64 at a time. */
  readonly bare: { readonly perSecond: number; readonly p50: number; readonly p99: number };
  readonly product: LoadRound;
  readonly ratio: number;
}

const BARE_BODY = JSON.stringify({
  specversion: '1.0',
  type: 'x',
  source: 's',
  id: '1',
  data: 'x'.repeat(230),
});

/** Measures one server in one run: a loop of the bare client, and publish to delivery through the product. */
export async function measureRedis(entry: string, seconds: number): Promise<RedisReport> {
  const server = await RedisServer.start();
  const folder = await mkdtemp(join(tmpdir(), 'sidelight-bench-'));
  const stand = await startStand('stream');
  try {
    const bare = await bareLoop(server, seconds);
    await mkdir(join(folder, 'resources'));
    const component = {
      apiVersion: 'sidecar.io/v1alpha1',
      kind: 'Component',
      metadata: { name: 'stream' },
      spec: { type: 'pubsub.redis', version: 'v1', metadata: [{ name: 'redisHost', value: server.host }] },
    };
    await writeFile(join(folder, 'resources', 'stream.yaml'), JSON.stringify(component));
    const flags = ['--resources', join(folder, 'resources'), '--data-dir', join(folder, 'data')];
    const product = await startServing(stand, entry, flags);
    try {
      const load = { publishers: PUBLISHERS, entries: 0, mostMessages: 50_000, pubsubname: 'stream' };
      await round(stand, product, { ...load, seconds: 1 });
      const made = await round(stand, product, { ...load, seconds });
      return { bare, product: made, ratio: made.perSecond / bare.perSecond };
    } finally {
      await product.stop();
    }
  } finally {
    await stand.stop();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function bareLoop(server: RedisServer, seconds: number): Promise<RedisReport['bare']> {
  const [writer, reader] = [server.client(), server.client()];
  await writer.xgroup('CREATE', 'bare', 'g', '$', 'MKSTREAM');
  const until = performance.now() + seconds * 1000;
  const waits: number[] = [];
  const waiting = new Map<string, () => void>();
  /** Read before their writer had its answer. */
  const early = new Set<string>();
  let isOver = false;
  const reading = (async () => {
    while (!isOver) {
      const found: unknown = await reader.xreadgroup(
        'GROUP',
        'g',
        'c',
        'COUNT',
        64,
        'BLOCK',
        100,
        'STREAMS',
        'bare',
        '>',
      );
      const entries = entriesOf(found);
      if (entries.length === 0) continue;
      await writer.xack('bare', 'g', ...entries);
      for (const id of entries) (waiting.get(id) ?? (() => void early.add(id)))();
    }
  })();
  const publisher = async (): Promise<void> => {
    while (performance.now() < until) {
      const from = performance.now();
      const id = await writer.xadd('bare', '*', 'data', BARE_BODY);
      if (id === null) throw new Error('the server gave no id');
      if (!early.delete(id)) await new Promise<void>((resolve) => waiting.set(id, resolve));
      waiting.delete(id);
      waits.push(performance.now() - from);
    }
  };
  const from = performance.now();
  await Promise.all(Array.from({ length: PUBLISHERS }, publisher));
  const took = (performance.now() - from) / 1000;
  isOver = true;
  await reading;
  writer.disconnect();
  reader.disconnect();
  const sorted = Float64Array.from(waits).sort();
  return { perSecond: waits.length / took, p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) };
}

/** Ids in an answer of XREADGROUP: `[[stream, [[id, fields], …]]]`. */
function entriesOf(found: unknown): string[] {
  const [stream] = Array.isArray(found) ? (found as unknown[]) : [];
  const entries: unknown = Array.isArray(stream) ? stream[1] : undefined;
  if (!Array.isArray(entries)) return [];
  return entries.flatMap((entry: unknown) =>
    Array.isArray(entry) && typeof entry[0] === 'string' ? [entry[0]] : [],
  );
}
