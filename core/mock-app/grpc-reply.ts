/**
 * The reply to one gRPC call for the answer kinds: HTTP statuses become codes, status words become numbers.
 */
import { grpcCodeName } from '../contract/grpc.ts';
import { grpcOfHttp } from '../contract/status-pairs.ts';
import { tryParse } from '../domain/json.ts';
import type { Protocol } from '../grpc-protocol/protocol.ts';
import { batchReplyBytes, eventReplyBytes } from '../grpc-protocol/replies.ts';
import type { Clock } from '../ports/clock.ts';
import type { Incoming } from './incoming.ts';
import type { Reply } from './reply.ts';
import type { AddFacts } from './request-log.ts';

/** Most bytes of the text of an error as it is sent: percent-encoded, in the headers of the answer, of which clients accept few KiB. */
const MAX_SENT = 4 * 1024;
const CUT_OFF = '…';

export interface GrpcReplyOptions {
  readonly incoming: Incoming;
  readonly protocol: Protocol;
  readonly add: AddFacts;
  readonly clock: Clock;
  readonly succeed: (reply: Buffer) => void;
  readonly fail: (error: { readonly code: number; readonly details: string }) => void;
  /** Cuts the connection. */
  readonly cut: () => void;
  /** Calls back when the caller has disconnected, or the call has ended. */
  readonly onCancelled: (gone: () => void) => void;
}

/** Sends at most one answer, and updates the request's line in the log. */
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
    else fail({ code, details: statusDetails(body ?? grpcCodeName(code)) });
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
    if (incoming.kind === 'binding') return protocol.bindingEventResponse.encode({ to: [], data: [] });
    return incoming.kind === 'delivery' ? eventReplyBytes(said, protocol) : batchReplyBytes(said, protocol);
  }

  #end(facts: { readonly status?: number; readonly note?: string }): void {
    this.#isAnswered = true;
    const { add, clock } = this.#options;
    add({ ...facts, durationMs: Math.round(clock.monotonic() - this.#startedAt) });
  }
}

/** The text of an error as the library can send it: it cannot write half a character. */
function statusDetails(text: string): string {
  // What follows is cut off anyway: each character is sent as one byte or more.
  const begins = text.slice(0, MAX_SENT + 1).replaceAll(/\p{Surrogate}/gu, '\ufffd');
  const most = MAX_SENT - encodeURI(CUT_OFF).length;
  let [sent, kept] = [0, 0];
  for (const character of begins) {
    sent += encodeURI(character).length;
    if (sent > MAX_SENT) return begins.slice(0, kept) + CUT_OFF;
    if (sent <= most) kept += character.length;
  }
  return begins;
}
