/** The commands of one consumer in one consumer group of one stream, and the shapes of their replies. */
import { isReply } from './connection.ts';
import type { Connection } from './connection.ts';
import type { StreamEntry } from './layout.ts';

export interface GroupNames {
  readonly topic: string;
  readonly group: string;
  readonly consumer: string;
}

export interface Claimed {
  /** Id from which the next claim continues; "0-0" = the end was reached. */
  readonly next: string;
  readonly entries: readonly StreamEntry[];
}

/** Time that a read blocks; shorter than the silence after which the connection counts as lost. */
const BLOCK_MS = 5_000;
/** Consumer that owns the entries of closed consumers, until another consumer claims them. */
const LEFT = 'sidelight-left';
/** Silence after which a consumer counts as ended; a running one reads again within `BLOCK_MS`. */
const SILENT_AFTER_MS = 15_000;
/** Maximum number of ids in one command. */
const SLICE = 500;
/** Maximum number of slices of pending entries to look through: more than a consumer ever has open. */
const MAX_SLICES = 100;
export const FIRST_ID = '0-0';

export class Group {
  /** An entry that is never freed, for the reason in last-made.ts. */
  static readonly kept = entriesOf([[FIRST_ID, []]]);

  readonly names: GroupNames;
  readonly #commands: Connection;
  /** Arguments of the last non-blocking read, kept because they rarely change. */
  #now: { readonly count: number; readonly args: readonly string[] } = { count: 0, args: [] };

  /** @param commands a connection that runs no blocking command */
  constructor(names: GroupNames, commands: Connection) {
    this.names = names;
    this.#commands = commands;
  }

  /**
   * Creates stream and group where they are missing; the group receives the whole history.
   * @returns true: the group was missing
   */
  async make(on: Connection = this.#commands): Promise<boolean> {
    const { topic, group } = this.names;
    try {
      await on.call('XGROUP', ['CREATE', topic, group, '0', 'MKSTREAM']);
      return true;
    } catch (error) {
      if (isReply(error) && error.message.startsWith('BUSYGROUP')) return false;
      throw error;
    }
  }

  /**
   * Reads new entries and waits for some; [] after a while. Blocks its connection.
   * @param blockMs shorter than the silence after which the connection counts as lost
   */
  async read(on: Connection, count: number, blockMs = BLOCK_MS): Promise<readonly StreamEntry[]> {
    return this.#read(on, count, '>', ['BLOCK', String(blockMs)]);
  }

  /** Reads new entries without waiting for any. */
  readNow(
    count: number,
    onEntries: (entries: readonly StreamEntry[]) => void,
    refused: (error: Error) => void,
  ): void {
    if (this.#now.count !== count) this.#now = { count, args: this.#readArgs(count, '>', []) };
    this.#commands.ask('XREADGROUP', this.#now.args, (reply) => onEntries(entriesOfRead(reply)), refused);
  }

  /** Calls back after all other commands of this turn of the event loop. */
  behindAll(ask: () => void): void {
    this.#commands.behindAll(ask);
  }

  /** Entries after an id that Redis has delivered to this consumer and it has not acknowledged. */
  async given(on: Connection, after: string, count: number): Promise<readonly StreamEntry[]> {
    return this.#read(on, count, after, []);
  }

  /** Number of entries in the stream. */
  async length(): Promise<number> {
    return Number(await this.#commands.call('XLEN', [this.names.topic]));
  }

  /** Calls back soon, when a command can share a write with others. */
  alongside(ask: () => void): void {
    this.#commands.alongside(ask);
  }

  acknowledge(ids: readonly string[]): Promise<void> {
    return ids.length > SLICE ? this.#acknowledgeMany(ids) : this.#acknowledge(ids);
  }

  async #acknowledgeMany(ids: readonly string[]): Promise<void> {
    for (const some of slices(ids)) await this.#acknowledge(some);
  }

  #acknowledge(ids: readonly string[]): Promise<void> {
    const { topic, group } = this.names;
    return new Promise((resolve, reject) =>
      this.#commands.ask('XACK', [topic, group, ...ids], () => resolve(), reject),
    );
  }

  /** For each entry whether it is in the stream. */
  async has(ids: readonly string[]): Promise<readonly boolean[]> {
    const { topic } = this.names;
    const replies = await Promise.all(ids.map(async (id) => this.#commands.call('XRANGE', [topic, id, id])));
    return replies.map((reply) => list(reply).length > 0);
  }

  /** For each entry whether Redis has delivered it to a consumer of the group that has not acknowledged it. */
  async arePending(ids: readonly string[]): Promise<readonly boolean[]> {
    const { topic, group } = this.names;
    const found: boolean[] = [];
    for (const some of slices(ids)) {
      const asked = some.map(async (id) => this.#commands.call('XPENDING', [topic, group, id, id, 1]));
      found.push(...(await Promise.all(asked)).map((reply) => list(reply).length > 0));
    }
    return found;
  }

  /** True if no other consumer has read for this group lately. */
  async isAlone(): Promise<boolean> {
    const { topic, group, consumer } = this.names;
    const consumers = list(await this.#commands.call('XINFO', ['CONSUMERS', topic, group]));
    return consumers.every((one) => {
      const facts = list(one);
      const [name, idleMs] = [text(facts[1]), Number(facts[5])];
      return name === consumer || name === LEFT || idleMs > SILENT_AFTER_MS;
    });
  }

  /** Takes over entries that no consumer has acknowledged or claimed for `idleMs`. */
  async claim(idleMs: number, from: string, count: number): Promise<Claimed> {
    const { topic, group, consumer } = this.names;
    const reply = await this.#commands.call('XAUTOCLAIM', [
      topic,
      group,
      consumer,
      idleMs,
      from,
      'COUNT',
      count,
    ]);
    const [next, entries] = list(reply);
    return { next: text(next), entries: entriesOf(entries) };
  }

  /** Renews the claim on entries that no other consumer has taken over within `idleMs`. */
  async keep(ids: readonly string[], idleMs: number): Promise<void> {
    const { topic, group, consumer } = this.names;
    for (const some of slices(ids)) {
      await this.#commands.call('XCLAIM', [topic, group, consumer, idleMs, ...some, 'JUSTID']);
    }
  }

  /** Ends a blocked read, so that Redis delivers nothing to a connection that is about to close. */
  async unblock(clientId: number): Promise<void> {
    await this.#commands.call('CLIENT', ['UNBLOCK', clientId]);
  }

  /**
   * Leaves the group: other consumers can claim its pending entries at once, and its consumer is deleted. Call it only when this consumer
   * reads no more: entries that it still received would be lost to the group.
   */
  async leave(idleMs: number): Promise<void> {
    const { topic, group, consumer } = this.names;
    for (let i = 0; i < MAX_SLICES; i += 1) {
      const pending = list(
        await this.#commands.call('XPENDING', [topic, group, '-', '+', SLICE, consumer]),
      ).map((one) => text(list(one)[0]));
      if (pending.length === 0) {
        await this.#commands.call('XGROUP', ['DELCONSUMER', topic, group, consumer]);
        return;
      }
      await this.#commands.call('XCLAIM', [
        topic,
        group,
        LEFT,
        0,
        ...pending,
        'IDLE',
        Math.max(1, idleMs),
        'JUSTID',
      ]);
    }
  }

  async #read(
    on: Connection,
    count: number,
    after: string,
    block: readonly string[],
  ): Promise<readonly StreamEntry[]> {
    return entriesOfRead(await on.call('XREADGROUP', this.#readArgs(count, after, block)));
  }

  #readArgs(count: number, after: string, block: readonly string[]): readonly string[] {
    const { topic, group, consumer } = this.names;
    return ['GROUP', group, consumer, 'COUNT', String(count), ...block, 'STREAMS', topic, after];
  }
}

/** True if a command failed because stream or group do not exist. */
export function isGroupMissing(error: unknown): boolean {
  return isReply(error) && /^(NOGROUP|UNBLOCKED)\b/.test(error.message);
}

/** The id of a connection on its server. */
export async function clientIdOf(connection: Connection): Promise<number | undefined> {
  const id = await connection.call('CLIENT', ['ID']);
  return typeof id === 'number' ? id : undefined;
}

function entriesOfRead(reply: unknown): readonly StreamEntry[] {
  const [stream] = list(reply);
  return entriesOf(list(stream)[1]);
}

function entriesOf(reply: unknown): readonly StreamEntry[] {
  return list(reply).flatMap((one) => {
    const [id, fields] = list(one);
    // A deleted entry is null as a whole (Redis 6) or has no fields.
    if (id === undefined) return [];
    return [{ id: text(id), fields: fields === null ? undefined : list(fields).filter(isBytes) }];
  });
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function text(value: unknown): string {
  return isBytes(value)
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString()
    : String(value);
}

function isBytes(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array;
}

function* slices(ids: readonly string[]): Generator<readonly string[]> {
  for (let from = 0; from < ids.length; from += SLICE) yield ids.slice(from, from + SLICE);
}
