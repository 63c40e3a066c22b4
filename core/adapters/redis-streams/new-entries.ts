/**
 * Reads new entries of one group: with a blocking read on its own connection, or with a command directly after a publish by this instance.
 */
import type { Cancel, Clock } from '../../ports/clock.ts';
import type { Connection } from './connection.ts';
import type { Group } from './group.ts';
import type { StreamEntry } from './layout.ts';

export interface NewEntriesDependencies<Reader = Connection> {
  readonly group: Pick<Group, 'readNow' | 'behindAll'> & {
    read(on: Reader, count: number): Promise<readonly StreamEntry[]>;
  };
  /** Connection for blocking reads. */
  readonly reader: Reader;
  readonly clock: Clock;
}

/** Time that a read waits for a publish by this instance before it blocks; entries of other publishers are delayed as long. */
const REST_MS = 5;
/**
 * Maximum number of entries of one read that wait until publishers have their answers. With more, publishers would continue that have to
 * wait for the app: only entries given to the runtime count as queued for it.
 */
const FEW = 8;

export class NewEntries<Reader = Connection> {
  readonly #deps: NewEntriesDependencies<Reader>;
  /** True if the last read returned entries, so that more may follow soon. */
  #isLively = false;
  /** Number of publishes by this instance that no read has followed yet. */
  #publishes = 0;
  #isStopped = false;
  /** Ends the wait for a publish; `nothing`: no read is waiting. */
  #go: () => void = nothing;
  #restUntilMs = 0;
  #timer: Cancel | undefined;

  constructor(deps: NewEntriesDependencies<Reader>) {
    this.#deps = deps;
  }

  /** Called when this instance sends a publish to the stream. */
  publishing(): void {
    this.#publishes += 1;
    this.#go();
  }

  /**
   * Waits for new entries; [] after a while, or after `stop`. A read after a publish shares its write and its reply, while a blocking read
   * needs its own connection.
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

  /** Ends a wait for a publish. A blocking read continues. */
  stop(): void {
    this.#isStopped = true;
    this.#timer?.();
    this.#go();
  }

  /**
   * Waits for a publish by this instance.
   * @returns false: nothing was published for a while
   */
  #isPublishing(): Promise<boolean> {
    if (this.#isStopped) return Promise.resolve(false);
    this.#restUntilMs = this.#deps.clock.now() + REST_MS;
    this.#time();
    return new Promise((resolve) => {
      this.#go = () => {
        this.#go = nothing;
        resolve(this.#publishes > 0 && !this.#isStopped);
      };
    });
  }

  /** Uses one timer for many waits, as nearly each of them ends with a publish before its time. */
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
 * Delays entries until publishers have their answers. Redis answers publish and read together. A publisher that has its answer creates its
 * next message while the delivery of this one begins.
 */
function afterAnswers(entries: readonly StreamEntry[], go: (entries: readonly StreamEntry[]) => void): void {
  if (entries.length > FEW) go(entries);
  // Promises that wait for the answer to the publish run before the next tick.
  else queueMicrotask(() => process.nextTick(go, entries));
}

function nothing(): void {}
