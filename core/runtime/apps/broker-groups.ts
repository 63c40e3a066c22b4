/** Remembers which consumer groups brokers keep for apps: a remembered group that is missing later was lost, with its waiting messages. */
import type { MessageRow } from '../../contract/message.ts';
import type { Filter } from '../../domain/filter/ast.ts';
import { isObject } from '../../domain/json.ts';
import type { SharedServices } from '../common-services.ts';
import { laneName } from '../state/live.ts';
import type { LaneKey } from '../state/live.ts';

type GroupDependencies = Pick<SharedServices, 'journal' | 'clock' | 'live' | 'writer'>;

const KEPT = 'broker-groups';
const SLICE = 1_000;
/** Maximum number of remembered groups, and of characters of all their names. Those that no subscription used longest are removed first. */
export const MAX_GROUPS = 10_000;
const MAX_CHARACTERS = 4 * 1024 * 1024;

export class BrokerGroups {
  readonly #shared: GroupDependencies;
  #loading: Promise<Map<string, number>> | undefined;
  #began = 0;
  /** Number of characters of all names. */
  #characters = 0;
  /** The next write, which has not begun: it includes everything noted until then. */
  #nextWrite: Promise<void> | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(shared: GroupDependencies) {
    this.#shared = shared;
  }

  /** @param lastNumber number of the last message before this run */
  continueFrom(lastNumber: number): void {
    this.#began = lastNumber;
  }

  /**
   * Number of the last message that the group does not have to receive; undefined: the broker never had the group. Rejects if the journal
   * cannot be read.
   */
  async since(key: LaneKey): Promise<number | undefined> {
    const known = await this.#known();
    const name = groupName(key);
    const since = known.get(name);
    // Moves the group to the end of the order of use, so that a group in use is not the first to be forgotten.
    if (since !== undefined && known.delete(name)) known.set(name, since);
    return since;
  }

  /**
   * Notes that the broker has this group.
   * @param after number of the last message that is not meant for it. If absent, the group began at the start of the topic, and so also
   * receives messages published earlier in this run.
   */
  async note(key: LaneKey, after = this.#began): Promise<void> {
    const known = await this.#known();
    const name = groupName(key);
    if (!known.has(name)) this.#characters += name.length;
    known.set(name, after);
    this.#forgetUnused(known);
    await this.#keep(known);
  }

  /** Forgets the group: its component no longer has a broker. */
  async forget(key: LaneKey): Promise<void> {
    const known = await this.#known();
    const name = groupName(key);
    if (!known.delete(name)) return;
    this.#characters -= name.length;
    await this.#keep(known);
  }

  /** Ids of messages after that number which this group never received, oldest first. */
  async neverReceived(key: LaneKey, since: number): Promise<readonly string[]> {
    const { journal, clock, live } = this.#shared;
    const found: string[] = [];
    for (let after: number | undefined = since; after !== undefined;) {
      const slice: Awaited<ReturnType<typeof journal.scan>> = await journal.scan({
        order: 'oldest',
        limit: SLICE,
        nowMs: clock.now(),
        after,
        filter: ofTopic(key.topic),
      });
      for (const row of await journal.rows(slice.numbers)) {
        // The broker delivers a message that is being published now by itself.
        if (row !== undefined && isOwed(row, key) && live.message(row.messageId)?.published !== false)
          found.push(row.messageId);
      }
      after = slice.next;
    }
    return found;
  }

  #known(): Promise<Map<string, number>> {
    // After a failed read the next caller tries again.
    this.#loading ??= this.#load().catch((error: unknown) => {
      this.#loading = undefined;
      throw error;
    });
    return this.#loading;
  }

  async #load(): Promise<Map<string, number>> {
    const kept = await this.#shared.journal.kept(KEPT);
    const entries = isObject(kept) ? Object.entries(kept) : [];
    const known = new Map(
      entries.flatMap(([name, since]) => (typeof since === 'number' ? [[name, since] as const] : [])),
    );
    this.#characters = [...known.keys()].reduce((sum, { length }) => sum + length, 0);
    return known;
  }

  #forgetUnused(known: Map<string, number>): void {
    for (const name of known.keys()) {
      if (known.size <= MAX_GROUPS && this.#characters <= MAX_CHARACTERS) return;
      known.delete(name);
      this.#characters -= name.length;
    }
  }

  /** Writes all groups as one record, so that changes of many subscriptions at the same time are written once. */
  #keep(known: ReadonlyMap<string, number>): Promise<void> {
    this.#nextWrite ??= this.#writing.then(() => {
      this.#nextWrite = undefined;
      this.#writing = this.#shared.writer.keep(KEPT, Object.fromEntries(known));
      return this.#writing;
    });
    return this.#nextWrite;
  }
}

/**
 * Whether the app should have received this message and never did. Deliveries to other apps do not count; a waiting one continues by
 * itself.
 */
function isOwed(row: MessageRow, { appId, pubsubname, topic }: LaneKey): boolean {
  if (row.pubsubname !== pubsubname || row.topic !== topic || row.replayTo !== undefined) return false;
  if (row.stage !== undefined && row.stage !== 'waiting') return false;
  if (row.waitingFor?.includes(appId) === true) return false;
  return row.deliveries.every((delivery) => delivery.appId !== appId);
}

function ofTopic(topic: string): Filter {
  return {
    isEmpty: false,
    root: { kind: 'term', key: 'topic', op: '=', values: [{ kind: 'string', value: topic }] },
  };
}

/** Name of a group. Streams of an app share one with its other subscriptions to the topic. */
function groupName({ appId, pubsubname, topic }: LaneKey): string {
  return laneName({ appId, pubsubname, topic });
}
