/** The reply to one HTTP request for the answer kinds. */
import type { FastifyReply } from 'fastify';

import type { Clock } from '../ports/clock.ts';
import type { Reply } from './reply.ts';
import type { AddFacts } from './request-log.ts';

/** Statuses whose answer has no body and no length. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/** Sends at most one answer, and updates the request's line in the log. */
export class HttpReply implements Reply {
  readonly #raw: FastifyReply['raw'];
  readonly #add: AddFacts;
  readonly #clock: Clock;
  readonly #startedAt: number;
  #isAnswered = false;

  constructor(raw: FastifyReply['raw'], add: AddFacts, clock: Clock) {
    this.#raw = raw;
    this.#add = add;
    this.#clock = clock;
    this.#startedAt = clock.monotonic();
    raw.once('close', () => {
      if (!this.#isAnswered) this.#end({ note: 'the caller closed the connection' });
    });
  }

  send(status: number, headers: Readonly<Record<string, string>>, body: string | undefined): void {
    if (this.#isAnswered || this.#raw.destroyed) return;
    const text = BODILESS.has(status) ? '' : (body ?? '');
    const length = BODILESS.has(status) ? {} : { 'content-length': Buffer.byteLength(text) };
    this.#raw.writeHead(status, { ...headers, ...length });
    this.#raw.end(text);
    this.#end({ status });
  }

  reset(): void {
    if (this.#isAnswered) return;
    this.#end({ note: 'reset' });
    this.#raw.socket?.resetAndDestroy();
  }

  onClosed(done: () => void): void {
    if (this.#raw.closed) done();
    else this.#raw.once('close', done);
  }

  note(text: string): void {
    this.#add({ note: text });
  }

  #end(facts: { readonly status?: number; readonly note?: string }): void {
    this.#isAnswered = true;
    this.#add({ ...facts, durationMs: Math.round(this.#clock.monotonic() - this.#startedAt) });
  }
}
