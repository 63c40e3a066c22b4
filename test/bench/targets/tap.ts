/**
 * Target 13: what a tap costs a sidecar that is not ours, against the same one without it, beside what bare connections cost in its place.
 */
import { startPeer, startPipe, startTap } from '../processes.ts';
import type { TapProcess } from '../processes.ts';
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
const MAX_ADDED_MS = 0.5;
const RATIO = 0.5;
const REDIS_RATIO = 0.8;
const PUBLISHERS = [1, 64] as const;

/** Rows 13, for each sidecar that is given; none without one. */
export async function measureTap(options: TargetOptions): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const reference of options.references) {
    figures.push(...(await added(reference, options)), ...(await ratios(reference, options)));
    const redis = await withRedis('13.r', async (components) => ratios(reference, options, components));
    figures.push(...redis);
  }
  return figures;
}

/** Starts what stands between an app and its sidecar, by their ports. */
type StartBetween = (appPort: number, sidecarPort: number) => Promise<TapProcess>;

function tapOf(entry: string): StartBetween {
  return (appPort, sidecarPort) =>
    startTap(`http://127.0.0.1:${appPort}`, `http://127.0.0.1:${sidecarPort}`, entry);
}

/** The sidecar with something in front of its app and of itself. */
async function startBehind(
  start: StartBetween,
  reference: Reference,
  appPort: number,
  resources?: string,
): Promise<Contender> {
  const port = await portWithOthers();
  const tap = await start(appPort, port);
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
async function added(reference: Reference, options: TargetOptions): Promise<readonly Figure[]> {
  const { entry, rounds, seconds } = options;
  const starts = {
    direct: (port: number) => startReference(reference, port),
    piped: (port: number) => startBehind(startPipe, reference, port),
    tapped: (port: number) => startBehind(tapOf(entry), reference, port),
  };
  const p50 = { direct: Number.NaN, piped: Number.NaN, tapped: Number.NaN };
  for (const name of ['direct', 'piped', 'tapped'] as const) {
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
  const figure = (name: 'tapped' | 'piped') => ({
    value: p50[name] - p50.direct,
    unit: 'ms',
    detail: `${p50[name].toFixed(2)} ms against ${p50.direct.toFixed(2)} ms`,
  });
  const said = `publish to app, p50 at ${PACED.rate}/s, ${reference.version}`;
  return [
    {
      id: '13.added',
      title: `added by a tap, ${said}`,
      target: { atMost: MAX_ADDED_MS },
      ...figure('tapped'),
    },
    { id: '13.bare', title: `added by bare connections, ${said}`, ...figure('piped') },
  ];
}

/**
 * Processed through a tap against without one.
 * @param components of Redis; without them: in memory
 */
async function ratios(
  reference: Reference,
  options: TargetOptions,
  components?: RedisComponents,
): Promise<readonly Figure[]> {
  const measured = await measureSides(
    {
      direct: async (port) => startReference(reference, port, await components?.()),
      piped: async (port) => startBehind(startPipe, reference, port, await components?.()),
      tapped: async (port) => startBehind(tapOf(options.entry), reference, port, await components?.()),
    },
    { ...options, publishers: PUBLISHERS },
  );
  const [mark, where, atLeast] =
    components === undefined ? ['', 'in memory', RATIO] : ['r', 'with Redis', REDIS_RATIO];
  return PUBLISHERS.flatMap((publishers) => {
    const figure = (name: 'tapped' | 'piped') => ({
      value: measured.ratio(name, 'direct', publishers),
      detail: `${measured.said(name, publishers)} against ${measured.said('direct', publishers)}`,
    });
    const said = `against without, ${where}, ${reference.version}, ${publishers}`;
    return [
      {
        id: `13.${mark}${publishers}`,
        title: `processed/s through a tap ${said}`,
        target: { atLeast },
        ...figure('tapped'),
      },
      {
        id: `13.${mark}${publishers}.bare`,
        title: `processed/s through bare connections ${said}`,
        ...figure('piped'),
      },
    ];
  });
}
