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

/** Milliseconds as hex, up to the year 10889. */
const TIME_DIGITS = 12;
const RANDOM_BYTES = 6;
/** One call to the system for many ids. */
const POOL_BYTES = 4096;

/**
 * Ids that no other process makes: the millisecond, then 48 random bits. What is made together lies together in an index,
 * so a journal changes few of its pages.
 */
export function randomIds(now: () => number = Date.now): IdSource {
  const take = randomPool();
  let lastMs = -1;
  let time = '';
  return {
    next: (kind) => {
      const ms = now();
      if (ms !== lastMs) {
        lastMs = ms;
        time = ms.toString(16).padStart(TIME_DIGITS, '0');
      }
      return PREFIXES[kind] + time + take(RANDOM_BYTES);
    },
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
