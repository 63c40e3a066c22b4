/** Cells of the table that an app's lines prove: one for each thing that a sidecar does for it. */
import type { Said } from './app.ts';

export const CELLS = ['publish', 'bulk', 'delivered', 'retried', 'dropped', 'dead letter'] as const;
export type CellName = (typeof CELLS)[number];

/** `ok`, `not offered` by the SDK, or what was seen instead. */
export type Cell = string;

export const OK: Cell = 'ok';
export const NOT_OFFERED: Cell = 'not offered';

/** Times that each number is delivered on `orders`: 2 is asked for again once, 4 until its two retries are used up. */
const TIMES: Readonly<Record<CellName, Readonly<Record<number, number>>>> = {
  publish: {},
  bulk: {},
  delivered: { 1: 1 },
  retried: { 2: 2, 4: 3 },
  dropped: { 3: 1 },
  'dead letter': {},
};
const BULK = [5, 6];
const DEAD = [3, 4];

export function cellsOf(said: readonly Said[]): Readonly<Record<CellName, Cell>> {
  const cells = Object.fromEntries(CELLS.map((name) => [name, cellOf(name, said)]));
  return cells as Record<CellName, Cell>;
}

/** True when nothing more is to come. */
export function isComplete(said: readonly Said[]): boolean {
  return Object.values(cellsOf(said)).every((cell) => cell === OK || cell === NOT_OFFERED);
}

function cellOf(name: CellName, said: readonly Said[]): Cell {
  if (said.some(({ absent }) => absent === name)) return NOT_OFFERED;
  switch (name) {
    case 'publish':
      return published(said);
    case 'bulk':
      return bulk(said);
    case 'dead letter':
      return seen(DEAD.map((n) => [`${n} on the dead-letter topic`, times(said, 'dead', n), 1] as const));
    default:
      return seen(
        Object.entries(TIMES[name]).map(
          ([n, wanted]) => [`${n}`, times(said, 'orders', Number(n)), wanted] as const,
        ),
      );
  }
}

function published(said: readonly Said[]): Cell {
  const missing = [1, 2, 3, 4].filter((n) => !said.some((line) => line.published === n));
  return missing.length === 0 ? OK : (failure(said, 'publish') ?? `${missing.join(', ')} not published`);
}

function bulk(said: readonly Said[]): Cell {
  if (!said.some((line) => line.bulk !== undefined)) return failure(said, 'bulk') ?? 'not published';
  return seen(BULK.map((n) => [`${n}`, times(said, 'orders', n), 1] as const));
}

function seen(counts: readonly (readonly [what: string, found: number, wanted: number])[]): Cell {
  const wrong = counts.filter(([, found, wanted]) => found !== wanted);
  if (wrong.length === 0) return OK;
  return wrong.map(([what, found, wanted]) => `${what}: ${found} times, not ${wanted}`).join('; ');
}

function times(said: readonly Said[], topic: string, n: number): number {
  return said.filter((line) => line.got === topic && line.n === n).length;
}

function failure(said: readonly Said[], what: string): string | undefined {
  return said.find(({ failed }) => failed === what)?.error;
}
