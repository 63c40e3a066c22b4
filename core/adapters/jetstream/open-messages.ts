/** Messages of one consumer that the runtime is working on: each once, its ack deadline extended, acknowledged at its end. */
import type { JsMsg } from '@nats-io/jetstream';
import { backoffMs } from '../../domain/backoff.ts';
import type { Log } from '../../ports/log.ts';
import type { InboundMessage, Taken } from '../../ports/pubsub.ts';
import { SlotQueue } from '../slots.ts';
import type { Slots } from '../slots.ts';
import { reasonOf } from './connection.ts';
import { HandOver } from './hand-over.ts';
import type { SendAnswer } from './hand-over.ts';
import { contentOf } from './layout.ts';
import { brokerKey } from './names.ts';

export interface OpenMessagesDependencies {
  readonly topic: string;
  readonly group: string;
  readonly consumer: string;
  readonly backOffMs: readonly number[];
  readonly maxDeliver: number | undefined;
  /** undefined: only the app's own limits count. */
  readonly slots: Slots | undefined;
  readonly log: Log;
  readonly take: (message: InboundMessage) => Promise<Taken>;
  readonly send: SendAnswer;
}

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5_000;

interface Open {
  /** The newest delivery by the server, which gets the answer. */
  handOver: HandOver;
  /** Message with its body; undefined once the runtime has taken it. */
  message: JsMsg | undefined;
}

export class OpenMessages {
  readonly #deps: OpenMessagesDependencies;
  /** Open messages by number in the stream. The server knows an answer by this number alone, so no two messages may share one. */
  readonly #open = new Map<number, Open>();
  readonly #running = new Set<Promise<void>>();
  /** Messages that the runtime had not taken when the consumer was closed. */
  readonly #left: HandOver[] = [];
  readonly #slot: SlotQueue;
  #waitingForRoom: (() => void)[] = [];
  #isClosed = false;

  constructor(deps: OpenMessagesDependencies) {
    this.#deps = deps;
    this.#slot = new SlotQueue(deps.slots, () => this.#wake());
  }

  /**
   * Waits until the runtime has room for more messages.
   * @returns false: closed
   */
  async room(): Promise<boolean> {
    while (!this.#isClosed && this.#slot.isWaiting) {
      // Messages wait on the server, where other consumers of the group can get them, and not in memory here.
      await new Promise<void>((go) => void this.#waitingForRoom.push(go));
    }
    return !this.#isClosed;
  }

  /** Gives a message to the runtime unless it is open already. Does not wait for it. */
  hand(message: JsMsg): void {
    const handOver = new HandOver(message, this.#deps.send);
    if (this.#isClosed) {
      this.#left.push(handOver);
      return;
    }
    const there = this.#open.get(handOver.seq);
    if (there?.handOver.identity === handOver.identity) {
      // The server delivered the message again, for example after a lost connection: the answer goes to the newest delivery.
      there.handOver = handOver;
      return;
    }
    // A new message has the number of an open one: the stream was recreated and numbers from 1 again. The old message is finished here, but
    // the server gets no answer for it, because it would take the answer for the new message.
    const open: Open = { handOver, message };
    this.#open.set(handOver.seq, open);
    void this.#hand(open);
  }

  /** Extends the ack deadline of all open messages. */
  keep(): void {
    for (const { handOver } of this.#open.values()) handOver.working();
  }

  /** Stops giving messages to the runtime; resolves when no `take` is running. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#wake();
    await Promise.all(this.#running);
  }

  /**
   * Returns the remaining messages after the close, so that other consumers of the group, or the next start, get them at once. Call it only
   * when the server knows that this consumer has stopped pulling; otherwise it would deliver them here again.
   */
  leave(): void {
    for (const handOver of this.#left.splice(0)) handOver.nak();
  }

  async #hand(open: Open): Promise<void> {
    const leave = await this.#slot.take();
    if (!this.#isClosed) {
      const taking = this.#take(open);
      this.#running.add(taking);
      await taking;
      this.#running.delete(taking);
    } else if (this.#isAnswered(open)) this.#left.push(open.handOver);
    if (this.#isAnswered(open)) this.#open.delete(open.handOver.seq);
    leave();
    this.#wake();
  }

  async #take(open: Open): Promise<void> {
    let taken: Taken = 'redeliver';
    try {
      taken = await this.#begin(open);
    } catch (error) {
      this.#log('error', open.handOver, `failed inside Sidelight: ${reasonOf(error)}`);
    }
    if (!this.#isAnswered(open)) return;
    if (taken === 'done') open.handOver.ack();
    else this.#giveBack(open.handOver);
  }

  /** Releases the body. This is a function of its own because the awaiting caller would keep the body in memory. */
  #begin(open: Open): Promise<Taken> {
    const { message } = open;
    open.message = undefined;
    if (message === undefined) throw new Error(`message ${open.handOver.seq} was taken before`);
    return this.#deps.take(this.#inbound(message));
  }

  /** Whether the server still expects an answer; false: another message has its number now. */
  #isAnswered(open: Open): boolean {
    return this.#open.get(open.handOver.seq) === open;
  }

  #giveBack(handOver: HandOver): void {
    const { backOffMs, maxDeliver } = this.#deps;
    const { deliveryCount } = handOver;
    if (this.#isClosed) {
      this.#left.push(handOver);
      return;
    }
    if (maxDeliver !== undefined && deliveryCount >= maxDeliver)
      this.#log(
        'error',
        handOver,
        `came ${deliveryCount} times (maxDeliver): the server does not send it again`,
      );
    handOver.nak(
      backOffMs[Math.min(deliveryCount, backOffMs.length) - 1] ??
        backoffMs(deliveryCount, FIRST_PAUSE_MS, MAX_PAUSE_MS),
    );
  }

  #inbound(message: JsMsg): InboundMessage {
    const { topic, group, consumer } = this.#deps;
    const { stream } = message.info;
    const { messageId, metadata, trouble } = contentOf(message.headers);
    if (trouble !== undefined)
      this.#log('warn', { seq: message.seq, stream }, `has metadata that Sidelight cannot read: ${trouble}`);
    return {
      ...(messageId === undefined ? {} : { messageId }),
      brokerKey: () => brokerKey(stream, message.seq, message.timestampNanos),
      topic,
      wire: message.data,
      metadata,
      broker: { id: String(message.seq), stream, group, consumer },
    };
  }

  #log(level: 'warn' | 'error', { seq, stream }: Pick<HandOver, 'seq' | 'stream'>, what: string): void {
    const { topic, log } = this.#deps;
    log.write(level, 'jetstream', `Message ${seq} of ${stream} (${topic}) ${what}`);
  }

  #wake(): void {
    for (const go of this.#waitingForRoom.splice(0)) go();
  }
}
