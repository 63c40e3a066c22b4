/** Rows of the journal's bench that no load of the machine changes: syncs and page writes for each message, as the journal counts them. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProduct } from '../faults/kill-product.ts';
import { round, startStand } from './journal-load.ts';

export interface WritesRow {
  readonly level: 'full' | 'normal';
  readonly publishers: number;
  readonly messages: number;
  /** For each message. */
  readonly groups: number;
  readonly syncs: number;
  readonly pageWrites: number;
}

const LINE = /Groups of records written: (\d+); syncs of the disk: (\d+); page writes: (\d+)\./;

/** A product of its own for each row: what it wrote at its start and end is in the figures. */
export async function measureWrites(seconds: number): Promise<readonly WritesRow[]> {
  const rows: WritesRow[] = [];
  for (const level of ['full', 'normal'] as const)
    for (const publishers of [1, 8, 64]) rows.push(await measureWritesOf(level, publishers, seconds));
  return rows;
}

/** One row: a product of its own, until it has closed its journal. */
export async function measureWritesOf(
  level: WritesRow['level'],
  publishers: number,
  seconds: number,
): Promise<WritesRow> {
  const folder = await mkdtemp(join(tmpdir(), 'sidelight-bench-'));
  const stand = await startStand();
  try {
    const product = await startProduct(join(folder, 'data'), stand.appUrl, [
      '--set',
      `journal.sync=${level}`,
      // The counts are a line for whoever looks for the load of the disk.
      '--log-level',
      'debug',
    ]);
    let messages: number;
    try {
      const load = { publishers, entries: 0, mostMessages: 50_000, seconds };
      ({ messages } = await round(stand, product, load));
    } finally {
      await product.end();
    }
    const counts = product.lines.map((line) => LINE.exec(line)).find((found) => found !== null);
    if (counts === undefined) throw new Error('the journal did not say what it wrote');
    const [groups = 0, syncs = 0, pageWrites = 0] = counts.slice(1).map((count) => Number(count) / messages);
    return { level, publishers, messages, groups, syncs, pageWrites };
  } finally {
    await stand.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
