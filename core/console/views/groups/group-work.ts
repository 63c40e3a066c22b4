/** Keeps the groups of a list right: first chunk by chunk over all of it, then for what is new, changed or gone. */
import { rankOf } from '../../../contract/attention.ts';
import type { Facet } from '../../../domain/facet.ts';
import { readsBody } from '../../../domain/facet-needs.ts';
import type { Cancel, Clock } from '../../../ports/clock.ts';
import type { MessageSummary, Journal } from '../../../ports/journal.ts';
import type { ListChange, Progress } from '../match-list.ts';
import { firstNotBelow } from '../../numbers.ts';
import type { NumberList } from '../../numbers.ts';
import { yieldToOthers } from '../../stream/yield-to-others.ts';
import type { GroupIndex } from './group-index.ts';
import { CHUNK, chunkOf } from './members.ts';

/** Messages that are asked for at a time: each slice waits for its turn in the journal. */
const SLICE = 4000;
/** Messages asked for at a time where the groups come from payloads: each payload is read. */
const PAYLOADS = 1000;
/** Time for which changes are collected: a person reads no faster, and a busy list is regrouped only a few times a second. */
const REST_MS = 250;
/** When the journal could not be read, everything is compared again after this time. */
const AFTER_FAILURE_MS = 5000;

export interface GroupWorkDependencies {
  readonly index: GroupIndex;
  /** The messages that are grouped. */
  readonly list: NumberList;
  readonly facet: Facet;
  readonly journal: Pick<Journal, 'summaries'>;
  readonly clock: Clock;
  readonly onChange: () => void;
  readonly onFailure: (error: unknown) => void;
}

interface Waiter {
  readonly wantsAll: boolean;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

export class GroupWork {
  readonly #deps: GroupWorkDependencies;
  #dirty = new Set<number>();
  /** Chunk that is compared next; undefined: everything was compared. */
  #cursor: number | undefined = -Infinity;
  #again = false;
  /** The first comparison: chunks after the cursor have not been looked at. */
  #isFirst = true;
  #hasLooked = false;
  #isWorking = false;
  #isClosed = false;
  #timer: Cancel | undefined;
  #waiters: Waiter[] = [];
  /** Heads of chains of replays, with the value of their group. */
  readonly #heads = new Map<number, string | undefined>();

  constructor(deps: GroupWorkDependencies) {
    this.#deps = deps;
  }

  get progress(): Progress | undefined {
    if (!this.#isFirst) return undefined;
    const { index, list } = this.#deps;
    return { done: Math.min(index.members.size, list.total), of: list.total };
  }

  get #slice(): number {
    return readsBody(this.#deps.facet) ? PAYLOADS : SLICE;
  }

  start(): void {
    void this.#work();
  }

  note({ hasMoved, touched }: ListChange): void {
    for (const number of touched) this.#dirty.add(number);
    if (hasMoved && touched.length === 0) this.#compareAgain();
    this.#workSoon();
  }

  /** The journal does not have these any more. */
  gone(numbers: readonly number[]): void {
    this.#deps.index.removeAll(numbers.toSorted((a, b) => a - b));
  }

  /** Resolves when the first messages (`wantsAll`: all of them) are in their groups. */
  settled(wantsAll: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiters.push({ wantsAll, resolve, reject });
      void this.#work();
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#timer?.();
    this.#release(true, new Error('The view was closed.'));
  }

  #compareAgain(): void {
    if (this.#cursor === undefined) this.#cursor = -Infinity;
    else this.#again = true;
  }

  #workSoon(): void {
    const { clock } = this.#deps;
    this.#timer ??= clock.at(clock.now() + REST_MS, () => {
      this.#timer = undefined;
      void this.#work();
    });
  }

  async #work(): Promise<void> {
    if (this.#isWorking || this.#isClosed) return;
    this.#isWorking = true;
    try {
      while (!this.#isClosed && (this.#dirty.size > 0 || this.#cursor !== undefined)) {
        if (this.#dirty.size > 0) await this.#retake();
        if (this.#cursor !== undefined) await this.#compare(this.#cursor);
        this.#hasLooked = true;
        this.#release(false);
        await yieldToOthers();
      }
      this.#hasLooked = true;
      this.#release(false);
      if (!this.#isClosed) this.#deps.onChange();
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#isWorking = false;
    }
  }

  /** Messages that are new or changed. */
  async #retake(): Promise<void> {
    const { index, list } = this.#deps;
    const numbers: number[] = [];
    for (const number of this.#dirty) {
      this.#dirty.delete(number);
      // The first comparison will reach this message, so there is no need to group it now.
      if (this.#isFirst && this.#cursor !== undefined && chunkOf(number) >= this.#cursor) continue;
      if (list.indexOf(number) === -1) index.remove(number);
      else numbers.push(number);
      if (numbers.length === this.#slice) break;
    }
    try {
      await this.#take(numbers);
    } catch (error) {
      for (const number of numbers) this.#dirty.add(number);
      throw error;
    }
  }

  /** Brings one chunk in line with the list: adds missing messages to their groups, and removes those that the list no longer has. */
  async #compare(from: number): Promise<void> {
    const { index, list, onChange } = this.#deps;
    const chunk = this.#nextChunk(from);
    if (chunk === undefined) {
      this.#cursor = this.#again ? -Infinity : undefined;
      this.#again = false;
      this.#isFirst = false;
      return;
    }
    const start = firstNotBelow(list, chunk * CHUNK);
    const end = firstNotBelow(list, (chunk + 1) * CHUNK);
    if (end - start !== index.members.countIn(chunk)) {
      const wanted = new Set<number>();
      for (let at = start; at < end; at += 1) {
        const number = list.at(at);
        if (number !== undefined) wanted.add(number);
      }
      index.removeAll(index.members.numbersIn(chunk).filter((number) => !wanted.delete(number)));
      const missing = [...wanted];
      const slice = this.#slice;
      for (let at = 0; at < missing.length; at += slice) await this.#take(missing.slice(at, at + slice));
      onChange();
    }
    // A restart that was asked for meanwhile begins after this round.
    this.#cursor = chunk + 1;
  }

  #nextChunk(from: number): number | undefined {
    const { index, list } = this.#deps;
    const next = list.at(Number.isFinite(from) ? firstNotBelow(list, from * CHUNK) : 0);
    let least = next === undefined ? Infinity : chunkOf(next);
    for (const chunk of index.members.chunks) if (chunk >= from && chunk < least) least = chunk;
    return Number.isFinite(least) ? least : undefined;
  }

  async #take(numbers: readonly number[]): Promise<void> {
    if (numbers.length === 0) return;
    const { index, list, facet, journal } = this.#deps;
    const summaries = await journal.summaries(numbers, [facet]);
    for (const [at, number] of numbers.entries()) {
      const summary = summaries[at];
      if (summary === undefined || list.indexOf(number) === -1) index.remove(number);
      else this.#place(summary);
    }
  }

  #place({ number, atMs, state, values: [value], root }: MessageSummary): void {
    const { index } = this.#deps;
    index.place(number, value ?? this.#heads.get(number), rankOf(state), atMs);
    if (root === undefined) return;
    this.#heads.set(root, value);
    if (index.members.groupOf(root) === undefined) return;
    index.place(root, value, index.members.rankOf(root), index.members.momentOf(root));
  }

  #fail(error: unknown): void {
    if (this.#isClosed) return;
    const { clock, onFailure } = this.#deps;
    this.#release(true, error);
    this.#timer?.();
    this.#timer = clock.at(clock.now() + AFTER_FAILURE_MS, () => {
      this.#timer = undefined;
      void this.#work();
    });
    onFailure(error);
  }

  #release(all: boolean, failure?: unknown): void {
    const isDone = ({ wantsAll }: Waiter): boolean =>
      all || (this.#hasLooked && !(wantsAll && this.#cursor !== undefined));
    const done = this.#waiters.filter(isDone);
    if (done.length === 0) return;
    this.#waiters = this.#waiters.filter((waiter) => !done.includes(waiter));
    for (const { resolve, reject } of done) {
      if (failure === undefined) resolve();
      else reject(failure);
    }
  }
}
