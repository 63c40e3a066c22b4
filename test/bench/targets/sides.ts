/** Contenders in turn under the same loads, each with an app and a process of its own for the whole run. */
import { startPeer } from '../processes.ts';
import type { Peer } from '../processes.ts';
import { median } from '../stats.ts';
import { startApp } from './contenders.ts';
import type { Contender } from './contenders.ts';
import { flow } from './flow.ts';
import type { Flow } from './flow.ts';

/** Messages before the first round: the code of a program that has just started is not compiled yet. */
export const WARM_UP = 3_000;

/** Starts a contender whose app listens on that port. */
export type Start = (appPort: number) => Promise<Contender>;

export interface Rounds {
  readonly rounds: number;
  readonly seconds: number;
  /** Each of them is a load of its own. */
  readonly publishers: readonly number[];
}

interface Side {
  readonly name: string;
  readonly contender: Contender;
  readonly app: Peer;
}

/** Results of each contender for each load, in order of the rounds. */
export class Measured {
  readonly #flows = new Map<string, Flow[]>();

  add(name: string, publishers: number, one: Flow): void {
    const key = `${name} ${publishers}`;
    const flows = this.#flows.get(key);
    if (flows === undefined) this.#flows.set(key, [one]);
    else flows.push(one);
  }

  flows(name: string, publishers: number): readonly Flow[] {
    return this.#flows.get(`${name} ${publishers}`) ?? [];
  }

  /** Processed by one contender against another one: the median of what each round says; NaN for no rounds. */
  ratio(name: string, other: string, publishers: number): number {
    const others = this.flows(other, publishers);
    return median(
      this.flows(name, publishers).map(
        (one, round) => one.processedPerSecond / (others[round]?.processedPerSecond ?? Number.NaN),
      ),
    );
  }

  /** Text about the results of one contender. */
  said(name: string, publishers: number): string {
    const flows = this.flows(name, publishers);
    const of = (pick: (one: Flow) => number): string => median(flows.map(pick)).toFixed(0);
    return `${of((one) => one.acceptedPerSecond)} accepted/s, ${of((one) => one.processedPerSecond)} processed/s, ${of((one) => one.cpuUs)} us each`;
  }
}

/**
 * Rounds alternate between the contenders.
 * @param starts by the names that their flows have
 */
export async function measureSides(
  starts: Readonly<Record<string, Start>>,
  rounds: Rounds,
): Promise<Measured> {
  const peers: { stop(): Promise<void> }[] = [];
  const keep = <T extends { stop(): Promise<void> }>(peer: T): T => {
    peers.unshift(peer);
    return peer;
  };
  try {
    const load = keep(startPeer('./load-process.ts'));
    const sides: Side[] = [];
    for (const [name, start] of Object.entries(starts)) {
      const app = await startApp();
      keep(app.peer);
      sides.push({ name, contender: keep(await start(app.port)), app: app.peer });
    }
    return await inTurn(sides, load, rounds);
  } finally {
    for (const peer of peers) await peer.stop();
  }
}

async function inTurn(sides: readonly Side[], load: Peer, options: Rounds): Promise<Measured> {
  const { rounds, seconds } = options;
  const measured = new Measured();
  for (const { contender, app } of sides)
    await flow(contender, { app, load }, { publishers: 8, seconds: 60, mostMessages: WARM_UP });
  for (let round = 0; round < rounds; round += 1) {
    for (const publishers of options.publishers) {
      // Every other round the other way round, so that what warms up or fills up favours none.
      for (const { name, contender, app } of round % 2 === 0 ? sides : sides.toReversed())
        measured.add(
          name,
          publishers,
          await flow(contender, { app, load }, { publishers, seconds, untilRest: true }),
        );
    }
  }
  return measured;
}
