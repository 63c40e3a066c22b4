/**
 * One Redis subscription: reads entries of its group, renews its claim on open ones, claims those that other consumers left, and on close
 * leaves the group after its work has ended.
 */
import { errorText } from '../../contract/error-text.ts';
import type { Cancel, Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import { Unreachable } from './connection.ts';
import type { Connection } from './connection.ts';
import { clientIdOf, FIRST_ID, isGroupMissing } from './group.ts';
import type { Group } from './group.ts';
import type { StreamEntry } from './layout.ts';
import { NewEntries } from './new-entries.ts';
import type { OpenEntries } from './open-entries.ts';
import { PublishedEntries } from './published-entries.ts';
import type { NotHandedOver } from '../not-handed-over.ts';

export interface ConsumerDependencies {
  readonly group: Group;
  readonly entries: OpenEntries;
  /** Connection shared by all consumers; it never runs a blocking command. */
  readonly commands: Connection;
  /** Connection of this consumer alone; closed with it. */
  readonly reader: Connection;
  /** Maximum number of entries in one read. */
  readonly depth: number;
  readonly processingTimeoutMs: number;
  readonly redeliverIntervalMs: number;
  /** Entries that this instance published and nobody here has read yet: the server may have lost them. */
  readonly notHandedOver: NotHandedOver;
  /** True if the connection was lost after some of these entries were published. */
  readonly isDoubtful: boolean;
  /** Whether each publish trims its stream. */
  readonly trims: boolean;
  /** Called with messages that this instance published and the server lost before it delivered them. */
  readonly onLost: (messageIds: readonly string[]) => void;
  /** Called when the group was created, also again before it had caught up: older messages may have waited in the lost group. */
  readonly onNew: () => void;
  readonly clock: Clock;
  readonly log: Log;
}

const TROUBLE_PAUSE_MS = 1_000;
/** Pause between two reads while a connection is lost; the connection has longer pauses of its own. */
const AWAY_PAUSE_MS = 100;
/** Number of times that a close asks Redis to end a blocked read, and the pause between two of them. */
const UNBLOCK_TRIES = 20;
const UNBLOCK_PAUSE_MS = 50;
const NEVER = 0;

export class StreamConsumer {
  readonly #deps: ConsumerDependencies;
  readonly #timers = new Set<Cancel>();
  readonly #pauses = new Set<() => void>();
  readonly #published: PublishedEntries;
  readonly #new: NewEntries;
  /** Epoch of the reader's connection that was prepared last. */
  #epoch = NEVER;
  #hasBegun = false;
  #clientId: number | undefined;
  #isClosing = false;
  #closed: Promise<void> | undefined;
  #reading: Promise<void> = Promise.resolve();
  #isReading = false;
  #isPrepared = false;
  /** True if the server may have lost entries that were published before and that nobody has read. */
  #isDoubtful: boolean;
  /** Whether the group has received everything that was published before this consumer began. */
  #hasCaughtUp = false;
  /** Number of searches for lost messages that have begun, and number of those still running. */
  #looks = 0;
  #looking = 0;
  /** Last error logged, so that a repeated error is logged once. */
  #lastLogged = '';

  constructor(deps: ConsumerDependencies) {
    this.#deps = deps;
    this.#published = new PublishedEntries({ ...deps, later: (ms, work) => this.#in(ms, work) });
    this.#new = new NewEntries(deps);
    this.#isDoubtful = deps.isDoubtful;
  }

  get topic(): string {
    return this.#deps.group.names.topic;
  }

  /** Begins to read; connects by itself, as often as it takes. */
  start(): void {
    const { reader, processingTimeoutMs: timeoutMs, redeliverIntervalMs: intervalMs } = this.#deps;
    reader.follow();
    this.#isReading = true;
    this.#reading = this.#read().finally(() => {
      this.#isReading = false;
    });
    if (timeoutMs === 0 || intervalMs === 0) return;
    this.#every(0, intervalMs, () => this.#claim());
    const keepMs = Math.max(1, Math.floor(timeoutMs / 3));
    this.#every(keepMs, keepMs, () => this.#keep(keepMs));
  }

  /**
   * Called when the consumer group exists.
   * @param made true: it was created just now
   */
  prepared(made: boolean): void {
    if (made && !this.#isPrepared) this.#deps.onNew();
    this.#isDoubtful ||= made;
    this.#isPrepared = true;
  }

  /** Called when the connection for commands is lost: the server may lose messages. */
  connectionLost(): void {
    this.#isDoubtful = true;
  }

  /** Called when the connection for commands is back: sends acknowledgements that Redis has not received. */
  connectionBack(): void {
    void this.#deps.entries.flush();
  }

  /** Called when this instance sends a publish to the stream. */
  publishing(): void {
    this.#new.publishing();
  }

  /** Called when Redis has added an entry that this instance published. */
  published(id: string, messageId: string): void {
    this.#published.added(id, messageId);
  }

  /** Resolves when no `take` is running and the consumer has left the group, if Redis is reachable. */
  close(): Promise<void> {
    this.#isClosing = true;
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #read(): Promise<void> {
    const { reader, entries, depth } = this.#deps;
    while (!this.#isClosing) {
      try {
        if (!reader.isReady) await reader.ready();
        if (reader.epoch !== this.#epoch) await this.#begin();
        const room = entries.roomNow || (await entries.room());
        if (this.#isClosing) return;
        const count = Math.min(depth, room);
        let [mark, looks] = [0, 0];
        const given = await this.#new.read(count, () => {
          mark = this.#published.mark();
          looks = this.#looks;
        });
        this.#hand(given);
        // If the group was created again meanwhile, an empty read does not mean that somebody has received the entries of the stream.
        if (given.length < count && this.#looking === 0 && this.#looks === looks) {
          this.#hasCaughtUp = true;
          this.#published.passed(mark);
        }
        this.#lastLogged = '';
      } catch (error) {
        // Asks again for entries that Redis sent over the lost connection.
        if (error instanceof Unreachable) this.#epoch = NEVER;
        await this.#trouble(error);
      }
    }
  }

  #hand(given: readonly StreamEntry[]): readonly StreamEntry[] {
    this.#published.seen(given);
    this.#deps.entries.hand(given);
    return given;
  }

  /** Prepares a new connection: creates a missing group, and asks for entries that were lost with the old connection. */
  async #begin(): Promise<void> {
    const { group, reader, entries, depth } = this.#deps;
    const { epoch } = reader;
    const made = await group.make(reader);
    const wasPrepared = this.#isPrepared;
    this.prepared(made);
    // Published entries may be lost already at the first start. If the group existed, other consumers may have read them.
    if (this.#hasBegun || this.#isDoubtful) await this.#lost(made && wasPrepared);
    this.#clientId = await clientIdOf(reader);
    let after = FIRST_ID;
    while ((await entries.room()) > 0) {
      const from = after;
      const given = await entries.whileAsking(async () => this.#hand(await group.given(reader, from, depth)));
      const last = given.at(-1);
      if (last === undefined) break;
      after = last.id;
    }
    this.#epoch = epoch;
    this.#hasBegun = true;
  }

  /** Creates the lost group again, and reports the messages that were lost with it. */
  async #makeAgain(): Promise<void> {
    this.#looks += 1;
    this.#looking += 1;
    try {
      await this.#lost(await this.#deps.group.make());
    } finally {
      this.#looking -= 1;
    }
  }

  /** Reports published messages that are no longer in the stream: nobody will receive them, whoever created the group again. */
  async #lost(made: boolean): Promise<void> {
    const { group, log, onNew } = this.#deps;
    const { topic, group: name } = group.names;
    if (made) {
      // Only the history knows messages of an earlier run that waited in the lost group.
      if (!this.#hasCaughtUp) onNew();
      log.write(
        'warn',
        'redis',
        `The consumer group ${name} of ${topic} was gone. Sidelight created it again, and what is still in the stream comes once more.`,
      );
    }
    await this.#published.askForLost();
  }

  /** Claims entries that no consumer works on: their consumer ended, or their receiver returned them. */
  async #claim(): Promise<void> {
    const { group, entries, depth, processingTimeoutMs } = this.#deps;
    let from = FIRST_ID;
    do {
      if ((await entries.room()) === 0) return;
      const start = from;
      from = await entries.whileAsking(async () => {
        const claimed = await group.claim(processingTimeoutMs, start, depth);
        this.#hand(claimed.entries);
        return claimed.next;
      });
    } while (from !== FIRST_ID);
  }

  /** Renews the claim on open entries: a held one may be open for hours, and must not go to another consumer. */
  async #keep(keepMs: number): Promise<void> {
    const { group, entries } = this.#deps;
    await entries.flush();
    await group.keep(entries.ids, Math.floor(keepMs / 2));
  }

  #every(firstMs: number, nextMs: number, work: () => Promise<void>): void {
    this.#in(firstMs, async () => {
      try {
        if (this.#deps.commands.isReady) await work();
      } catch (error) {
        await this.#trouble(error);
      }
      if (!this.#isClosing) this.#every(nextMs, nextMs, work);
    });
  }

  /** Does the work after that time, unless the consumer is closed before. */
  #in(ms: number, work: () => Promise<void>): void {
    const { clock } = this.#deps;
    const cancel = clock.at(clock.now() + ms, () => {
      this.#timers.delete(cancel);
      work().catch((error: unknown) => this.#trouble(error));
    });
    this.#timers.add(cancel);
  }

  /** Handles an error: creates a lost group again; logs any other error and pauses. */
  async #trouble(error: unknown): Promise<void> {
    const { group, commands, reader, log } = this.#deps;
    // A connection that is being lost may still count as ready.
    if (error instanceof Unreachable || !reader.isReady || !commands.isReady)
      return this.#pause(AWAY_PAUSE_MS);
    const { topic, group: name } = group.names;
    let reason = errorText(error);
    if (isGroupMissing(error)) {
      try {
        await this.#makeAgain();
        return;
      } catch (again) {
        reason = errorText(again);
      }
    }
    const line = `Reading ${topic} for ${name} failed: ${reason}`;
    if (this.#lastLogged !== line) log.write('error', 'redis', line);
    this.#lastLogged = line;
    return this.#pause(TROUBLE_PAUSE_MS);
  }

  /** Resolves after the time, or earlier when the consumer is closed. */
  #pause(ms: number): Promise<void> {
    if (this.#isClosing) return Promise.resolve();
    const { clock } = this.#deps;
    return new Promise<void>((go) => {
      const end = (): void => {
        cancel();
        this.#pauses.delete(end);
        go();
      };
      const cancel = clock.at(clock.now() + ms, end);
      this.#pauses.add(end);
    });
  }

  async #close(): Promise<void> {
    const { group, entries, commands, reader, processingTimeoutMs, log } = this.#deps;
    for (const cancel of this.#timers) cancel();
    for (const end of this.#pauses) end();
    this.#new.stop();
    const closed = entries.close();
    const isOrderly = await this.#endReading();
    reader.end();
    await this.#reading;
    await closed;
    if (!isOrderly || !commands.isReady) return;
    try {
      await group.leave(processingTimeoutMs);
    } catch (error) {
      const { consumer, group: name } = group.names;
      log.write(
        'debug',
        'redis',
        `Consumer ${consumer} could not be removed from group ${name}: ${errorText(error)}`,
      );
    }
  }

  /**
   * Ends a blocked read.
   * @returns true: the server delivers nothing more to this consumer
   */
  async #endReading(): Promise<boolean> {
    const { group, commands, reader, clock, log } = this.#deps;
    for (let i = 0; i < UNBLOCK_TRIES; i += 1) {
      if (!this.#isReading) return true;
      if (!reader.isReady || !commands.isReady || this.#clientId === undefined) return false;
      try {
        // The command is repeated, because the read may still be on its way to the server.
        await group.unblock(this.#clientId);
      } catch (error) {
        log.write('debug', 'redis', `A waiting read of Redis could not be ended: ${errorText(error)}`);
        return false;
      }
      await new Promise<void>((go) => {
        const cancel = clock.at(clock.now() + UNBLOCK_PAUSE_MS, go);
        void this.#reading.then(() => {
          cancel();
          go();
        });
      });
    }
    return false;
  }
}
