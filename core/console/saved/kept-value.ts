/** A small value that survives a restart: read once, written when it has not changed for a while. */
import { errorText } from '../../contract/error-text.ts';
import type { Cancel, Clock } from '../../ports/clock.ts';
import { JournalError } from '../../ports/journal.ts';
import type { Journal } from '../../ports/journal.ts';
import type { Log } from '../../ports/log.ts';

const WRITE_MS = 300;
/** Time after which a value that the journal has refused is written again. */
const AGAIN_MS = 1000;

export interface KeptValueDependencies {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly log: Log;
  /** Called with what writes the value for the last time, when the console closes. */
  readonly atClose?: (close: () => Promise<void>) => void;
}

export class KeptValue<T> {
  readonly #deps: KeptValueDependencies;
  readonly #key: string;
  readonly #read: (kept: unknown) => T;
  #loading: Promise<void> | undefined;
  #value: T;
  #timer: Cancel | undefined;
  #writing: Promise<void> = Promise.resolve();
  /** Why the journal refuses the value at present; undefined: it does not. */
  #refusal: string | undefined;
  #hasClosed = false;

  /** @param read converts the stored value; anything else (from an older build) counts as the initial value */
  constructor(deps: KeptValueDependencies, key: string, read: (kept: unknown) => T) {
    this.#deps = deps;
    this.#key = key;
    this.#read = read;
    this.#value = read(undefined);
    deps.atClose?.(() => this.close());
  }

  async get(): Promise<T> {
    this.#loading ??= this.#load();
    await this.#loading;
    return this.#value;
  }

  /** Changes the value; it is on disk soon after. */
  async change(change: (value: T) => T): Promise<T> {
    await this.get();
    // The change applies to the present value, not to the one at the call, because two callers may change it at once.
    this.#value = change(this.#value);
    if (this.#hasClosed) this.#writing = this.#write();
    else this.#writeIn(WRITE_MS);
    return this.#value;
  }

  /** Changes the value; it is on disk when this resolves. */
  async store(change: (value: T) => T): Promise<T> {
    const value = await this.change(change);
    await this.#writeNow();
    return value;
  }

  /**
   * Writes a value that is not on disk yet. Resolves once it is there, even if another call has begun to write it. One that the journal has
   * refused waits for its time: every act calls this function, and the value may have megabytes.
   */
  flush(): Promise<void> {
    return this.#refusal === undefined ? this.#writeNow() : this.#writing;
  }

  /** Writes a value that is not on disk yet for the last time: afterwards nothing waits to be written again. */
  close(): Promise<void> {
    this.#hasClosed = true;
    return this.#writeNow();
  }

  #writeNow(): Promise<void> {
    if (this.#timer === undefined) return this.#writing;
    this.#timer();
    this.#timer = undefined;
    this.#writing = this.#write();
    return this.#writing;
  }

  #writeIn(ms: number): void {
    const { clock } = this.#deps;
    this.#timer ??= clock.at(clock.now() + ms, () => void this.#writeNow());
  }

  /** Writes the value. If the journal refuses it for now, it is written again later, as all records of a person's acts are. */
  async #write(): Promise<void> {
    const { journal, log } = this.#deps;
    try {
      await journal.append([{ kind: 'kept', key: this.#key, value: this.#value }]);
      this.#refusal = undefined;
    } catch (error) {
      const refusal = errorText(error);
      if (refusal !== this.#refusal)
        log.write('error', 'journal', `Sidelight could not save ${this.#key}: ${refusal}`);
      this.#refusal = refusal;
      const mayTakeLater = !(error instanceof JournalError && error.code === 'closed');
      if (mayTakeLater && !this.#hasClosed) this.#writeIn(AGAIN_MS);
    }
  }

  async #load(): Promise<void> {
    try {
      this.#value = this.#read(await this.#deps.journal.kept(this.#key));
    } catch (error) {
      // The next call reads again: a journal that cannot be read now may be readable then.
      this.#loading = undefined;
      throw error;
    }
  }
}
