/** Ids and chance from the system's random bytes, behind ports/ids.ts and ports/random.ts. */
import { randomFillSync } from 'node:crypto';

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
const PREFIX_LENGTH = 4;
const UUID_BYTES = 16;
/** Places in the text of a UUID of version 4, RFC 9562. */
const DASHES: ReadonlySet<number> = new Set([8, 13, 18, 23]);
const VERSION_AT = 14;
const VARIANT_AT = 19;
/** Which of the 32 digits the variant is made from. */
const VARIANT_DIGIT = 16;
const VARIANTS = '89ab';
/** One call to the system for many ids. */
const POOL_BYTES = 4096;

/**
 * Ids that no other process makes: the millisecond, then 48 random bits. What is made together lies together in an index,
 * so a journal changes few of its pages.
 */
export function randomIds(now: () => number = Date.now): IdSource {
  const take = randomPool();
  const id = Buffer.alloc(PREFIX_LENGTH + TIME_DIGITS + 2 * RANDOM_BYTES);
  const uuid = Buffer.from('00000000-0000-4000-8000-000000000000', 'latin1');
  let lastMs = -1;
  return {
    // Read from one piece of memory: a text that is put together keeps its parts beside it for as long as it lives.
    next: (kind) => {
      const ms = now();
      if (ms !== lastMs) {
        lastMs = ms;
        id.write(ms.toString(16).padStart(TIME_DIGITS, '0'), PREFIX_LENGTH, 'latin1');
      }
      id.write(PREFIXES[kind], 0, 'latin1');
      id.write(take(RANDOM_BYTES), PREFIX_LENGTH + TIME_DIGITS, 'latin1');
      return id.toString('latin1');
    },
    uuid: () => {
      const digits = take(UUID_BYTES);
      for (let at = 0, digit = 0; at < uuid.length; at += 1) {
        if (at === VERSION_AT || at === VARIANT_AT) digit += 1;
        else if (!DASHES.has(at)) uuid[at] = digits.charCodeAt(digit++);
      }
      uuid[VARIANT_AT] = VARIANTS.charCodeAt(
        Number.parseInt(digits.charAt(VARIANT_DIGIT), 16) % VARIANTS.length,
      );
      return uuid.toString('latin1');
    },
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
