/** Counts unfinished messages by topic, and decides whether there is room for more by the rule in domain/backlog.ts. */
import {
  describeMissingCopy,
  describeShortage,
  isLent,
  shortageOf,
  shortageOfAll,
  shortageOfCopies,
  staysLent,
} from '../../domain/backlog.ts';
import type { Charge, Limits, Measure, Shortage, Size, Waiting } from '../../domain/backlog.ts';
import { isEndedState } from '../../contract/delivery.ts';
import type { DeliveryState } from '../../contract/delivery.ts';
import type { MessageRow } from '../../contract/message.ts';
import { lengthOf, metadataMemory } from '../../domain/metadata.ts';
import { rowMemory } from '../../domain/row-memory.ts';
import { addTo, addToAll, ReplacedByCopies, without } from './replaced-by-copies.ts';
import type { SettingsStore } from '../../ports/settings-store.ts';

/** Estimated memory of a waiting message with one delivery, without its texts; rather too high than too low. */
const MESSAGE_MEMORY = 6000;

/** Component and topic under which a message is counted. */
export interface PubsubTopic {
  readonly pubsubname: string;
  readonly topic: string;
}

interface Use extends PubsubTopic {
  /** Messages without deliveries that wait, and those that are being accepted. */
  count: number;
  /** Deliveries that have not ended. */
  open: number;
  bytes: number;
  memory: number;
}

/** Members of a row that decide under which topic it is counted. */
type Charged = Pick<MessageRow, 'pubsubname' | 'topic' | 'deadLetterOf'>;

/** Share that one message adds. Consecutive messages with equal shares have one object, which saves memory for each of them. */
export interface Share extends Charge {
  readonly use: Use;
}

/** Members of a message that are counted. */
interface CountedMessage {
  readonly row: MessageRow;
  readonly metadata: Readonly<Record<string, string>>;
  readonly share: Share | undefined;
  noteShare(share: Share | undefined): void;
  readonly deliveries: readonly CountedDelivery[];
}

/** Members of a delivery that are counted. */
interface CountedDelivery {
  readonly state: DeliveryState | null;
  readonly message: CountedMessage;
}

const NO_SIZE: Size = { bytes: 0, memory: 0 };

/**
 * What a message adds to the unfinished work, without the long texts of its row.
 * @param bytes size of its body where it is kept
 */
export function sizeOf(metadata: CountedMessage['metadata'], bytes: number): Size {
  return { bytes: bytes + lengthOf(metadata), memory: MESSAGE_MEMORY + metadataMemory(metadata) };
}

export interface BacklogDependencies {
  readonly settings: SettingsStore;
  /** Memory for all unfinished messages. */
  readonly memoryBytes: number;
  /** Size that the journal can keep, if it is below the setting; undefined: only the disk limits it. */
  readonly journalBytes: number | undefined;
}

export class Backlog {
  readonly #deps: BacklogDependencies;
  readonly #uses = new Map<string, Use>();
  readonly #replaced = new ReplacedByCopies<CountedDelivery, Use>();
  #lastShare: Share | undefined;
  /** The last used counter, because most consecutive calls concern one topic. */
  #lastUse: Use | undefined;
  readonly #all = { count: 0, open: 0, bytes: 0, memory: 0 };
  /** What is lent, which is not part of the bytes and memory of all. */
  readonly #lent = { ...NOTHING };
  /** Messages whose room was lent while they were accepted, and which have no share yet. */
  readonly #begunLent = new WeakSet<CountedMessage>();

  constructor(deps: BacklogDependencies) {
    this.#deps = deps;
  }

  /**
   * Counts a message in its present state, once. Bodies in memory have a budget of their own. Observed messages wait elsewhere: only the
   * memory of their long texts counts.
   * @param isStaged whether it waits without deliveries
   * @param bytes size of its body where it is kept
   */
  note(message: CountedMessage, isStaged: boolean, bytes: number): void {
    const { row, metadata } = message;
    const wasLent = message.share?.isLent === true || this.#begunLent.delete(message);
    this.forget(message);
    if (row.tap !== undefined) return this.#noteObserved(message);
    const size = sizeOf(metadata, bytes);
    const memory = size.memory + rowMemory(row);
    this.#noteShare(message, { count: isStaged ? 1 : 0, bytes: size.bytes, memory }, wasLent);
  }

  #noteObserved(message: CountedMessage): void {
    const memory = rowMemory(message.row);
    if (memory > 0) this.#noteShare(message, { count: 0, bytes: 0, memory }, false);
  }

  #noteShare(message: CountedMessage, { count, bytes, memory }: Waiting, wasLent: boolean): void {
    const use = this.#use(chargedTo(message.row));
    const isLentNow = wasLent ? this.#staysLent(use, bytes, memory) : this.#isLent(use, bytes, memory);
    const share = this.#shareOf({ use, count, bytes, memory, isLent: isLentNow });
    message.noteShare(share);
    this.#add(use, share, 1);
  }

  #staysLent(use: Use, bytes: number, memory: number): boolean {
    return staysLent(waitingOf(use), this.#total, this.#limits, { bytes, memory }, this.#lent);
  }

  #isLent(use: Use, bytes: number, memory: number): boolean {
    // Nearly every message has others of its topic beside it, or is small.
    if (use.memory > 0 || use.bytes > 0) return false;
    return isLent(NOTHING, this.#total, this.#limits, { bytes, memory }, this.#lent);
  }

  forget(message: CountedMessage): void {
    const { share } = message;
    if (share === undefined) return;
    message.noteShare(undefined);
    this.#replaced.forgotten(message.deliveries);
    this.#add(share.use, share, -1);
  }

  /**
   * Notes that a copy on a dead-letter topic is about to replace a delivery.
   * @returns function to call if no copy was made
   */
  replace(d: CountedDelivery): () => void {
    const { message } = d;
    if (!isOpen(d.state) || message.row.tap !== undefined) return () => undefined;
    const isLast = message.deliveries.every(
      (one) => one === d || !isOpen(one.state) || this.#replaced.has(one),
    );
    this.#replaced.begin(d, this.#use(chargedTo(message.row)), isLast ? message.share : undefined);
    return () => {
      // The delivery stays open, so the share of the message that another delivery took counts again.
      this.#replaced.forgotten(message.deliveries);
      this.#replaced.stays(d);
    };
  }

  #shareOf(share: Share): Share {
    const last = this.#lastShare;
    const isSame =
      last?.use === share.use &&
      last.count === share.count &&
      last.bytes === share.bytes &&
      last.memory === share.memory &&
      last.isLent === share.isLent;
    if (isSame) return last;
    this.#lastShare = share;
    return share;
  }

  /** Notes that a delivery was created (from null), changed its state, or left memory (to null). */
  moved(d: CountedDelivery, from: DeliveryState | null, to: DeliveryState | null): void {
    const { row } = d.message;
    const by = Number(isOpen(to)) - Number(isOpen(from));
    if (by === 0 || row.tap !== undefined) return;
    if (by < 0) this.#replaced.ended(d);
    const use = this.#use(chargedTo(row));
    use.open += by;
    this.#all.open += by;
    this.#forgetUnused(use);
  }

  /**
   * Counts a delivery that has no state yet, because its match rules have not had their turn. Returns the end of
   * this, which may be called twice: it is called once the delivery has a state, or is given up.
   */
  waits({ message: { row } }: CountedDelivery): () => void {
    const use = this.#use(chargedTo(row));
    use.open += 1;
    this.#all.open += 1;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      use.open -= 1;
      this.#all.open -= 1;
      this.#forgetUnused(use);
    };
  }

  /** Counts a message that is being accepted. Call the returned function before it is noted, or when it was refused; a second call does nothing. */
  begin(message: CountedMessage, bytes: number): () => void {
    const use = this.#use(chargedTo(message.row));
    const memory = MESSAGE_MEMORY;
    const share: Charge = { count: 1, bytes, memory, isLent: this.#isLent(use, bytes, memory) };
    if (share.isLent) this.#begunLent.add(message);
    this.#add(use, share, 1);
    let isOver = false;
    return () => {
      if (!isOver) this.#add(use, share, -1);
      isOver = true;
    };
  }

  /**
   * Why a message is refused now; undefined: it is accepted.
   * @param size what it adds
   */
  full(of: PubsubTopic, size: Size = NO_SIZE): string | undefined {
    const use = this.#useOf(of);
    const { all } = this.#replaced;
    if (all.memory === 0 && all.count === 0)
      return this.#describeShortage(of, waitingOf(use), this.#total, size);
    return this.#describeShortage(
      of,
      without(waitingOf(use), this.#replaced.of(use)),
      without(this.#total, all),
      size,
    );
  }

  /**
   * Why a delivery that has ended may not go on; undefined: it may, or it has not ended. It needs room like a publish.
   * @param bytes size of its body where it is kept
   */
  fullToGoOn({ state, message }: CountedDelivery, bytes: number): string | undefined {
    const { row, metadata, share } = message;
    if (isOpen(state) || row.tap !== undefined) return undefined;
    // Another delivery of the message that has not ended has its bytes already.
    return this.full(chargedTo(row), share === undefined ? sizeOf(metadata, bytes) : NO_SIZE);
  }

  /**
   * Why a dead-letter copy that returns to its topic is refused now; undefined: it is accepted. Each copy counts beside its delivery while
   * it is made.
   */
  fullForReturn(of: PubsubTopic, size: Size): string | undefined {
    return this.#describeShortage(of, this.#of(of), this.#total, size);
  }

  #describeShortage({ topic }: PubsubTopic, own: Waiting, all: Waiting, size: Size): string | undefined {
    const shortage = shortageOf(own, all, this.#limits, size, this.#lent);
    if (shortage === undefined) return undefined;
    return shortage.forAll ? this.#describeFull(shortage) : describeShortage(shortage, topic);
  }

  /** Why the body of a message may not grow by this many bytes; undefined: it may. */
  fullWith(row: Charged, more: number): string | undefined {
    return this.#fullWith(row, 'bytes', more);
  }

  /** Why the row of an unfinished message may not become this one; undefined: there is memory for its texts. */
  fullWithRow(before: MessageRow, after: MessageRow): string | undefined {
    return this.#fullWith(before, 'memory', rowMemory(after) - rowMemory(before));
  }

  #fullWith(row: Charged, measure: 'bytes' | 'memory', more: number): string | undefined {
    if (more <= 0) return undefined;
    const of = chargedTo(row);
    const own = { ...NOTHING, [measure]: this.#of(of)[measure] + more };
    const shortage = shortageOf(own, { ...NOTHING, [measure]: this.#all[measure] + more }, this.#limits);
    if (shortage === undefined) return undefined;
    return shortage.forAll ? this.#describeFull(shortage) : describeShortage(shortage, of.topic);
  }

  /** Why publishes to all topics are refused now; undefined: some are accepted. */
  get fullForAll(): string | undefined {
    const shortage = shortageOfAll(without(this.#total, this.#replaced.all), this.#limits);
    return shortage === undefined ? undefined : this.#describeFull(shortage);
  }

  /** Why even dead-letter copies are refused now; undefined: they are accepted. */
  get fullForCopies(): string | undefined {
    const shortage = shortageOfCopies(without(this.#total, this.#replaced.all), this.#limits);
    return shortage === undefined ? undefined : describeMissingCopy(shortage, this.#most(shortage.measure));
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

  #of(of: PubsubTopic): Waiting {
    return waitingOf(this.#useOf(of));
  }

  #useOf({ pubsubname, topic }: PubsubTopic): Use | undefined {
    const last = this.#lastUse;
    const isLast = last?.topic === topic && last.pubsubname === pubsubname;
    return isLast ? last : this.#uses.get(nameOf({ pubsubname, topic }));
  }

  #describeFull(shortage: Shortage): string {
    return describeShortage(shortage, this.#most(shortage.measure));
  }

  /** The topic with the largest share, with its component, because several components may have a topic of that name. */
  #most(measure: Measure): string {
    let most = { topic: '', used: -1 };
    for (const use of this.#uses.values()) {
      const used = waitingOf(use)[measure];
      if (used > most.used) most = { topic: `${use.pubsubname}/${use.topic}`, used };
    }
    return most.topic;
  }

  #use({ pubsubname, topic }: PubsubTopic): Use {
    const last = this.#lastUse;
    if (last?.topic === topic && last.pubsubname === pubsubname) return last;
    const name = nameOf({ pubsubname, topic });
    let use = this.#uses.get(name);
    if (use === undefined)
      this.#uses.set(name, (use = { pubsubname, topic, count: 0, open: 0, bytes: 0, memory: 0 }));
    this.#lastUse = use;
    return use;
  }

  #add(use: Use, share: Charge, sign: 1 | -1): void {
    addTo(use, share, sign);
    addToAll(this.#all, share, sign);
    if (share.isLent) addTo(this.#lent, share, sign);
    this.#forgetUnused(use);
  }

  #forgetUnused(use: Use): void {
    if (use.memory > 0 || use.open > 0) return;
    this.#uses.delete(nameOf(use));
    if (this.#lastUse === use) this.#lastUse = undefined;
  }
}

const NOTHING: Waiting = { count: 0, bytes: 0, memory: 0 };

/**
 * Topic under which a message is counted. A dead letter counts for its original topic; otherwise a topic whose messages all fail could fill
 * the room of the others.
 */
function chargedTo(row: Charged): PubsubTopic {
  if (row.deadLetterOf === undefined) return row;
  return { pubsubname: row.pubsubname, topic: row.deadLetterOf.topic };
}

function waitingOf(use: Use | undefined): Waiting {
  if (use === undefined) return NOTHING;
  return { count: use.open + use.count, bytes: use.bytes, memory: use.memory };
}

function isOpen(state: DeliveryState | null): boolean {
  return state !== null && !isEndedState(state);
}

function nameOf({ pubsubname, topic }: PubsubTopic): string {
  return `${pubsubname}\n${topic}`;
}
