/** Publishes over gRPC until an HTTP subscriber has processed them: beside the same over HTTP, another sidecar, and an empty handler. */
import type { Loaded } from '../messages.ts';
import { startPeer } from '../processes.ts';
import type { Peer } from '../processes.ts';
import { median } from '../stats.ts';
import { startApp, startOurs, startReference, TOPIC } from './contenders.ts';
import type { Contender } from './contenders.ts';
import type { Figure } from './figures.ts';
import { flow } from './flow.ts';
import type { TargetOptions } from './rates.ts';

const PUBLISHERS = [1, 64] as const;
type Publishers = (typeof PUBLISHERS)[number];
const AGAINST_REFERENCE: Readonly<Record<Publishers, number>> = { 1: 0.7, 64: 1 };
/** Sidecars that are started by a script serve gRPC so many ports above HTTP. */
const GRPC_ABOVE = 1_000;
const WARM_UP = 3_000;
const DRAIN_MS = 30_000;

interface Side {
  readonly contender: Contender;
  readonly app: Peer;
  readonly load: Peer;
}

/** Messages per second by contender and publishers, one for each round. */
type Rates = Map<string, number[]>;

const keyOf = (name: string, publishers: Publishers): string => `${name} ${publishers}`;

/** Each contender has an app of its own; rounds alternate between them. */
export async function measureGrpc(options: TargetOptions): Promise<readonly Figure[]> {
  const peers: { stop(): Promise<void> }[] = [];
  const keep = <T extends { stop(): Promise<void> }>(peer: T): T => {
    peers.unshift(peer);
    return peer;
  };
  try {
    const load = keep(startPeer('./grpc-load-process.ts'));
    const httpLoad = keep(startPeer('./load-process.ts'));
    const own = await startApp();
    keep(own.peer);
    const ours = keep(await startOurs(own.port, options.entry));
    const { grpc } = ours.product;
    if (grpc === undefined) throw new Error('the ready line names no gRPC address');
    const sides: Side[] = [
      { contender: { ...ours, name: 'grpc', url: `http://${grpc}` }, app: own.peer, load },
      { contender: { ...ours, name: 'http' }, app: own.peer, load: httpLoad },
    ];
    for (const reference of options.references) {
      const app = await startApp();
      keep(app.peer);
      const contender = keep(await startReference(reference, app.port));
      const { hostname, port } = new URL(contender.url);
      const url = `http://${hostname}:${Number(port) + GRPC_ABOVE}`;
      sides.push({ contender: { ...contender, url }, app: app.peer, load });
    }
    const rates = await rounds(sides, options);
    const empty = await emptyHandler(load, options);
    const versions = options.references.map(({ version }) => version);
    return PUBLISHERS.flatMap((publishers) => figuresOf(publishers, rates, empty, versions));
  } finally {
    for (const peer of peers) await peer.stop();
  }
}

async function rounds(sides: readonly Side[], options: TargetOptions): Promise<Rates> {
  const rates: Rates = new Map();
  for (const { contender, app, load } of sides)
    await flow(contender, { app, load }, { publishers: 8, seconds: 60, mostMessages: WARM_UP });
  for (let round = 0; round < options.rounds; round += 1) {
    for (const publishers of PUBLISHERS) {
      // Every other round the other way round, so that what warms up or fills up favours none.
      for (const { contender, app, load } of round % 2 === 0 ? sides : sides.toReversed()) {
        const one = await flow(contender, { app, load }, { publishers, seconds: options.seconds });
        const key = keyOf(contender.name, publishers);
        rates.set(key, [...(rates.get(key) ?? []), one.processedPerSecond]);
      }
    }
  }
  return rates;
}

/** Answers per second of a publish that does nothing, by publishers. */
type Answers = Record<Publishers, number>;

/** Answers a second of the library alone, and with the product's front before it. */
interface Empty {
  readonly library: Answers;
  readonly front: Answers;
}

async function emptyHandler(load: Peer, { seconds }: TargetOptions): Promise<Empty> {
  const server = startPeer('./empty-grpc-process.ts');
  try {
    const ports = await server.first<{ port: number; front: number }>();
    return {
      library: await answersAt(load, ports.port, seconds),
      front: await answersAt(load, ports.front, seconds),
    };
  } finally {
    await server.stop();
  }
}

async function answersAt(load: Peer, port: number, seconds: number): Promise<Answers> {
  const ask = async (publishers: Publishers, mostMessages: number): Promise<number> => {
    const loaded = await load.ask<Loaded>(
      {
        kind: 'load',
        url: `http://127.0.0.1:${port}`,
        paths: [TOPIC],
        publishers,
        seconds,
        mostMessages,
        padding: 165,
        entries: 0,
      },
      seconds * 1_000 + DRAIN_MS,
    );
    return loaded.acceptedByEnd / seconds;
  };
  await ask(64, WARM_UP);
  return { 1: await ask(1, Number.MAX_SAFE_INTEGER), 64: await ask(64, Number.MAX_SAFE_INTEGER) };
}

function figuresOf(
  publishers: Publishers,
  rates: Rates,
  empty: Empty,
  versions: readonly string[],
): readonly Figure[] {
  const of = (name: string): readonly number[] => rates.get(keyOf(name, publishers)) ?? [];
  const ratio = (name: string): number =>
    median(of('grpc').map((rate, round) => rate / (of(name)[round] ?? Number.NaN)));
  const against = (name: string): string =>
    `${median(of('grpc')).toFixed(0)} processed/s against ${median(of(name)).toFixed(0)}`;
  return [
    ...versions.map((version) => ({
      id: `grpc.${publishers}`,
      title: `processed/s over gRPC against ${version}, ${publishers}`,
      value: ratio(version),
      target: { atLeast: AGAINST_REFERENCE[publishers] },
      detail: against(version),
    })),
    {
      id: `grpc.${publishers}`,
      title: `processed/s over gRPC against HTTP, ${publishers}`,
      value: ratio('http'),
      detail: against('http'),
    },
    {
      id: `grpc.${publishers}`,
      title: `answers/s of an empty handler of the library, ${publishers}`,
      value: empty.library[publishers],
      unit: '/s',
    },
    {
      id: `grpc.${publishers}`,
      title: `answers/s of the same behind the front of the gRPC port, ${publishers}`,
      value: empty.front[publishers],
      unit: '/s',
    },
  ];
}
