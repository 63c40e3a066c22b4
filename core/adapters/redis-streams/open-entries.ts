/** Entries of one consumer that the runtime is working on: given to it once, and acknowledged at their end. */
import { errorText } from '../../contract/error-text.ts';
import { lastMade, SMALL_BODY_BYTES } from '../../domain/last-made.ts';
import type { Log } from '../../ports/log.ts';
import type { InboundMessage, Taken } from '../../ports/pubsub.ts';
import { Acknowledgements } from './acknowledgements.ts';
import { isReply } from './connection.ts';
import type { Group } from './group.ts';
import { brokerKey, contentMark, contentOf } from './layout.ts';
import type { StreamEntry } from './layout.ts';
import { SlotQueue } from '../slots.ts';
import type { Slots } from '../slots.ts';

export interface OpenEntriesDependencies {
  readonly group: Pick<Group, 'names' | 'acknowledge' | 'alongside'>;
  /** Address of the server and number of its database, which together are unique. */
  readonly server: string;
  /** undefined: only the app's own limits count. */
  readonly slots: Slots | undefined;
  readonly log: Log;
  readonly take: (message: InboundMessage) => Promise<Taken>;
}

/** Maximum number of entries that the runtime has at once (held and retrying ones too); Redis keeps the others. */
const MAX_OPEN = 10_000;

export class OpenEntries {
  readonly #deps: OpenEntriesDependencies;
  readonly #acknowledgements: Acknowledgements;
  /** Content mark of each entry that the runtime has or that waits for a slot, by id, which is all that an acknowledgement contains. */
  readonly #open = new Map<string, number>();
  readonly #slot: SlotQueue;
  #running = 0;
  #waitingForEnd: (() => void)[] = [];
  #waitingForRoom: (() => void)[] = [];
  #isClosed = false;
  #refused = '';

  constructor(deps: OpenEntriesDependencies) {
    this.#deps = deps;
    this.#slot = new SlotQueue(deps.slots, () => this.#wake());
    this.#acknowledgements = new Acknowledgements({
      send: (ids) => deps.group.acknowledge(ids),
      soon: (go) => deps.group.alongside(go),
      onTrouble: (error) => this.#notAcknowledged(error),
    });
  }

  get ids(): readonly string[] {
    return [...this.#open.keys()];
  }

  /**
   * Number of entries that the runtime can take now. Others wait in Redis, where other consumers of the group can get them, and not here.
   */
  get roomNow(): number {
    if (this.#isClosed || this.#slot.isWaiting) return 0;
    return Math.max(0, MAX_OPEN - this.#open.size - this.#acknowledgements.size);
  }

  /**
   * Number of entries that the runtime can take; waits until it is above 0.
   * @returns 0: closed
   */
  async room(): Promise<number> {
    while (!this.#isClosed) {
      const room = this.roomNow;
      if (room > 0) return room;
      await new Promise<void>((go) => void this.#waitingForRoom.push(go));
    }
    return 0;
  }

  /** Gives those entries to the runtime that are not open already. Does not wait for them. */
  hand(entries: readonly StreamEntry[]): void {
    for (const { id, fields } of entries) {
      if (this.#isClosed) continue;
      const there = this.#open.get(id);
      if (fields === undefined) {
        if (there === undefined) this.#acknowledgements.add(id);
        continue;
      }
      const mark = contentMark(fields);
      // A different entry may have the id of an open one, or of one that has ended: the stream was lost and the id came again within a
      // millisecond, or somebody wrote it by hand. The old entry must not be acknowledged: Redis would take that for the end of the new
      // one.
      if (there === mark) continue;
      if (this.#acknowledgements.owes(id, mark)) {
        this.#acknowledgements.add(id, mark);
        continue;
      }
      this.#acknowledgements.forget(id);
      this.#hand(id, fields, mark);
    }
  }

  /**
   * Asks Redis for entries that were delivered before, and gives them to the runtime. One of them may end here, and be acknowledged, after
   * Redis sent its reply and before the reply is read: it is recognised and not taken for a new one.
   */
  async whileAsking<T>(askAndHand: () => Promise<T>): Promise<T> {
    const answered = this.#acknowledgements.asking();
    try {
      return await askAndHand();
    } finally {
      answered();
    }
  }

  /** Sends all pending acknowledgements. */
  flush(): Promise<void> {
    return this.#acknowledgements.flush();
  }

  /** Stops giving entries to the runtime; resolves when no `take` is running and acknowledgements are sent, if Redis is reachable. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#wake();
    if (this.#running > 0) await new Promise<void>((go) => void this.#waitingForEnd.push(go));
    await this.#acknowledgements.flush();
  }

  /** Gives one entry to the runtime. Nothing here keeps its bytes: a delivery may be open for hours, and the history has them. */
  #hand(id: string, fields: readonly Uint8Array[], mark: number): void {
    this.#open.set(id, mark);
    // Without a limit the runtime gets the entry in this turn of the event loop.
    if (this.#deps.slots === undefined) this.#start(id, mark, fields);
    else void this.#slot.take().then((leave) => this.#start(id, mark, fields, leave));
  }

  #start(id: string, mark: number, fields: readonly Uint8Array[], leave?: () => void): void {
    this.#running += 1;
    const over = (taken: Taken): void => {
      if (taken === 'done' && this.#open.get(id) === mark) this.#acknowledgements.add(id, mark);
      this.#over(id, mark, leave);
    };
    if (this.#isClosed) over('redeliver');
    else
      this.#begun(id, fields).then(over, (error: unknown) => {
        this.#failed(id, error);
        over('redeliver');
      });
  }

  #over(id: string, mark: number, leave: (() => void) | undefined): void {
    if (this.#open.get(id) === mark) this.#open.delete(id);
    leave?.();
    this.#running -= 1;
    if (this.#running === 0) for (const go of this.#waitingForEnd.splice(0)) go();
    this.#wake();
  }

  /** Gives an entry to the runtime. Rejects if the runtime did not take it. */
  #begun(id: string, fields: readonly Uint8Array[]): Promise<Taken> {
    try {
      return this.#deps.take(this.#inbound(id, fields));
    } catch (error) {
      return Promise.reject(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #failed(id: string, error: unknown): void {
    const { topic } = this.#deps.group.names;
    this.#deps.log.write(
      'error',
      'redis',
      `Entry ${id} of ${topic} failed inside Sidelight: ${errorText(error)}`,
    );
  }

  #inbound(id: string, fields: readonly Uint8Array[]): InboundMessage {
    const { group, server, log } = this.#deps;
    const { topic, group: name, consumer } = group.names;
    const { messageId, data, metadata, trouble } = contentOf(fields);
    if (trouble !== undefined)
      log.write('warn', 'redis', `Sidelight cannot read the metadata of entry ${id} of ${topic}: ${trouble}`);
    const inbound: InboundMessage = {
      ...(messageId === undefined ? {} : { messageId }),
      brokerKey: () => brokerKey(server, topic, id, data),
      topic,
      wire: data,
      metadata,
      broker: { id, group: name, consumer },
    };
    if (data.length <= SMALL_BODY_BYTES) lastMade.inbound = inbound;
    return inbound;
  }

  /** Logs once that Redis refuses an acknowledgement; a lost connection is reported elsewhere. */
  #notAcknowledged(error: unknown): void {
    if (!isReply(error) || error.message === this.#refused) return;
    this.#refused = error.message;
    const { topic, group } = this.#deps.group.names;
    this.#deps.log.write(
      'error',
      'redis',
      `Redis did not accept the acknowledgement of entries of ${topic} for group ${group}: ${error.message}`,
    );
  }

  #wake(): void {
    if (this.#waitingForRoom.length === 0) return;
    for (const go of this.#waitingForRoom.splice(0)) go();
  }
}
