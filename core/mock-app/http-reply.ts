/** The reply to one HTTP request for the answer kinds. */
import type { FastifyReply } from 'fastify';

import { LARGE_ANSWER_BYTES } from '../domain/http-edge.ts';
import type { Clock } from '../ports/clock.ts';
import { bytesOf, roomInTurn } from './large-answers.ts';
import type { Reply } from './reply.ts';
import type { AddFacts } from './request-log.ts';

/** Statuses whose answer has no body and no length. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/** Parts of a reply. */
export interface HttpReplyOptions {
  readonly raw: FastifyReply['raw'];
  readonly add: AddFacts;
  readonly clock: Clock;
  /** Takes room for an answer, which waits until its client reads it; a text says why there is none. */
  readonly takeRoom: (bytes: number) => string | undefined;
}

/** Sends at most one answer, and updates the request's line in the log. */
export class HttpReply implements Reply {
  readonly #takeRoom: HttpReplyOptions['takeRoom'];
  readonly #raw: FastifyReply['raw'];
  readonly #add: AddFacts;
  readonly #clock: Clock;
  readonly #startedAt: number;
  #isAnswered = false;

  constructor({ raw, add, clock, takeRoom }: HttpReplyOptions) {
    this.#takeRoom = takeRoom;
    this.#raw = raw;
    this.#add = add;
    this.#clock = clock;
    this.#startedAt = clock.monotonic();
    raw.once('close', () => {
      if (!this.#isAnswered) this.#end({ note: 'the caller closed the connection' });
    });
  }

  send(status: number, headers: Readonly<Record<string, string>>, body: string | undefined): void {
    const text = BODILESS.has(status) ? '' : (body ?? '');
    const room = text.length < LARGE_ANSWER_BYTES ? undefined : roomInTurn();
    if (room === undefined) this.#write(status, headers, text);
    else void room.then(() => this.#write(status, headers, text));
  }

  #write(status: number, headers: Readonly<Record<string, string>>, text: string): void {
    if (this.#isAnswered || this.#raw.destroyed) return;
    const content = text.length < LARGE_ANSWER_BYTES ? text : bytesOf(text);
    const bytes = Buffer.byteLength(content);
    const noRoom = this.#takeRoom(bytes);
    if (noRoom !== undefined) {
      this.#raw.writeHead(503, { 'content-type': 'text/plain; charset=utf-8' });
      this.#raw.end(noRoom);
      this.#end({ status: 503, note: noRoom });
      return;
    }
    this.#raw.writeHead(status, {
      ...headers,
      ...(BODILESS.has(status) ? {} : { 'content-length': bytes }),
    });
    this.#raw.end(content);
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
