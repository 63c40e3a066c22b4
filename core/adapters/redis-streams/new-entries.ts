/** Reads new entries of one group: with a blocking read on its own connection, or with a command right behind a publish from here. */
import type { Cancel, Clock } from '../../ports/clock.ts';
import type { Connection } from './connection.ts';
import type { Group } from './group.ts';
import type { StreamEntry } from './layout.ts';

export interface NewEntriesDependencies<Reader = Connection> {
  readonly group: Pick<Group, 'readNow' | 'behindAll'> & {
    read(on: Reader, count: number): Promise<readonly StreamEntry[]>;
  };
  /** Blocks while it waits. */
  readonly reader: Reader;
  readonly clock: Clock;
}

/** Time after a read that waits for a publish from here before the reader blocks; entries of others are delayed as long. */
const REST_MS = 5;
/**
 * Entries of one read, at most, that wait for the answers to publishers. More would let publishers go on that have to wait for the app:
 * what is handed over counts as queued for it.
 */
const FEW = 8;

export class NewEntries<Reader = Connection> {
  readonly #deps: NewEntriesDependencies<Reader>;
  /** The last read gave some, so more may follow soon. */
  #isLively = false;
  /** Publishes from here that no read has followed yet. */
  #publishes = 0;
  #isStopped = false;
  /** Ends the wait for a publish; `nothing`: there is none. */
  #go: () => void = nothing;
  #restUntilMs = 0;
  #timer: Cancel | undefined;

  constructor(deps: NewEntriesDependencies<Reader>) {
    this.#deps = deps;
  }

  /** An entry is being added to the stream from here. */
  publishing(): void {
    this.#publishes += 1;
    this.#go();
  }

  /**
   * Waits for new entries; [] after a while, or after `stop`. A read behind a publish shares its write and its answer, while a blocking
   * read needs its own connection.
   * @param onSent called when the read is about to be sent
   */
  async read(count: number, onSent: () => void): Promise<readonly StreamEntry[]> {
    const isBehind = this.#isLively && (this.#publishes > 0 || (await this.#isPublishing()));
    if (this.#isStopped) return [];
    const entries = isBehind ? await this.#behind(count, onSent) : await this.#blocked(count, onSent);
    if (isBehind && entries.length === count) this.#publishes += 1;
    // If other consumers take the entries first, this one blocks too, so that Redis serves all in turn.
    this.#isLively = entries.length > 0;
    return entries;
  }

  /** Ends a wait for a publish. A read that blocks goes on. */
  stop(): void {
    this.#isStopped = true;
    this.#timer?.();
    this.#go();
  }

  /** False: nothing was published for a while. */
  #isPublishing(): Promise<boolean> {
    if (this.#isStopped) return Promise.resolve(false);
    this.#restUntilMs = this.#deps.clock.now() + REST_MS;
    this.#time();
    return new Promise((told) => {
      this.#go = () => {
        this.#go = nothing;
        told(this.#publishes > 0 && !this.#isStopped);
      };
    });
  }

  /** One timer for many waits, as nearly each of them ends with a publish before its time. */
  #time(): void {
    if (this.#timer !== undefined) return;
    const { clock } = this.#deps;
    this.#timer = clock.at(this.#restUntilMs, () => {
      this.#timer = undefined;
      if (this.#go === nothing) return;
      if (clock.now() < this.#restUntilMs) this.#time();
      else this.#go();
    });
  }

  #behind(count: number, onSent: () => void): Promise<readonly StreamEntry[]> {
    const { group } = this.#deps;
    return new Promise((resolve, reject) => {
      group.behindAll(() => {
        this.#publishes = 0;
        onSent();
        group.readNow(count, (entries) => afterAnswers(entries, resolve), reject);
      });
    });
  }

  async #blocked(count: number, onSent: () => void): Promise<readonly StreamEntry[]> {
    const { group, reader } = this.#deps;
    this.#publishes = 0;
    onSent();
    const entries = await group.read(reader, count);
    this.#publishes = Math.max(0, this.#publishes - entries.length);
    return entries;
  }
}

/**
 * Redis answers publish and read in one piece. A publisher that has its answer makes its next message while the delivery of this one
 * begins, so the answer goes first.
 */
function afterAnswers(entries: readonly StreamEntry[], go: (entries: readonly StreamEntry[]) => void): void {
  if (entries.length > FEW) go(entries);
  // Promises that wait for the answer to the publish go on before the next tick.
  else queueMicrotask(() => process.nextTick(go, entries));
}

function nothing(): void {}
