/** kill -9 of the product under load, again and again: what was answered 204 is processed or open after each start, whatever the moment. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'vitest';

import { tell } from './app-faults.ts';
import type { Figures } from './app-faults.ts';
import { load, startApp, startProduct } from './kill-product.ts';
import type { CountingApp, Running } from './kill-product.ts';

const PUBLISHERS = 32;
/** Seed of the run, with which it can be repeated. */
const SEED = Number(process.env['SIDELIGHT_SEED'] ?? 20_260_301);
const QUIET = ['--log-level', 'error'];
/** More than a broker needs to give to another consumer what a killed product had read. */
const TAKEN_OVER_MS = 120_000;
const UNFINISHED = 'state:queued OR state:attempting OR state:retrying OR state:waiting';

interface Row {
  readonly number: number;
  readonly deliveries: readonly { readonly state: string }[];
}

/**
 * Kills it so often, then starts it once more and looks at every message. Asserts on the way; its figures stand in the output.
 * @param flags of every start
 */
export async function killRounds(rounds: number, flags: readonly string[] = []): Promise<Figures> {
  const folder = await mkdtemp(join(tmpdir(), 'sidelight-kill-'));
  const app = await startApp();
  let product: Running | undefined;
  try {
    const random = randomFrom(SEED);
    const acknowledged = new Set<string>();
    let made = 0;
    for (let round = 1; round <= rounds; round++) {
      const running = await startProduct(folder, app.url, [...QUIET, ...flags]);
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

    const last = await startProduct(folder, app.url, [...QUIET, ...flags]);
    product = last;
    const kept = await idsOf(last, await everyMessage(last));
    expect([...acknowledged].filter((id) => !kept.has(id))).toEqual([]);
    await expect
      .poll(async () => last.call('messages.list', { filter: UNFINISHED, limit: 1 }), {
        timeout: 600_000,
        interval: 200,
      })
      .toMatchObject({ total: 0 });
    const absent = (): readonly string[] => [...acknowledged].filter((id) => !app.got.has(id));
    // A message that a killed product had read from its broker has no delivery before it is read again, so no state tells that it waits.
    await expect.poll(absent, { timeout: TAKEN_OVER_MS, interval: 200 }).toEqual([]);
    const figures = tell('kill -9 under load', {
      tried: acknowledged.size,
      survived: (await fetch(`${last.sidecar}/v1.0/healthz`)).status === 204,
      lost: absent().length,
      rounds,
      twice: twice(app),
    });
    const states = (await everyMessage(last)).flatMap(({ deliveries }) =>
      deliveries.map(({ state }) => state),
    );
    expect([...new Set(states)]).toEqual(['processed']);
    expect(await last.end()).toBe(0);
    return figures;
  } finally {
    await product?.kill();
    await app.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The rows of a page at most, and the messages whose ids are asked for at once. */
const PAGE = 500;

/** The row of each message that is kept. */
async function everyMessage(running: Running): Promise<readonly Row[]> {
  const found: Row[] = [];
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const page = (await running.call('messages.list', {
      limit: PAGE,
      ...(cursor === undefined ? {} : { cursor }),
    })) as { items: readonly Row[]; nextCursor: string | null };
    found.push(...page.items);
    cursor = page.nextCursor;
  }
  return found;
}

/** The ids in the data of these messages. */
async function idsOf(running: Running, rows: readonly Row[]): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for (let from = 0; from < rows.length; from += PAGE) {
    const numbers = rows.slice(from, from + PAGE).map(({ number }) => number);
    const { items } = (await running.call('messages.values', { numbers, paths: ['data.id'] })) as {
      items: readonly { readonly values: readonly (string | null)[] }[];
    };
    for (const { values } of items) if (typeof values[0] === 'string') ids.add(values[0]);
  }
  return ids;
}

function twice({ got }: CountingApp): number {
  return [...got.values()].filter((times) => times > 1).length;
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
