/** The tables of the database, for the thread that writes: applies groups of records, removes old messages. One instance for each file. */
import type { DatabaseSync } from 'node:sqlite';

import { isReplayedSince } from '../../contract/attention.ts';
import type { MessageRow } from '../../contract/message.ts';
import type { Wire } from '../../domain/codec.ts';
import { JournalError } from '../../ports/journal.ts';
import type { MessagePatch, TopicTotals } from '../../ports/journal.ts';
import { patchedRow } from '../stored/rows.ts';
import { isMessageOpen } from '../stored/standing.ts';
import { BatchTable } from './batches.ts';
import { DeliveryTables } from './deliveries.ts';
import { columnText, columnValues } from './columns.ts';
import { joined } from './joined.ts';
import type { MessageStep, OtherStep } from './joined.ts';
import { rowIn } from './read-back.ts';
import type { ContentOp, Op } from './records.ts';
import type { Answered, Asked, Size, WriterRequests } from './requests.ts';
import { removal } from './removal.ts';
import { STANDING } from './schema.ts';
import { CODES, codeOf, inTransaction } from './sqlite.ts';
import { charactersOrBytes, jsonOf, tableStatements } from './statements.ts';
import type { Stands, TableStatements } from './statements.ts';
import { checksumOf } from './checksums.ts';
import { DELIVERED, MESSAGE, REPLAYED, Tallies } from './tallies.ts';
import { Totals } from './totals.ts';

/** Room of a message beside its texts: columns, index entries, their share of the pages. */
const MESSAGE_BYTES = 500;

/** Members of a row that decide whether it is open. */
type Stages = Pick<MessageRow, 'stage' | 'waitingFor'>;

export class Tables {
  readonly #db: DatabaseSync;
  readonly #do: TableStatements;
  readonly #batches: BatchTable;
  readonly #deliveries: DeliveryTables;
  readonly #tallies: Tallies;
  readonly #takeOut: ReturnType<typeof removal>;
  readonly #totals: Totals;

  /** @param db open, migrated, without other writers */
  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#do = tableStatements(db);
    this.#tallies = new Tallies(db);
    this.#totals = new Totals(db);
    this.#batches = new BatchTable(db, this.#totals);
    this.#deliveries = new DeliveryTables(db, this.#tallies, this.#batches);
    this.#takeOut = removal(db);
  }

  /**
   * Applies calls in their order, as one transaction; a call whose records are refused is left out alone.
   * @returns what each call failed with, undefined where it is in the file
   */
  write(calls: readonly (readonly Op[])[]): unknown[] {
    try {
      this.#transaction(() => this.#apply(calls));
      return calls.map(() => undefined);
    } catch (error) {
      if (calls.length === 1 || !isOfOneCall(error)) return calls.map(() => error);
      return calls.map((ops) => this.write([ops])[0]);
    }
  }

  /**
   * As `write`, in a transaction that stays open until `commit`: no reader sees it before, and nothing of it is safe. A failure may roll
   * back the whole transaction with earlier calls: then `isOpen` is false.
   */
  apply(calls: readonly (readonly Op[])[]): unknown[] {
    try {
      if (!this.isOpen) this.#db.exec('BEGIN IMMEDIATE');
    } catch (error) {
      return calls.map(() => error);
    }
    const failed = this.#part(calls);
    if (failed === undefined) return calls.map(() => undefined);
    if (calls.length === 1 || !isOfOneCall(failed)) return calls.map(() => failed);
    const errors: unknown[] = [];
    for (const ops of calls) {
      const own = this.#part([ops]);
      // The whole transaction was rolled back, so the other calls failed too.
      if (!this.isOpen) return calls.map(() => own);
      errors.push(own);
    }
    return errors;
  }

  /** Whether something was applied that was not committed yet. */
  get isOpen(): boolean {
    return this.#db.isTransaction;
  }

  /** Number of the last frame of the newest records that the tables have. */
  get folded(): number {
    return this.#totals.folded;
  }

  /** Number of the newest message that was ever there. */
  get lastNumber(): number {
    return this.#totals.lastNumber;
  }

  /** Ties the file of the newest records to the database. */
  get name(): string {
    return this.#totals.name;
  }

  /**
   * Commits everything that was applied, up to this frame of the newest records; if nothing was applied, only the totals are written.
   * Throws what SQLite says; then nothing of it is in the file.
   * @param name that the database gets with it
   */
  commit(folded: number, name = this.name): void {
    try {
      if (!this.isOpen) this.#db.exec('BEGIN IMMEDIATE; UPDATE totals SET clean = clean');
      this.#totals.continueFrom(name, folded);
      this.#totals.save();
      this.#tallies.save();
      this.#db.exec('COMMIT');
    } catch (error) {
      this.rollBack();
      throw error;
    }
  }

  /** Rolls back everything that was applied since the last commit. */
  rollBack(): void {
    if (this.isOpen) this.#db.exec('ROLLBACK');
    this.#forget();
  }

  /** Takes the place of another file, whose newest records go on here. */
  continueFrom(name: string, folded: number): void {
    this.#transaction(() => this.#totals.continueFrom(name, folded));
  }

  /** Messages and bytes that are kept. */
  get size(): Size {
    const { messages, bytes } = this.#totals;
    return { messages, bytes };
  }

  /**
   * Removes the oldest removable messages beyond the limits, at most `slice`.
   * @param asked what `waiting` says counts too: it is newer than everything here. Messages in `stay` count as open
   * @returns `isShort`: some of that is to be removed, and nothing has happened
   */
  prune({ keep, slice, stay, waiting }: Asked<WriterRequests, 'prune'>): Answered<WriterRequests, 'prune'> {
    const numbers: number[] = [];
    const spared = new Set(keep.spared);
    let messages = this.#totals.messages + waiting.messages;
    let bytes = this.#totals.bytes + waiting.bytes;
    const isBeyond = (): boolean => messages > keep.maxMessages || bytes > keep.maxBytes;
    let open: ReadonlySet<number> | undefined;
    // What waits is younger than all that is here, so it may be too old only if nothing here is young enough.
    let mayBeOld = keep.olderThanMs > 0;
    for (const { number, at, size } of this.#do.removable(slice + spared.size + stay.length)) {
      if (numbers.length === slice) break;
      const isOld = keep.olderThanMs > 0 && at !== null && at < keep.olderThanMs;
      if (!isOld) mayBeOld = false;
      if (!isBeyond() && !isOld) break;
      // Looked for only here, because mostly nothing is to be removed.
      open ??= new Set(this.#do.numbersOf(stay));
      if (open.has(number)) continue;
      // Spared messages are removed a little later, so no newer message is removed instead.
      if (!spared.has(number)) numbers.push(number);
      messages--;
      bytes -= size;
    }
    const isShort = waiting.bytes > 0 && numbers.length < slice && (isBeyond() || mayBeOld);
    if (isShort) return { removed: 0, beforeNumber: 0, numbers: [], gone: [], isShort };
    let gone: readonly TopicTotals[] = [];
    if (numbers.length > 0) {
      this.#transaction(() => {
        gone = this.#remove(numbers);
      });
    }
    return { removed: numbers.length, beforeNumber: (numbers.at(-1) ?? -1) + 1, numbers, gone, isShort };
  }

  /** The file was closed in order, or it is in use. Throws what SQLite says. */
  markClean(clean: boolean): void {
    this.#transaction(() => this.#totals.markClean(clean));
  }

  /** Tests whether the file can be written, without changing it. Throws what SQLite says. */
  tryToWrite(): void {
    inTransaction(this.#db, () => this.#db.exec('UPDATE totals SET clean = clean'));
  }

  #transaction(change: () => void): void {
    try {
      inTransaction(this.#db, () => {
        change();
        this.#totals.save();
        this.#tallies.save();
      });
    } catch (error) {
      this.#forget();
      throw error;
    }
  }

  /** A part of an open transaction: all of these calls, or none. Gives what they failed with. */
  #part(calls: readonly (readonly Op[])[]): unknown {
    const before = this.#totals.mark();
    try {
      this.#do.savepoint();
      this.#apply(calls);
      this.#do.release();
      this.#tallies.keep();
      return undefined;
    } catch (error) {
      if (this.isOpen) {
        this.#db.exec('ROLLBACK TO part; RELEASE part');
        this.#totals.back(before);
        this.#tallies.drop();
        this.#batches.forget();
        this.#deliveries.forget();
      } else this.#forget();
      return error;
    }
  }

  /** Reloads what is remembered of the file, since it may be wrong now. */
  #forget(): void {
    this.#totals.reload();
    this.#tallies.dropAll();
    this.#batches.forget();
    this.#deliveries.forget();
  }

  #apply(calls: readonly (readonly Op[])[]): void {
    for (const step of joined(calls)) {
      switch (step.kind) {
        case 'message':
          this.#accept(step);
          break;
        case 'delivery': {
          const done = this.#deliveries.record(step);
          if (done === undefined) break;
          this.#totals.bytes += done.bytes;
          this.#totals.given(done.sequence);
          if (done.hasMoved) this.#stand(this.#do.standing(done.number));
          break;
        }
        case 'other':
          this.#applyOther(step.op);
      }
    }
    this.#deliveries.forgetMessages();
  }

  #applyOther(op: OtherStep['op']): void {
    switch (op[0]) {
      case 'batch':
        this.#batches.add(op);
        break;
      case 'changed':
        this.#deliveries.forgetMessage(op[1]);
        this.#change(op[1], op[2], op[3]);
        break;
      case 'published':
        this.#stand(this.#do.publish(op[1]));
        break;
      case 'removed':
        this.#deliveries.forgetMessages();
        this.#remove(this.#do.numbersOf(op[1]));
        break;
      case 'sequence':
        this.#totals.given(op[1]);
        break;
      case 'kept':
        this.#do.keep(op[1], op[2]);
        break;
    }
  }

  #accept({ accepted, row: before, patches, isPublished }: MessageStep): void {
    const [, given, wire, contentType, metadata, releasedBefore] = accepted;
    const { number, messageId } = before;
    if (!Number.isSafeInteger(number) || number < 1)
      throw new JournalError('broken', `a message's number must be an integer from 1, got ${number}`);
    const { row, released } = changedBy(patches, before, releasedBefore);
    const json = row === before ? given : JSON.stringify(row);
    const bytes = MESSAGE_BYTES + given.length + charactersOrBytes(wire) + (metadata?.length ?? 0);
    const standing = standingOf(row, { published: isPublished, open: 0 });
    try {
      const published = Number(isPublished);
      this.#do.addMessage([number, messageId, ...columnValues(row, wire), published, standing, bytes]);
    } catch (error) {
      if (codeOf(error) !== CODES.constraint) throw error;
      throw new JournalError('broken', `the journal has message ${messageId} or number ${number} already`, {
        cause: error,
      });
    }
    this.#do.addContent([number, checksumOf(json, wire), json, contentType, metadata, released, wire]);
    const [home, topic] = [columnText(row.pubsubname), columnText(row.topic)];
    this.#tallies.messages(home, topic, MESSAGE, 1);
    const isReplayed = isReplayedSince(row);
    if (isReplayed) this.#tallies.messages(home, topic, REPLAYED, 1);
    this.#deliveries.came(messageId, { number, home, topic, isReplayed, isOpen: standing === STANDING.open });
    this.#totals.messages++;
    this.#totals.bytes += bytes;
    this.#totals.numbered(number);
  }

  /** Changes a message, unless it was removed meanwhile or its row is damaged. */
  #change(messageId: string, json: string, content: ContentOp | null): void {
    const found = this.#do.contentOf(messageId);
    if (found === undefined) return;
    const { number } = found;
    const wire = content?.[0] ?? found.wire;
    const before = rowIn(found.row, number);
    if (before === undefined) return;
    // The text is JSON of the contract's types.
    const patch = jsonOf<MessagePatch>(json);
    const row = patchedRow(before, patch);
    const text = JSON.stringify(row);
    const released = releasedIn(patch) ?? found.released;
    // Damaged content keeps its wrong sum, because a new sum would declare it sound.
    const sum = checksumOf(found.row, found.wire) === found.sum ? checksumOf(text, wire) : found.sum;
    this.#do.changeContent([number, sum, text, released]);
    this.#do.changeFacts([number, ...columnValues(row, wire)]);
    if (content !== null) this.#rewrite(found, content, [before, row]);
    const replayed = Number(isReplayedSince(row)) - Number(isReplayedSince(before));
    if (replayed !== 0 && !this.#do.isDelivered(number))
      this.#tallies.messages(columnText(row.pubsubname), columnText(row.topic), REPLAYED, replayed);
    this.#stand(this.#do.standing(number));
  }

  #rewrite(
    {
      number,
      wire,
      metadata,
    }: { readonly number: number; readonly wire: Wire; readonly metadata: string | null },
    content: ContentOp,
    [before, row]: readonly [MessageRow, MessageRow],
  ): void {
    const bytes =
      charactersOrBytes(content[0]) -
      charactersOrBytes(wire) +
      (content[2]?.length ?? 0) -
      (metadata?.length ?? 0);
    this.#do.rewrite(number, content);
    this.#do.grow(number, bytes);
    this.#totals.bytes += bytes;
    this.#tallies.messages(columnText(before.pubsubname), columnText(before.topic), MESSAGE, -1);
    this.#tallies.messages(columnText(row.pubsubname), columnText(row.topic), MESSAGE, 1);
  }

  /** Whether it may be pruned, after something of it moved. */
  #stand(found: Stands | undefined): void {
    if (found === undefined) return;
    const { number, before, ...now } = found;
    const stages: Stages = {
      ...(now.stage === undefined ? {} : { stage: now.stage }),
      ...(now.waiting ? { waitingFor: [] } : {}),
    };
    const standing = standingOf({ ...stages, pinned: now.pinned }, now);
    if (standing !== before) this.#do.stand(number, standing);
  }

  #remove(numbers: readonly number[]): readonly TopicTotals[] {
    if (numbers.length === 0) return [];
    const { messages, bytes, batches, gone, beside } = this.#takeOut(numbers);
    this.#batches.drop(batches);
    this.#deliveries.forget();
    this.#totals.messages -= messages;
    this.#totals.bytes -= bytes;
    for (const { pubsubname: pubsub, topic, messages: count, deliveries } of gone) {
      this.#tallies.messages(pubsub, topic, MESSAGE, -count);
      for (const { appId: app, subscription: subscribed, state, count: n } of deliveries)
        this.#tallies.add(this.#tallies.of({ pubsub, topic, app, subscribed }), state, -n);
    }
    for (const { pubsub, topic, delivered, replayed } of beside) {
      this.#tallies.messages(pubsub, topic, DELIVERED, -delivered);
      this.#tallies.messages(pubsub, topic, REPLAYED, -replayed);
    }
    return gone;
  }
}

/** A new message after its patches, with the holds that have released it by then. */
function changedBy(
  patches: readonly string[],
  row: MessageRow,
  released: string | null,
): { readonly row: MessageRow; readonly released: string | null } {
  let now = { row, released };
  for (const text of patches) {
    // The text is JSON of the contract's types.
    const patch = jsonOf<MessagePatch>(text);
    now = { row: patchedRow(now.row, patch), released: releasedIn(patch) ?? now.released };
  }
  return now;
}

/** The holds that have let a message go, as the tables keep them; undefined: the patch says nothing of them. */
function releasedIn({ releasedFrom }: MessagePatch): string | undefined {
  return releasedFrom === undefined ? undefined : JSON.stringify(releasedFrom);
}

function standingOf(
  row: Stages & Pick<MessageRow, 'pinned'>,
  { published, open }: { readonly published: boolean; readonly open: number },
): number {
  if (isMessageOpen(row, published, open)) return STANDING.open;
  return row.pinned === true ? STANDING.pinned : STANDING.removable;
}

/** A record that cannot be taken; anything else concerns the whole file. */
export function isOfOneCall(error: unknown): boolean {
  return codeOf(error) === undefined || codeOf(error) === CODES.constraint;
}
