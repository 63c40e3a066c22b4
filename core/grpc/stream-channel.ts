/**
 * Uses a stream of `SubscribeTopicEventsAlpha1` as the channel to an app. Each delivery is one event, and its
 * answer is matched by the event's id.
 */
import { duration } from '../contract/duration-text.ts';
import type { StepTurns } from '../domain/step-turns.ts';
import { streamAnswer } from '../grpc-protocol/event-status.ts';
import { encodedEvent } from '../grpc-protocol/events.ts';
import type { EncodedTopicEvent } from '../grpc-protocol/messages.ts';
import type { AppCall, AppChannel, PendingAnswer, ReceivedAnswer } from '../ports/app-channel.ts';

const CLOSED: ReceivedAnswer = {
  kind: 'none',
  code: 'reset',
  message: 'The stream ended before the event was answered.',
  streamClosed: true,
};

/** An event that was sent, or that waits until another event with its id is answered. */
class Sent {
  readonly answer: Promise<ReceivedAnswer>;
  /** The event; undefined: it was sent, or its delivery has ended. */
  event: EncodedTopicEvent | undefined;
  settle: (answer: ReceivedAnswer) => void = () => undefined;
  timer: NodeJS.Timeout | undefined;

  constructor(event: EncodedTopicEvent) {
    this.event = event;
    this.answer = new Promise((resolve) => {
      this.settle = resolve;
    });
  }
}

export interface StreamChannelOptions {
  /** Address and port of the client. */
  readonly peer: string;
  /**
   * Sends an event to the client, now or later.
   * @param event gives the event when it is sent; undefined: its delivery has ended meanwhile, and nothing is sent
   * @param taken called once the client has read the event, or nothing was sent
   * @param bytes of its data
   */
  readonly send: (event: () => EncodedTopicEvent | undefined, taken: () => void, bytes: number) => void;
  /** Turns of the runtime, which all streams share: a client that dies may leave hundreds, and a new stream waits for what they return. */
  readonly turns: Pick<StepTurns, 'make'>;
}

/** The channel of a stream. It sends nothing before `begin`. */
export class StreamChannel implements AppChannel {
  readonly protocol = 'grpc';
  readonly url: string;
  readonly #send: StreamChannelOptions['send'];
  readonly #turns: StreamChannelOptions['turns'];
  /** Events by id. The first one is at the client, the others wait for its answer. */
  readonly #open = new Map<string, Sent[]>();
  /**
   * Events that may be sent, but wait until the client has read those before, so that unread events do not
   * pile up.
   */
  readonly #leaving: Sent[] = [];
  #isSending = false;
  #begun = false;
  #closed = false;

  constructor({ peer, send, turns }: StreamChannelOptions) {
    this.url = `grpc://${peer}`;
    this.#send = send;
    this.#turns = turns;
  }

  /** Starts to send events, because the client knows that it is subscribed. */
  begin(): void {
    this.#begun = true;
    for (const [first] of this.#open.values()) if (first !== undefined) this.#leave(first);
  }

  deliver({ message, timeoutMs = 0 }: AppCall): PendingAnswer {
    if (message?.kind !== 'event') throw new Error('a stream carries single events only');
    const { event } = message;
    const sent = new Sent(encodedEvent(event));
    const end = (answer: ReceivedAnswer): void => this.#end(event.id, sent, answer);
    const cancel = (reason: string): void => end({ kind: 'none', code: 'cancelled', message: reason });
    if (this.#closed) {
      sent.settle(CLOSED);
      return { answer: sent.answer, cancel };
    }
    if (timeoutMs > 0) {
      const late = `No answer within ${duration(timeoutMs)}.`;
      sent.timer = setTimeout(() => end({ kind: 'none', code: 'timeout', message: late }), timeoutMs);
    }
    const others = this.#open.get(event.id);
    if (others !== undefined) others.push(sent);
    else {
      this.#open.set(event.id, [sent]);
      if (this.#begun) this.#leave(sent);
    }
    return { answer: sent.answer, cancel };
  }

  /** Takes the client's answer. False: no event with this id waits for one. */
  processed(id: string, status: number): boolean {
    const [first] = this.#open.get(id) ?? [];
    if (first === undefined) return false;
    this.#end(id, first, streamAnswer(status));
    return true;
  }

  /** Ends the channel; unanswered deliveries go back to the queue, those of many in several turns of the event loop. Idempotent. */
  end(): void {
    if (this.#closed) return;
    this.#closed = true;
    const rest = [...this.#open].flatMap(([id, all]) => all.map((sent) => ({ id, sent })));
    let at = 0;
    const next = (): boolean => {
      const one = rest[at];
      if (one === undefined) return false;
      at += 1;
      this.#end(one.id, one.sent, CLOSED);
      return true;
    };
    if (rest.length > 0) this.#turns.make({ next, over: () => undefined });
  }

  async get(): Promise<ReceivedAnswer> {
    return { kind: 'none', code: 'refused', message: 'A stream answers nothing but events.' };
  }

  async probe(): Promise<boolean> {
    return !this.#closed;
  }

  async close(): Promise<void> {
    this.end();
  }

  #leave(sent: Sent): void {
    this.#leaving.push(sent);
    if (!this.#isSending) this.#sendNext();
  }

  #sendNext(): void {
    this.#isSending = false;
    for (let next = this.#leaving.shift(); next !== undefined; next = this.#leaving.shift()) {
      if (next.event === undefined) continue;
      const sent = next;
      const take = (): EncodedTopicEvent | undefined => {
        const { event } = sent;
        sent.event = undefined;
        return event;
      };
      this.#isSending = true;
      this.#send(take, () => this.#sendNext(), next.event.data.length);
      return;
    }
  }

  #end(id: string, sent: Sent, answer: ReceivedAnswer): void {
    clearTimeout(sent.timer);
    sent.event = undefined;
    const all = this.#open.get(id) ?? [];
    const wasFirst = all[0] === sent;
    const rest = all.filter((one) => one !== sent);
    if (rest.length === 0) this.#open.delete(id);
    else this.#open.set(id, rest);
    sent.settle(answer);
    const [next] = rest;
    if (wasFirst && next !== undefined && this.#begun && !this.#closed) this.#leave(next);
  }
}
