/** Keys of pages: each page of the console keeps one, and proves that it has it by signing a challenge, without sending it. */
import { createHmac, randomBytes } from 'node:crypto';
import type { Clock } from '../ports/clock.ts';
import { equalSecrets } from './equal-secrets.ts';

/** Life of a challenge. */
const CHALLENGE_MS = 30_000;

const signed = (key: string | Buffer, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest();

export class PageKeys {
  readonly #clock: Clock;
  /** Signs challenges, so that unanswered ones need no memory. */
  readonly #own = randomBytes(32);
  /** Answered challenges with their expiry times: each is valid once. */
  readonly #used = new Map<string, number>();
  #secret: string;

  /** @param secret everything here follows from it: with the same one a page of an earlier run comes back */
  constructor(secret: string, clock: Clock) {
    this.#secret = secret;
    this.#clock = clock;
  }

  /** Replaces the secret: all earlier keys, tickets and proofs are invalid from now on. */
  replace(secret: string): void {
    this.#secret = secret;
  }

  /** Value of the cookie: it opens the files of the page, which are the same in every copy of the product, and nothing else. */
  get ticket(): string {
    return signed(this.#secret, 'ticket').toString('base64url');
  }

  /**
   * Key of the pages of one address, 32 bytes.
   * @param host `name:port` as in the Host header: a page elsewhere cannot be made to sign for this address
   */
  keyOf(host: string): Buffer {
    return signed(this.#secret, `page ${host.toLowerCase()}`);
  }

  challenge(): string {
    const text = `${(this.#clock.now() + CHALLENGE_MS).toString(36)}.${randomBytes(16).toString('base64url')}`;
    return `${text}.${this.#sealOf(text)}`;
  }

  /** Was this challenge made here, is it still good, and was it signed by a page of this address? Uses it up. */
  proves(host: string, challenge: string, signature: string): boolean {
    const [until = '', random = '', seal = '', ...more] = challenge.split('.');
    const ends = Number.parseInt(until, 36);
    const now = this.#clock.now();
    for (const [used, end] of this.#used) if (end <= now) this.#used.delete(used);
    const isOurs = equalSecrets(seal, this.#sealOf(`${until}.${random}`));
    const isSigned = equalSecrets(signature, signed(this.keyOf(host), challenge).toString('base64url'));
    if (!isOurs || !isSigned || more.length > 0 || !(ends > now) || this.#used.has(challenge)) return false;
    this.#used.set(challenge, ends);
    return true;
  }

  #sealOf(text: string): string {
    return signed(this.#own, text).toString('base64url');
  }
}
