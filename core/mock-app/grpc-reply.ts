/** The answer side of one gRPC call, as the answer kinds use it: HTTP statuses become codes, status words become their numbers. */
import { grpcCodeName } from '../contract/grpc.ts';
import { grpcOfHttp } from '../contract/grpc-status.ts';
import { isObject, tryParse } from '../domain/json.ts';
import type { Protocol } from '../grpc-protocol/protocol.ts';
import type { Clock } from '../ports/clock.ts';
import type { Incoming } from './incoming.ts';
import type { Reply } from './reply.ts';
import type { AddFacts } from './request-log.ts';

/** Statuses in the order of their numbers. */
const WORDS = ['SUCCESS', 'RETRY', 'DROP'];
/** Any other word: a number that stands for none. */
const OTHER = WORDS.length;

export interface GrpcReplyOptions {
  readonly incoming: Incoming;
  readonly protocol: Protocol;
  readonly add: AddFacts;
  readonly clock: Clock;
  readonly succeed: (reply: Buffer) => void;
  readonly fail: (error: { readonly code: number; readonly details: string }) => void;
  /** Cuts the connection. */
  readonly cut: () => void;
  /** Calls back when the caller has gone, or the call is over. */
  readonly onCancelled: (gone: () => void) => void;
}

/** Gives at most one answer, and keeps the request's line in the log up to date. */
export class GrpcReply implements Reply {
  readonly #options: GrpcReplyOptions;
  readonly #startedAt: number;
  #isAnswered = false;

  constructor(options: GrpcReplyOptions) {
    this.#options = options;
    this.#startedAt = options.clock.monotonic();
    options.onCancelled(() => {
      if (!this.#isAnswered) this.#end({ note: 'the caller cancelled the call' });
    });
  }

  send(status: number, _headers: Readonly<Record<string, string>>, body: string | undefined): void {
    if (this.#isAnswered) return;
    const code = grpcOfHttp(status);
    this.#end({ status, note: grpcCodeName(code) });
    const { fail, succeed } = this.#options;
    if (code === 0) succeed(this.#reply(body));
    else fail({ code, details: body ?? grpcCodeName(code) });
  }

  reset(): void {
    if (this.#isAnswered) return;
    this.#end({ note: 'reset' });
    this.#options.cut();
  }

  onClosed(done: () => void): void {
    this.#options.onCancelled(done);
  }

  note(text: string): void {
    this.#options.add({ note: text });
  }

  #reply(body: string | undefined): Buffer {
    const { incoming, protocol } = this.#options;
    const said = tryParse(body ?? '')?.value;
    const value: Readonly<Record<string, unknown>> = isObject(said) ? said : {};
    if (incoming.kind === 'binding') return protocol.bindingEventResponse.encode({ to: [], data: [] });
    if (incoming.kind === 'delivery')
      return protocol.topicEventResponse.encode({ status: numberOf(value['status']) });
    const list = Array.isArray(value['statuses']) ? (value['statuses'] as readonly unknown[]) : [];
    const statuses = list.flatMap((one) => {
      const entryId = isObject(one) ? one['entryId'] : undefined;
      return isObject(one) && typeof entryId === 'string'
        ? [{ entry_id: entryId, status: numberOf(one['status']) }]
        : [];
    });
    return protocol.topicEventBulkResponse.encode({ statuses });
  }

  #end(facts: { readonly status?: number; readonly note?: string }): void {
    this.#isAnswered = true;
    const { add, clock } = this.#options;
    add({ ...facts, durationMs: Math.round(clock.monotonic() - this.#startedAt) });
  }
}

/** Nothing said is SUCCESS, as over HTTP. */
function numberOf(word: unknown): number {
  if (word === undefined || word === null || word === '') return 0;
  const at = typeof word === 'string' ? WORDS.indexOf(word) : -1;
  return at < 0 ? OTHER : at;
}
