/** What is unfinished, by topic, and whether there is room for more: the rule is that of domain/backlog.ts. */
import { sayShortage, shortageOf, shortageOfAll } from '../../domain/backlog.ts';
import type { Limits, Measure, Shortage, Waiting } from '../../domain/backlog.ts';
import { ENDED_STATES } from '../../contract/delivery.ts';
import type { DeliveryState } from '../../contract/delivery.ts';
import { lengthOf, metadataMemory } from '../../domain/metadata.ts';
import type { SettingsStore } from '../../ports/settings-store.ts';
import type { LiveMessage } from './live.ts';

/** Memory of a waiting message with one delivery, next to its texts: an estimate on the safe side. */
const MESSAGE_MEMORY = 6000;

/** Where a message is counted. */
export interface Place {
  readonly pubsubname: string;
  readonly topic: string;
}

interface Use extends Place {
  /** Messages without deliveries that wait, and those that are being accepted. */
  count: number;
  /** Deliveries that have not ended. */
  open: number;
  bytes: number;
  memory: number;
}

/** What one message adds. */
interface Share extends Waiting {
  readonly use: Use;
}

export interface BacklogDependencies {
  readonly settings: SettingsStore;
  /** For everything that waits. */
  readonly memoryBytes: number;
  /** What the journal can keep where that is less than the setting says; undefined: as much as there is disk. */
  readonly journalBytes: number | undefined;
}

export class Backlog {
  readonly #deps: BacklogDependencies;
  readonly #uses = new Map<string, Use>();
  readonly #shares = new Map<string, Share>();
  readonly #all = { count: 0, open: 0, bytes: 0, memory: 0 };

  constructor(deps: BacklogDependencies) {
    this.#deps = deps;
  }

  /**
   * Counts a message as it stands now, once; bodies in memory have a budget of their own.
   * What a tap observes waits elsewhere and does not count.
   * @param isStaged it waits without deliveries @param bytes of its body where it is kept
   */
  note(message: LiveMessage, isStaged: boolean, bytes: number): void {
    const { row, metadata } = message;
    this.forget(message);
    if (row.tap !== undefined) return;
    const share: Share = {
      use: this.#use(row),
      count: isStaged ? 1 : 0,
      bytes: bytes + lengthOf(metadata),
      memory: MESSAGE_MEMORY + metadataMemory(metadata),
    };
    this.#shares.set(message.messageId, share);
    this.#add(share.use, share, 1);
  }

  forget({ messageId }: LiveMessage): void {
    const share = this.#shares.get(messageId);
    if (share === undefined) return;
    this.#shares.delete(messageId);
    this.#add(share.use, share, -1);
  }

  /** A delivery came into being (from null), moved, or left the memory (to null). */
  moved({ row }: LiveMessage, from: DeliveryState | null, to: DeliveryState | null): void {
    const by = Number(isOpen(to)) - Number(isOpen(from));
    if (by === 0 || row.tap !== undefined) return;
    const use = this.#use(row);
    use.open += by;
    this.#all.open += by;
    this.#forgetUnused(use);
  }

  /** Counts a message that is being accepted; to be ended, once or twice, when it is live or was refused. */
  begin(place: Place, bytes: number): () => void {
    const use = this.#use(place);
    const share: Waiting = { count: 1, bytes, memory: MESSAGE_MEMORY };
    this.#add(use, share, 1);
    let isOver = false;
    return () => {
      if (!isOver) this.#add(use, share, -1);
      isOver = true;
    };
  }

  /** Why nothing more of a topic is taken at present; undefined: it is. */
  full(place: Place): string | undefined {
    const own = this.#of(place);
    const shortage = shortageOf(own, this.#total, this.#limits);
    if (shortage === undefined) return undefined;
    if (shortage.forAll) return this.#sayFull(shortage);
    return sayShortage(shortage, place.topic);
  }

  /** Why what waits of a topic may not become larger by so many bytes; undefined: it may. */
  fullWith(place: Place, more: number): string | undefined {
    if (more <= 0) return undefined;
    const own = { ...NOTHING, bytes: this.#of(place).bytes + more };
    const shortage = shortageOf(own, { ...NOTHING, bytes: this.#all.bytes + more }, this.#limits);
    if (shortage === undefined) return undefined;
    return shortage.forAll ? this.#sayFull(shortage) : sayShortage(shortage, place.topic);
  }

  /** Why nothing more of any topic is taken at present; undefined: something is. */
  get fullForAll(): string | undefined {
    const shortage = shortageOfAll(this.#total, this.#limits);
    return shortage === undefined ? undefined : this.#sayFull(shortage);
  }

  get #limits(): Limits {
    const { settings, journalBytes = Infinity, memoryBytes } = this.#deps;
    const bytes = settings.current['delivery.backlogBytes'];
    return {
      count: settings.current['delivery.backlog'],
      bytes: Math.min(bytes, journalBytes),
      memory: memoryBytes,
      byHeap: journalBytes < bytes,
    };
  }

  get #total(): Waiting {
    const { count, open, bytes, memory } = this.#all;
    return { count: count + open, bytes, memory };
  }

  #of({ pubsubname, topic }: Place): Waiting {
    const use = this.#uses.get(nameOf({ pubsubname, topic }));
    if (use === undefined) return NOTHING;
    return { count: use.open + use.count, bytes: use.bytes, memory: use.memory };
  }

  #sayFull(shortage: Shortage): string {
    return sayShortage(shortage, this.#most(shortage.measure));
  }

  /** The topic that has most. */
  #most(measure: Measure): string {
    let most = { topic: '', used: -1 };
    for (const place of this.#uses.values()) {
      const used = this.#of(place)[measure];
      if (used > most.used) most = { topic: place.topic, used };
    }
    return most.topic;
  }

  #use({ pubsubname, topic }: Place): Use {
    const name = nameOf({ pubsubname, topic });
    let use = this.#uses.get(name);
    if (use === undefined)
      this.#uses.set(name, (use = { pubsubname, topic, count: 0, open: 0, bytes: 0, memory: 0 }));
    return use;
  }

  #add(use: Use, share: Waiting, sign: 1 | -1): void {
    for (const sum of [use, this.#all]) {
      sum.count += sign * share.count;
      sum.bytes += sign * share.bytes;
      sum.memory += sign * share.memory;
    }
    this.#forgetUnused(use);
  }

  #forgetUnused(use: Use): void {
    if (use.memory === 0 && use.open === 0) this.#uses.delete(nameOf(use));
  }
}

const NOTHING: Waiting = { count: 0, bytes: 0, memory: 0 };
const ENDED: ReadonlySet<DeliveryState> = new Set(ENDED_STATES);

function isOpen(state: DeliveryState | null): boolean {
  return state !== null && !ENDED.has(state);
}

function nameOf({ pubsubname, topic }: Place): string {
  return `${pubsubname}\n${topic}`;
}
