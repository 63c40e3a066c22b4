/** One hand-over of a message as it is kept while its deliveries are open: all that an answer to the server needs, and not the body. */
import type { JsMsg } from '@nats-io/jetstream';
import { messageKeyIn } from './layout.ts';

/** Sends an answer of a hand-over to the server. */
export type SendAnswer = (subject: string, answer: string) => void;

const NANOSECONDS = 1_000_000;

export class HandOver {
  readonly seq: number;
  readonly stream: string;
  readonly deliveryCount: number;
  /** Tells the message from every other one that ever had its number, also from messages of other clients, which have no id. */
  readonly identity: string;
  readonly #subject: string;
  readonly #send: SendAnswer;

  /** The library's own message would answer as well, but it has the body: with thousands of open messages that is all the memory there is. */
  constructor(message: JsMsg, send: SendAnswer) {
    const { seq, headers, timestampNanos, info } = message;
    this.seq = seq;
    this.stream = info.stream;
    this.deliveryCount = info.deliveryCount;
    this.identity = `${info.stream} ${timestampNanos} ${messageKeyIn(seq, headers)}`;
    this.#subject = subjectOf(message);
    this.#send = send;
  }

  ack(): void {
    this.#send(this.#subject, '+ACK');
  }

  /** Gives it back. @param afterMs how long the server waits before it hands it over again; absent: not at all */
  nak(afterMs?: number): void {
    const delay = afterMs === undefined ? '' : ` ${JSON.stringify({ delay: afterMs * NANOSECONDS })}`;
    this.#send(this.#subject, `-NAK${delay}`);
  }

  /** Says that it is still being worked on. */
  working(): void {
    this.#send(this.#subject, '+WPI');
  }
}

/** Where the server waits for the answer. The library's type does not name it. */
function subjectOf(message: JsMsg): string {
  if ('reply' in message && typeof message.reply === 'string' && message.reply !== '') return message.reply;
  throw new Error(`message ${message.seq} of ${message.info.stream} has no subject for its answer`);
}
