/** The messages of one consumer that the runtime has: each is there once, kept as being worked on, and acknowledged at its end. */
import type { JsMsg } from '@nats-io/jetstream';
import type { Log } from '../../ports/log.ts';
import type { InboundMessage, Taken } from '../../ports/pubsub.ts';
import type { Slots } from '../slots.ts';
import { reasonOf } from './connection.ts';
import { contentOf, placeIn } from './layout.ts';
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
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

interface Open {
  readonly identity: string;
  /** The hand-over that is to be answered. */
  message: JsMsg;
}

export class OpenMessages {
  readonly #deps: OpenMessagesDependencies;
  /** By number in the stream, which is all that an answer says: one number is never answered for two messages. */
  readonly #open = new Map<number, Open>();
  readonly #running = new Set<Promise<void>>();
  /** Not taken when it was closed. */
  readonly #left: JsMsg[] = [];
  #waitingForSlot = 0;
  #waitingForRoom: (() => void)[] = [];
  #isClosed = false;

  constructor(deps: OpenMessagesDependencies) {
    this.#deps = deps;
  }

  /** Waits until what it has got could be handed over. False = it is closed. */
  async room(): Promise<boolean> {
    while (!this.#isClosed && this.#waitingForSlot > 0) {
      // Messages wait on the server, where other consumers of the group can have them, not here.
      await new Promise<void>((go) => void this.#waitingForRoom.push(go));
    }
    return !this.#isClosed;
  }

  /** Hands it over unless it is open already. Not waited for. */
  hand(message: JsMsg): void {
    if (this.#isClosed) {
      this.#left.push(message);
      return;
    }
    const identity = identityOf(message);
    const there = this.#open.get(message.seq);
    if (there?.identity === identity) {
      // Handed over once more, for example after a lost connection: the newest one is answered.
      there.message = message;
      return;
    }
    // Another one has the number of one that is still open: the stream was lost and counts anew. The old one goes on
    // to its end, but the server has nothing of it, and would take its answer for one to the new one.
    const open: Open = { identity, message };
    this.#open.set(message.seq, open);
    void this.#hand(open);
  }

  /** Says that all of them are still being worked on. */
  keep(): void {
    for (const { message } of this.#open.values()) message.working();
  }

  /** Hands nothing over any more; resolves when no `take` is running. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#wake();
    await Promise.all(this.#running);
  }

  /**
   * After the close: others of the group, or the next life of this one, may have the rest at once.
   * Only when the server knows that nobody pulls here any more: it would hand them to this consumer again.
   */
  leave(): void {
    for (const message of this.#left.splice(0)) message.nak();
  }

  async #hand(open: Open): Promise<void> {
    const leave = await this.#slot();
    if (!this.#isClosed) {
      const taking = this.#take(open);
      this.#running.add(taking);
      await taking;
      this.#running.delete(taking);
    } else if (this.#isAnswered(open)) this.#left.push(open.message);
    if (this.#isAnswered(open)) this.#open.delete(open.message.seq);
    leave();
    this.#wake();
  }

  async #take(open: Open): Promise<void> {
    let taken: Taken = 'redeliver';
    try {
      taken = await this.#deps.take(this.#inbound(open.message));
    } catch (error) {
      this.#tell('error', open.message, `was not taken: ${reasonOf(error)}`);
    }
    if (!this.#isAnswered(open)) return;
    if (taken === 'done') open.message.ack();
    else this.#giveBack(open.message);
  }

  /** False: its number is another message's by now. */
  #isAnswered(open: Open): boolean {
    return this.#open.get(open.message.seq) === open;
  }

  #giveBack(message: JsMsg): void {
    const { backOffMs, maxDeliver } = this.#deps;
    const { deliveryCount } = message.info;
    if (this.#isClosed) {
      this.#left.push(message);
      return;
    }
    if (maxDeliver !== undefined && deliveryCount >= maxDeliver)
      this.#tell(
        'error',
        message,
        `was handed over ${deliveryCount} times (maxDeliver): it does not come again`,
      );
    message.nak(backOffMs[Math.min(deliveryCount, backOffMs.length) - 1] ?? pauseAfter(deliveryCount));
  }

  async #slot(): Promise<() => void> {
    const { slots } = this.#deps;
    if (slots === undefined) return () => undefined;
    this.#waitingForSlot += 1;
    const leave = await slots.take();
    this.#waitingForSlot -= 1;
    this.#wake();
    return leave;
  }

  #inbound(message: JsMsg): InboundMessage {
    const { topic, group, consumer } = this.#deps;
    const { stream } = message.info;
    const { messageId, metadata, trouble } = contentOf(message.headers);
    if (trouble !== undefined) this.#tell('warn', message, `has metadata that is not readable: ${trouble}`);
    return {
      ...(messageId === undefined ? {} : { messageId }),
      brokerKey: brokerKey(stream, message.seq, message.timestampNanos),
      topic,
      wire: message.data,
      metadata,
      broker: { id: String(message.seq), stream, group, consumer },
    };
  }

  #tell(level: 'warn' | 'error', { seq, info }: JsMsg, what: string): void {
    const { topic, log } = this.#deps;
    log.write(level, 'jetstream', `Message ${seq} of ${info.stream} (${topic}) ${what}`);
  }

  #wake(): void {
    for (const go of this.#waitingForRoom.splice(0)) go();
  }
}

/** Names a message among all that ever had its number, others' without an id too. */
function identityOf({ seq, headers, timestampNanos, info }: JsMsg): string {
  return `${info.stream} ${timestampNanos} ${placeIn(seq, headers)}`;
}

function pauseAfter(handOvers: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** Math.min(handOvers - 1, 10), LONGEST_PAUSE_MS);
}
