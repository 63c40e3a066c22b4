/** The app that goes and comes, and the product that is asked to end, both under load. */
import { vi } from 'vitest';
import { FAULT_NAMES, tell, topicOf } from './app-faults.ts';
import type { Figures, FaultStand } from './app-faults.ts';
import { startFaultyApp } from './faulty-app.ts';
import { load } from './kill-product.ts';

interface Rounds {
  readonly rounds: number;
  /** Publishes of a round. */
  readonly each: number;
}

/** Everything of the app is cut in the middle of each round; a moment later it listens again on the same port. */
export async function killedAndStarted(stand: FaultStand, { rounds, each }: Rounds): Promise<Figures> {
  const topics = ['orders', ...FAULT_NAMES.map(topicOf)];
  const before = await stand.count('topic:orders state:processed');
  let tried = 0;
  for (let round = 1; round <= rounds; round += 1) {
    let killed: Promise<void> | undefined;
    let [made, gone] = [0, false];
    await load(
      stand.running.sidecar,
      16,
      () => (made < each ? `killed-${round}-${++made}` : undefined),
      () => {
        tried += 1;
        if (made > each / 2 && !gone) {
          gone = true;
          killed = stand.app.close();
        }
      },
      'orders',
    );
    await killed;
    stand.app = await startFaultyApp(topics, () => undefined, stand.app.port);
    await stand.ended('orders');
  }
  const processed = (await stand.count('topic:orders state:processed')) - before;
  return tell('an app killed under load', {
    tried,
    survived: await stand.isAlive(),
    lost: tried - processed,
    rounds,
  });
}

/** Each round ends the product with SIGTERM while publishers are at work, and starts it again. */
export async function sigterm(stand: FaultStand, { rounds, each }: Rounds): Promise<Figures> {
  const acknowledged: string[] = [];
  const statuses: (number | null)[] = [];
  let made = 0;
  for (let round = 1; round <= rounds; round += 1) {
    let ended: Promise<number | null> | undefined;
    const until = acknowledged.length + each;
    await load(
      stand.running.sidecar,
      16,
      () => (ended === undefined ? `term-${++made}` : undefined),
      (id) => {
        acknowledged.push(id);
        if (acknowledged.length >= until) ended ??= stand.end();
      },
      'orders',
    );
    statuses.push((await ended) ?? null);
    await stand.restart();
  }
  await stand.ended('orders');
  // A start delivers with the subscriptions of before, and is healthy once the app was asked again.
  await vi.waitUntil(() => stand.isAlive(), { timeout: 60_000 });
  return tell('SIGTERM under load', {
    tried: acknowledged.length,
    survived: statuses.every((status) => status === 0) && (await stand.isAlive()),
    lost: acknowledged.filter((id) => !stand.app.calls.has(`orders ${id}`)).length,
    statuses,
  });
}
