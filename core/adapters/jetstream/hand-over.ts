/**
 * One delivery of a message by the server, kept while its deliveries are open: all that an answer to the server needs, without the body.
 */
import type { JsMsg } from '@nats-io/jetstream';
import { messageKeyIn } from './layout.ts';

/** Sends the answer to a delivered message to the server. */
export type SendAnswer = (subject: string, answer: string) => void;

const NANOSECONDS = 1_000_000;

export class HandOver {
  readonly seq: number;
  readonly stream: string;
  readonly deliveryCount: number;
  /** Distinguishes the message from every other that ever had its number, also from messages of other clients, which have no id. */
  readonly identity: string;
  readonly #subject: string;
  readonly #send: SendAnswer;

  /**
   * Copies what an answer needs. The library's message could answer too, but it keeps the body: thousands of open messages would fill
   * memory.
   */
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

  /**
   * Returns the message to the server.
   * @param afterMs how long the server waits before it delivers the message again; absent: not at all
   */
  nak(afterMs?: number): void {
    const delay = afterMs === undefined ? '' : ` ${JSON.stringify({ delay: afterMs * NANOSECONDS })}`;
    this.#send(this.#subject, `-NAK${delay}`);
  }

  /** Extends the ack deadline of the message. */
  working(): void {
    this.#send(this.#subject, '+WPI');
  }
}

/** Subject on which the server expects the answer. The library's type does not name it. */
function subjectOf(message: JsMsg): string {
  if ('reply' in message && typeof message.reply === 'string' && message.reply !== '') return message.reply;
  throw new Error(`message ${message.seq} of ${message.info.stream} has no subject for its answer`);
}
