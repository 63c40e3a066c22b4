/** Messages at a steady rate: bulk publishes, every tenth batch to a topic of the mock app, the rest to one without a subscription. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Product } from '../../e2e/product.ts';

const TAKEN = 'orders';
const ALONE = 'load';
const EVERY = 10;
const BATCH = 100;
const TURN_MS = 20;

/** @throws Error when the publish was refused */
export async function publishBatch(product: Product, from: number, count: number): Promise<void> {
  const entries = Array.from({ length: count }, (_, n) => ({
    entryId: String(n),
    event: { n: from + n, total: (from + n) % 500, customer: `customer-${(from + n) % 97}` },
    contentType: 'application/json',
  }));
  const topic = Math.floor(from / count) % EVERY === 0 ? TAKEN : ALONE;
  const answer = await product.sidecar(`/v1.0-alpha1/publish/bulk/pubsub/${topic}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(entries),
  });
  if (answer.status !== 204)
    throw new Error(`publish: ${answer.status} ${(await answer.text()).slice(0, 300)}`);
}

export interface Load {
  readonly sent: number;
  readonly seconds: number;
}

/** Publishes for so long at the rate, or as fast as it goes when that is slower. */
export async function load(product: Product, rate: number, seconds: number): Promise<Load> {
  const start = performance.now();
  const end = start + seconds * 1000;
  let sent = 0;
  const running = new Set<Promise<void>>();
  while (performance.now() < end) {
    const due = Math.min(rate * seconds, ((performance.now() - start) / 1000) * rate);
    while (sent + BATCH <= due && running.size < 8) {
      const one = publishBatch(product, sent, BATCH);
      running.add(one);
      void one.finally(() => running.delete(one));
      sent += BATCH;
    }
    await sleep(TURN_MS);
  }
  await Promise.all(running);
  return { sent, seconds: (performance.now() - start) / 1000 };
}
