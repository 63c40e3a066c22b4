/** Keys that work once and only for a while: one-time links to the console, and the codes that such a link gives to its page. */
import { timingSafeEqual, createHash, randomBytes } from 'node:crypto';
import type { Clock } from '../ports/clock.ts';

/** Life of a link that a method made. */
export const LINK_MS = 60_000;
/** Life of the link printed at start. It is longer than that of later links, because it may wait in a terminal. */
export const START_LINK_MS = 600_000;
/** Open links kept; the oldest goes first. */
const MAX_LINKS = 100;

interface OpenLink {
  readonly hash: Buffer;
  readonly untilMs: number;
}

export class OneTimeLinks {
  readonly #clock: Clock;
  #links: OpenLink[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A new key, good once within `lifeMs`. */
  issue(lifeMs: number): string {
    const key = randomBytes(24).toString('base64url');
    this.#add(key, lifeMs);
    return key;
  }

  /** True once for a key that was issued and is not too old. */
  redeem(key: string): boolean {
    this.#forgetOld();
    const given = hashOf(key);
    const found = this.#links.find(({ hash }) => timingSafeEqual(hash, given));
    this.#links = this.#links.filter((link) => link !== found);
    return found !== undefined;
  }

  /** Accepts a key that was created elsewhere; it is valid for `lifeMs`, any number of times. */
  accept(key: string, lifeMs: number): void {
    this.#add(key, lifeMs);
  }

  /** Whether the key is valid now. A valid key stays valid. */
  knows(key: string): boolean {
    this.#forgetOld();
    const given = hashOf(key);
    return this.#links.some(({ hash }) => timingSafeEqual(hash, given));
  }

  /** Ends all keys that were issued so far. */
  forgetAll(): void {
    this.#links = [];
  }

  #add(key: string, lifeMs: number): void {
    this.#forgetOld();
    const link = { hash: hashOf(key), untilMs: this.#clock.now() + lifeMs };
    this.#links = [...this.#links, link].slice(-MAX_LINKS);
  }

  #forgetOld(): void {
    const now = this.#clock.now();
    this.#links = this.#links.filter(({ untilMs }) => untilMs > now);
  }
}

function hashOf(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
