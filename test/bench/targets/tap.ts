/** Target 13: what a tap costs a sidecar that is not ours, against the same one without it. */
import { startPeer, startTap } from '../processes.ts';
import { median } from '../stats.ts';
import { portWithOthers, startApp, startReference } from './contenders.ts';
import type { Contender, Reference } from './contenders.ts';
import type { Figure } from './figures.ts';
import { flow } from './flow.ts';
import type { TargetOptions } from './rates.ts';
import { withRedis } from './redis.ts';
import type { RedisComponents } from './redis.ts';
import { measureSides } from './sides.ts';

const PACED = { publishers: 1, rate: 200 } as const;
const MOST_ADDED_MS = 0.5;
const RATIO = 0.5;
const REDIS_RATIO = 0.8;
const PUBLISHERS = [1, 64] as const;

/** Rows 13, for each sidecar that is given; none without one. */
export async function measureTap(options: TargetOptions): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const reference of options.references) {
    figures.push(await added(reference, options), ...(await ratios(reference, options)));
    const redis = await withRedis('13.r', async (components) => ratios(reference, options, components));
    figures.push(...redis);
  }
  return figures;
}

/** The sidecar with a tap in front of its app and of itself. */
async function startTapped(
  reference: Reference,
  appPort: number,
  entry: string,
  resources?: string,
): Promise<Contender> {
  const port = await portWithOthers();
  const tap = await startTap(`http://127.0.0.1:${appPort}`, `http://127.0.0.1:${port}`, entry);
  try {
    const real = await startReference(reference, tap.appPort, resources, port);
    const stop = async (): Promise<void> => {
      await real.stop();
      await tap.stop();
    };
    return { name: 'tapped', url: tap.sidecar, pid: tap.pid, stop };
  } catch (error) {
    await tap.stop();
    throw error;
  }
}

/** How much older messages are when the app has them. */
async function added(reference: Reference, { entry, rounds, seconds }: TargetOptions): Promise<Figure> {
  const starts = {
    direct: (port: number) => startReference(reference, port),
    tapped: (port: number) => startTapped(reference, port, entry),
  };
  const p50: Record<keyof typeof starts, number> = { direct: Number.NaN, tapped: Number.NaN };
  for (const name of ['direct', 'tapped'] as const) {
    const { peer: app, port } = await startApp();
    const load = startPeer('./load-process.ts');
    const contender = await starts[name](port);
    try {
      const paced: number[] = [];
      // The first one warms up.
      for (let round = 0; round <= rounds; round += 1)
        paced.push((await flow(contender, { app, load }, { ...PACED, seconds })).p50);
      p50[name] = median(paced.slice(1));
    } finally {
      await contender.stop();
      await load.stop();
      await app.stop();
    }
  }
  return {
    id: '13.added',
    title: `added by a tap, publish to app, p50 at ${PACED.rate}/s, ${reference.version}`,
    value: p50.tapped - p50.direct,
    target: { atMost: MOST_ADDED_MS },
    unit: 'ms',
    detail: `${p50.tapped.toFixed(2)} ms against ${p50.direct.toFixed(2)} ms`,
  };
}

/** Processed through a tap against without one. @param components of Redis; without them: in memory */
async function ratios(
  reference: Reference,
  options: TargetOptions,
  components?: RedisComponents,
): Promise<readonly Figure[]> {
  const measured = await measureSides(
    {
      direct: async (port) => startReference(reference, port, await components?.()),
      tapped: async (port) => startTapped(reference, port, options.entry, await components?.()),
    },
    { ...options, publishers: PUBLISHERS },
  );
  const [mark, where, atLeast] =
    components === undefined ? ['', 'in memory', RATIO] : ['r', 'with Redis', REDIS_RATIO];
  return PUBLISHERS.map((publishers) => ({
    id: `13.${mark}${publishers}`,
    title: `processed/s through a tap against without, ${where}, ${reference.version}, ${publishers}`,
    value: measured.ratio('tapped', 'direct', publishers),
    target: { atLeast },
    detail: `${measured.said('tapped', publishers)} against ${measured.said('direct', publishers)}`,
  }));
}
