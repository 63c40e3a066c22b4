/**
 * Packs finished messages. The row stays an object, because lists and filters read it often; the rest is stored as bytes and decoded at
 * each use.
 */
import type { Attempt, MessageRow, Transition } from '../../contract/message.ts';
import type { Wire } from '../../domain/codec.ts';
import type { StoredDelivery } from '../../ports/journal.ts';
import type { Batches, PackedAttempt } from './batches.ts';
import type { CountedDelivery, DeliveryEntry, Entry } from './entry.ts';
import { Slab } from './slab.ts';
import type { Place } from './slab.ts';

/** History of one delivery. It has named members: a slab learns the values of each member, but of a list only those of all its items. */
interface Story {
  readonly attempts: readonly PackedAttempt[];
  readonly transitions: readonly Transition[];
}

interface Tail {
  readonly metadata: Entry['metadata'];
  readonly givenContentType: string;
  readonly releasedFrom: Entry['releasedFrom'];
  readonly stories: readonly Story[];
}

/** The parts of a message, as a slab tells them apart. */
const PARTS = { wire: 0, deliveries: 1, tail: 2 } as const;

/** Where the parts of a message stand. */
interface Places {
  readonly wire: Place<Wire>;
  readonly deliveries: Place<readonly StoredDelivery[]>;
  readonly tail: Place<Tail>;
  /** Bytes of all of them. */
  readonly length: number;
}

/** A slab with the messages in it. */
class Shelf {
  readonly slab = new Slab();
  /** Numbers of all messages that were written to it. */
  readonly numbers: number[] = [];
  /** Bytes of those that are still packed here. */
  kept = 0;
}

/** Bytes of removed messages that slabs may still hold, in addition to as many bytes as are kept. */
const SPARE = 1024 * 1024;

export class Packer {
  readonly #batches: Batches;
  #shelf: Shelf | undefined;
  /** Full slabs of which a quarter at most is kept. */
  readonly #sparse = new Set<Shelf>();
  /** Bytes that were written to slabs that stay, and those of them that are kept. */
  #written = 0;
  #kept = 0;

  /** @param batches keeps calls of batches, once for all entries: they are not packed */
  constructor(batches: Batches) {
    this.#batches = batches;
  }

  pack(entry: Entry): PackedEntry {
    if (this.#shelf === undefined || this.#shelf.slab.isFull) this.#shelf = new Shelf();
    const shelf = this.#shelf;
    const { slab } = shelf;
    const { row, deliveries, metadata, givenContentType, releasedFrom } = entry;
    const given = givenOf(row, entry.wire);
    const wire = slab.write(entry.wire, [], PARTS.wire);
    const atDeliveries = slab.write(
      deliveries.map(({ delivery }) => delivery),
      [row.messageId],
      PARTS.deliveries,
    );
    const stories = deliveries.map(({ attempts, transitions }): Story => ({
      attempts: attempts.map((attempt) => this.#batches.withoutCall(attempt)),
      transitions,
    }));
    const end: Tail = { metadata, givenContentType, releasedFrom, stories };
    const tail = slab.write(end, given, PARTS.tail);
    const length = slab.length - wire;
    slab.wrote();
    shelf.numbers.push(entry.row.number);
    shelf.kept += length;
    this.#written += length;
    this.#kept += length;
    this.#look(shelf);
    return new PackedEntry(entry, shelf, { wire, deliveries: atDeliveries, tail, length }, this.#batches);
  }

  /**
   * Notes that a message was removed from its slab.
   * @returns a mostly empty slab, if it has more unused than used bytes: the caller packs its messages again. This never happens when
   * messages are removed in order, oldest first
   */
  left({ shelf, packedBytes }: PackedEntry): Shelf | undefined {
    this.#kept -= packedBytes;
    shelf.kept -= packedBytes;
    this.#look(shelf);
    if (this.#written <= 2 * this.#kept + SPARE) return undefined;
    const [sparse] = this.#sparse;
    if (sparse === undefined) return undefined;
    this.#forget(sparse);
    this.#kept -= sparse.kept;
    return sparse;
  }

  /** Frees an empty slab, or notes a sparse one; a slab that still takes messages is skipped. */
  #look(shelf: Shelf): void {
    if (!shelf.slab.isFull) return;
    if (shelf.kept === 0) this.#forget(shelf);
    else if (4 * shelf.kept <= shelf.slab.length) this.#sparse.add(shelf);
  }

  #forget(shelf: Shelf): void {
    this.#sparse.delete(shelf);
    this.#written -= shelf.slab.length;
  }
}

/** Texts that come back in the parts of a message: its attempts send its wire. */
function givenOf({ messageId }: MessageRow, wire: Wire): readonly string[] {
  return [messageId, typeof wire === 'string' ? wire : ''];
}

/**
 * A message as bytes in a slab, which is given back with the last message in it. A slab gives what `pack` wrote at that place, so each part
 * has its type.
 */
export class PackedEntry implements Entry {
  readonly row: MessageRow;
  readonly published: boolean;
  readonly hasEdited: boolean;
  readonly open: number;
  readonly bytes: number;
  readonly counted: readonly CountedDelivery[];
  readonly shelf: Shelf;
  readonly packedBytes: number;
  readonly #batches: Batches;
  readonly #wireAt: Place<Wire>;
  readonly #deliveriesAt: Place<readonly StoredDelivery[]>;
  readonly #tailAt: Place<Tail>;

  constructor(entry: Entry, shelf: Shelf, places: Places, batches: Batches) {
    const { row, published, hasEdited, open, bytes, deliveries } = entry;
    this.row = row;
    this.published = published;
    this.hasEdited = hasEdited;
    this.open = open;
    this.bytes = bytes;
    this.counted = deliveries.map(({ delivery: { deliveryId, appId, state, subscription } }) => {
      return { deliveryId, appId, state, subscription };
    });
    this.shelf = shelf;
    this.packedBytes = places.length;
    this.#batches = batches;
    this.#wireAt = places.wire;
    this.#deliveriesAt = places.deliveries;
    this.#tailAt = places.tail;
  }

  get wire(): Wire {
    return this.shelf.slab.read(this.#wireAt, []);
  }

  get metadata(): Entry['metadata'] {
    return this.#tail().metadata;
  }

  get givenContentType(): string {
    return this.#tail().givenContentType;
  }

  get releasedFrom(): Entry['releasedFrom'] {
    return this.#tail().releasedFrom;
  }

  get deliveries(): readonly DeliveryEntry[] {
    const all = this.shelf.slab.read(this.#deliveriesAt, [this.row.messageId]);
    // The stories of all deliveries are decoded together, when the first one is asked for.
    let stories: readonly Story[] | undefined;
    const storyOf = (nth: number): ReadStory => this.#storyOf((stories ??= this.#tail().stories)[nth]);
    return all.map((delivery, nth) => new PackedDelivery(delivery, () => storyOf(nth)));
  }

  #tail(): Tail {
    return this.shelf.slab.read(this.#tailAt, givenOf(this.row, this.wire));
  }

  #storyOf({ attempts, transitions }: Story = NO_STORY): ReadStory {
    return { attempts: attempts.map((attempt) => this.#batches.withCall(attempt)), transitions };
  }
}

const NO_STORY: Story = { attempts: [], transitions: [] };

interface ReadStory {
  readonly attempts: readonly Attempt[];
  readonly transitions: readonly Transition[];
}

/** A packed delivery; its history is decoded only on demand, because most readers do not need it. */
class PackedDelivery implements DeliveryEntry {
  readonly delivery: StoredDelivery;
  readonly #read: () => ReadStory;
  #story: ReadStory | undefined;

  constructor(delivery: StoredDelivery, read: () => ReadStory) {
    this.delivery = delivery;
    this.#read = read;
  }

  get attempts(): readonly Attempt[] {
    return (this.#story ??= this.#read()).attempts;
  }

  get transitions(): readonly Transition[] {
    return (this.#story ??= this.#read()).transitions;
  }
}
