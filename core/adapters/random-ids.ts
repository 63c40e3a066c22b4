/** Ids and chance from the system's random bytes, behind ports/ids.ts and ports/random.ts. */
import { randomFillSync, randomUUID } from 'node:crypto';

import type { IdKind, IdSource } from '../ports/ids.ts';
import type { Random } from '../ports/random.ts';

const PREFIXES = {
  message: 'msg_',
  delivery: 'dlv_',
  attempt: 'att_',
  batch: 'bat_',
  hold: 'hld_',
  rule: 'rul_',
} as const satisfies Readonly<Record<IdKind, string>>;

const ID_BYTES = 12;
/** One call to the system for many ids. */
const POOL_BYTES = 4096;

/** Ids that no other process makes: 96 random bits behind the prefix. */
export function randomIds(): IdSource {
  const take = randomPool();
  return {
    next: (kind) => PREFIXES[kind] + take(ID_BYTES),
    uuid: () => randomUUID(),
    hex: (bytes) => take(bytes),
  };
}

/** Chance with 53 bits. */
export function systemRandom(): Random {
  return { next: () => Math.random() };
}

function randomPool(): (bytes: number) => string {
  const pool = Buffer.alloc(POOL_BYTES);
  let used = POOL_BYTES;
  return (bytes) => {
    if (bytes > POOL_BYTES) return randomFillSync(Buffer.alloc(bytes)).toString('hex');
    if (used + bytes > POOL_BYTES) {
      randomFillSync(pool);
      used = 0;
    }
    const text = pool.toString('hex', used, used + bytes);
    used += bytes;
    return text;
  };
}
