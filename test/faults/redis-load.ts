/** Publishes through a runtime on a real server while that is killed and started again, and counts what became of it. */
import { setTimeout } from 'node:timers/promises';
import { dataOf } from '../support/broker-instance.ts';
import type { Instance } from '../support/broker-instance.ts';
import { newTopic } from '../support/broker-parts.ts';
import { tell } from './app-faults.ts';

const PUBLISHERS = 16;

export interface Load {
  readonly kills: number;
  /** Acknowledged publishes for each kill. */
  readonly each: number;
}

/** A server under the runtime. */
export interface LoadBroker {
  readonly name: string;
  start(topic: string): Promise<Instance>;
  /** Killed and started again on its port and data. */
  restart(): Promise<void>;
  /** Resolves when nothing of the topic is unacknowledged for the group `app`. */
  settled(topic: string): Promise<void>;
}

export interface LoadResult {
  readonly tried: number;
  readonly acknowledged: number;
  readonly refused: number;
  /** Why, without repetitions. */
  readonly reasons: readonly string[];
  readonly calls: number;
}

/** Resolves when all that was acknowledged was delivered, and the server knows. Its figures stand in the output. */
export async function underLoad(broker: LoadBroker, { kills, each }: Load): Promise<LoadResult> {
  const topic = newTopic();
  const instance = await broker.start(topic);
  try {
    const acknowledged = new Set<number>();
    const reasons = new Set<string>();
    let [tried, refused] = [0, 0];
    for (let round = 1; round <= kills; round += 1) {
      const end = round * each;
      let restarted: Promise<void> | undefined;
      const publisher = async (): Promise<void> => {
        while (acknowledged.size < end) {
          const n = tried++;
          try {
            await instance.publish({ n });
            acknowledged.add(n);
            if (acknowledged.size >= end - each / 2) restarted ??= broker.restart();
          } catch (error) {
            refused += 1;
            reasons.add(String(error).replace(/: [^:]*$/, ''));
            // A publisher that was refused comes again a little later.
            await setTimeout(5);
          }
        }
      };
      await Promise.all(Array.from({ length: PUBLISHERS }, publisher));
      await restarted;
    }
    const app = instance.app();
    const lost = (): number => {
      const seen = new Set(dataOf(app).map((data) => JSON.stringify(data)));
      return [...acknowledged].filter((n) => !seen.has(JSON.stringify({ n }))).length;
    };
    await instance.when(() => app.calls.length >= acknowledged.size && lost() === 0);
    await broker.settled(topic);
    const figures = { tried, acknowledged: acknowledged.size, refused, calls: app.calls.length };
    tell(`${broker.name} killed under load`, {
      tried: acknowledged.size,
      survived: instance.runtime.health.of().outbound.status === 204,
      lost: lost(),
      kills,
      refused,
      calls: app.calls.length,
    });
    return { ...figures, reasons: [...reasons] };
  } finally {
    await instance.stop();
  }
}
