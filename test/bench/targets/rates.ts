/** Targets 1, 3 and 4: contenders in turn under one load, and what ours makes of it beside each of them. */
import { startPeer } from '../processes.ts';
import type { Peer } from '../processes.ts';
import { median } from '../stats.ts';
import { startApp, startForwarder, startOurs, startReference } from './contenders.ts';
import type { Contender, Reference } from './contenders.ts';
import type { Figure } from './figures.ts';
import { flow } from './flow.ts';
import type { Flow } from './flow.ts';

export interface TargetOptions {
  readonly rounds: number;
  readonly seconds: number;
  /** Script of the product. */
  readonly entry: string;
  readonly references: readonly Reference[];
  /** Shorter where the length is no part of the target. */
  readonly isQuick: boolean;
}

const PUBLISHERS = [1, 8, 64] as const;
type Publishers = (typeof PUBLISHERS)[number];
const AGAINST_REFERENCE: Readonly<Record<Publishers, number>> = { 1: 1.5, 8: 2, 64: 3 };
const OF_FORWARDER = 0.6;
const FAIR = 0.95;
const WARM_UP = 3_000;

/** Flows by contender and number of publishers. */
type Measured = Map<string, Map<Publishers, Flow[]>>;

/** Each contender has an app and a process of its own for the whole run; rounds alternate between them. */
export async function measureRates(options: TargetOptions): Promise<readonly Figure[]> {
  const peers: { stop(): Promise<void> }[] = [];
  const keep = <T extends { stop(): Promise<void> }>(peer: T): T => {
    peers.unshift(peer);
    return peer;
  };
  try {
    const load = keep(startPeer('./load-process.ts'));
    const sides: Side[] = [];
    const add = async (start: (appPort: number) => Promise<Contender>): Promise<void> => {
      const app = await startApp();
      keep(app.peer);
      sides.push({ contender: keep(await start(app.port)), app: app.peer });
    };
    await add(startForwarder);
    await add((appPort) => startOurs(appPort, options.entry));
    for (const reference of options.references) await add((appPort) => startReference(reference, appPort));
    return figuresOf(await rounds(sides, load, options), options.references);
  } finally {
    for (const peer of peers) await peer.stop();
  }
}

interface Side {
  readonly contender: Contender;
  readonly app: Peer;
}

async function rounds(sides: readonly Side[], load: Peer, options: TargetOptions): Promise<Measured> {
  const measured: Measured = new Map();
  for (const { contender, app } of sides)
    await flow(contender, { app, load }, { publishers: 8, seconds: 60, mostMessages: WARM_UP });
  for (let round = 0; round < options.rounds; round += 1) {
    for (const publishers of PUBLISHERS) {
      // Every other round the other way round, so that what warms up or fills up favours none.
      for (const { contender, app } of round % 2 === 0 ? sides : sides.toReversed()) {
        const one = await flow(contender, { app, load }, { publishers, seconds: options.seconds });
        const of = measured.get(contender.name) ?? new Map<Publishers, Flow[]>();
        measured.set(contender.name, of);
        of.set(publishers, [...(of.get(publishers) ?? []), one]);
      }
    }
  }
  return measured;
}

function figuresOf(measured: Measured, references: readonly Reference[]): readonly Figure[] {
  const flows = (name: string, publishers: Publishers): readonly Flow[] =>
    measured.get(name)?.get(publishers) ?? [];
  const ratio = (name: string, publishers: Publishers): number =>
    median(
      flows('ours', publishers).map(
        (one, round) =>
          one.processedPerSecond / (flows(name, publishers)[round]?.processedPerSecond ?? Number.NaN),
      ),
    );
  const detail = (name: string, publishers: Publishers): string =>
    `${said(flows('ours', publishers))} against ${said(flows(name, publishers))}`;
  return [
    {
      id: '1',
      title: 'delivered during a flood of what was accepted, 64',
      value: median(flows('ours', 64).map(({ during }) => during)),
      target: { atLeast: FAIR },
      detail: said(flows('ours', 64)),
    },
    {
      id: '3',
      title: 'processed/s in memory against the bare forwarder, 64',
      value: ratio('forwarder', 64),
      target: { atLeast: OF_FORWARDER },
      detail: detail('forwarder', 64),
    },
    ...references.flatMap(({ version }) =>
      PUBLISHERS.map((publishers) => ({
        id: `4.${publishers}`,
        title: `processed/s in memory against ${version}, ${publishers}`,
        value: ratio(version, publishers),
        target: { atLeast: AGAINST_REFERENCE[publishers] },
        detail: detail(version, publishers),
      })),
    ),
  ];
}

function said(flows: readonly Flow[]): string {
  const of = (pick: (one: Flow) => number): string => median(flows.map(pick)).toFixed(0);
  return `${of((one) => one.acceptedPerSecond)} accepted/s, ${of((one) => one.processedPerSecond)} processed/s, ${of((one) => one.cpuUs)} us each`;
}
