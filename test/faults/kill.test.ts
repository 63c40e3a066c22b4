// kill -9 of the product under load: what was answered 204 is processed or open after the restart, whatever the moment.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { load, startApp, startProduct } from './kill-product.ts';
import type { CountingApp, Running } from './kill-product.ts';

const isLong = process.env['SIDELIGHT_LONG'] === '1';
const ROUNDS = isLong ? 20 : 3;
const PUBLISHERS = 32;
/** A run can be had again with its seed. */
const SEED = Number(process.env['SIDELIGHT_SEED'] ?? 20_260_301);

let folder: string;
let app: CountingApp;
let product: Running | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sidelight-kill-'));
  app = await startApp();
});
afterEach(async () => {
  await product?.kill();
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

interface Row {
  readonly messageId: string;
  readonly deliveries: readonly { readonly deliveryId: string; readonly state: string }[];
}

test(
  `${ROUNDS} times in a row, then everything is delivered`,
  async () => {
    const random = randomFrom(SEED);
    const acknowledged = new Set<string>();
    let made = 0;
    for (let round = 1; round <= ROUNDS; round++) {
      const running = await startProduct(folder, app.url, QUIET);
      product = running;
      // The moment is a number of publishes, so that it hits every stage of what is under way.
      const killAfter = acknowledged.size + 20 + Math.floor(random() * 400);
      let killed: Promise<void> | undefined;
      await load(
        running.sidecar,
        PUBLISHERS,
        () => (killed === undefined ? `e${++made}` : undefined),
        (id) => {
          acknowledged.add(id);
          if (acknowledged.size >= killAfter) killed ??= running.kill();
        },
      );
      await killed;
    }

    product = await startProduct(folder, app.url, QUIET);
    const messages = await everyMessage(product);
    const kept = new Set(messages.map(({ data }) => data));
    expect([...acknowledged].filter((id) => !kept.has(id))).toEqual([]);

    await expect
      .poll(
        async () =>
          (await product?.call('messages.list', { filter: UNFINISHED, limit: 1 })) as { total: number },
        {
          timeout: 60_000,
          interval: 200,
        },
      )
      .toMatchObject({ total: 0 });
    expect([...acknowledged].filter((id) => !app.got.has(id))).toEqual([]);
    const states = new Set((await everyMessage(product)).flatMap(({ states: own }) => own));
    expect([...states]).toEqual(['processed']);
    expect(await product.end()).toBe(0);
    report(
      `${ROUNDS} kills, ${acknowledged.size} publishes acknowledged, 0 lost, ${twice(app)} delivered twice`,
    );
  },
  isLong ? 600_000 : 180_000,
);

const QUIET = ['--log-level', 'error'];
const UNFINISHED = 'state:queued OR state:attempting OR state:retrying OR state:waiting';

/** Each message that is kept, with the id in its data and the states of its deliveries. */
async function everyMessage(
  running: Running,
): Promise<{ readonly data: string; readonly states: readonly string[] }[]> {
  const found: { data: string; states: string[] }[] = [];
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const page = (await running.call('messages.list', {
      limit: 500,
      ...(cursor === undefined ? {} : { cursor }),
    })) as { items: readonly Row[]; nextCursor: string | null };
    for (const { messageId, deliveries } of page.items) {
      const detail = (await running.call('messages.get', { messageId })) as { data: { id: string } };
      found.push({ data: detail.data.id, states: deliveries.map(({ state }) => state) });
    }
    cursor = page.nextCursor;
  }
  return found;
}

function twice({ got }: CountingApp): number {
  return [...got.values()].filter((times) => times > 1).length;
}

function report(text: string): void {
  process.stderr.write(`faults/kill: ${text}\n`);
}

/** Numbers in [0, 1) that follow from a seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
