/** Ids and random numbers from the system's random bytes. Implements ports/ids.ts and ports/random.ts. */
import { Buffer } from 'node:buffer';
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
/** Positions in the text of a UUID of version 4, RFC 9562. */
const VERSION_AT = 14;
const VERSION = '4'.charCodeAt(0);
const VARIANT_AT = 19;
const VARIANTS = '89ab';
const DIGITS = Buffer.from('0123456789abcdef', 'latin1');
/** Bytes that one call to the system returns, for many ids. */
const POOL_BYTES = 4096;

/**
 * Ids that no other process generates: the millisecond, then 48 random bits. Ids of about the same time are neighbours in an index, so a
 * journal changes few of its pages.
 */
export function randomIds(now: () => number = Date.now): IdSource {
  const pool = new RandomPool();
  const id = Buffer.alloc(PREFIX_LENGTH + TIME_DIGITS + 2 * RANDOM_BYTES);
  const uuid = Buffer.from('00000000-0000-4000-8000-000000000000', 'latin1');
  let lastMs = -1;
  return {
    // Decoded from one buffer: a concatenated string would keep its parts in memory for as long as it lives.
    next: (kind) => {
      const ms = now();
      if (ms !== lastMs) {
        lastMs = ms;
        id.write(ms.toString(16).padStart(TIME_DIGITS, '0'), PREFIX_LENGTH, 'latin1');
      }
      const prefix = PREFIXES[kind];
      for (let at = 0; at < PREFIX_LENGTH; at += 1) id[at] = prefix.charCodeAt(at);
      pool.write(id, PREFIX_LENGTH + TIME_DIGITS, RANDOM_BYTES);
      return id.toString('latin1');
    },
    uuid: () => {
      pool.write(uuid, 0, 4);
      pool.write(uuid, 9, 2);
      pool.write(uuid, 14, 2);
      pool.write(uuid, 19, 2);
      pool.write(uuid, 24, 6);
      uuid[VERSION_AT] = VERSION;
      const digit = Number.parseInt(String.fromCharCode(uuid[VARIANT_AT] ?? 0), 16);
      uuid[VARIANT_AT] = VARIANTS.charCodeAt(digit % VARIANTS.length);
      return uuid.toString('latin1');
    },
    hex: (bytes) => pool.hex(bytes),
  };
}

/** Random numbers with 53 bits. */
export function systemRandom(): Random {
  return { next: () => Math.random() };
}

/** Random bytes of the system, many at a time. */
class RandomPool {
  readonly #bytes = Buffer.alloc(POOL_BYTES);
  #used = POOL_BYTES;

  /** Writes random bytes as hex digits into the buffer; a separate string for them would cost more than the bytes. */
  write(text: Buffer, at: number, bytes: number): void {
    this.#need(bytes);
    for (let n = 0; n < bytes; n += 1) {
      const byte = this.#bytes[this.#used + n] ?? 0;
      text[at + 2 * n] = DIGITS[byte >> 4] ?? 0;
      text[at + 2 * n + 1] = DIGITS[byte & 15] ?? 0;
    }
    this.#used += bytes;
  }

  hex(bytes: number): string {
    if (bytes > POOL_BYTES) return randomFillSync(Buffer.alloc(bytes)).toString('hex');
    this.#need(bytes);
    const text = this.#bytes.toString('hex', this.#used, this.#used + bytes);
    this.#used += bytes;
    return text;
  }

  #need(bytes: number): void {
    if (this.#used + bytes <= POOL_BYTES) return;
    randomFillSync(this.#bytes);
    this.#used = 0;
  }
}
