/** Appends at the same time share one commit: while one group is written, the next one gathers. */
import { atTurnEnd, isTurnOver } from '../turn-end.ts';
import { lengthOf } from './records.ts';
import type { Op } from './records.ts';
import { errorOf } from './failure.ts';
import type { Failure } from './requests.ts';

/** Maximum number of records of one group, since a longer commit would make all callers wait. */
const MAX_RECORDS = 1000;
/** Maximum number of characters of one group, unless a single call has more. They are in memory twice on their way to the other thread. */
const MAX_CHARACTERS = 32 * 1024 * 1024;

/** @param onWritten called once a kill of the process cannot lose the calls, even if their sync is still running */
type Write = (
  calls: readonly (readonly Op[])[],
  isDoubtful: boolean,
  onWritten: (() => void) | undefined,
) => Promise<readonly (Failure | null)[]>;

class Call {
  /** One call that is never freed, for the reason in last-made.ts. */
  static readonly kept = new Call(
    [],
    false,
    undefined,
    () => undefined,
    () => undefined,
  );

  readonly ops: readonly Op[];
  readonly isDoubtful: boolean;
  readonly onWritten: (() => void) | undefined;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;

  constructor(
    ops: readonly Op[],
    isDoubtful: boolean,
    onWritten: (() => void) | undefined,
    resolve: () => void,
    reject: (reason: unknown) => void,
  ) {
    this.ops = ops;
    this.isDoubtful = isDoubtful;
    this.onWritten = onWritten;
    this.resolve = resolve;
    this.reject = reject;
  }
}

/** A caller that waits for all calls up to this one. */
class Waiter {
  /** As `Call.kept`. */
  static readonly kept = new Waiter(0, () => undefined);

  readonly calls: number;
  readonly resolve: () => void;

  constructor(calls: number, resolve: () => void) {
    this.calls = calls;
    this.resolve = resolve;
  }
}

export class GroupCommit {
  readonly #write: Write;
  #gathering: Call[] = [];
  #isBusy = false;
  #waiters: Waiter[] = [];
  /** Calls made, and calls that have their answer. */
  #made = 0;
  #answered = 0;

  constructor(write: Write) {
    this.#write = write;
  }

  /**
   * Appends one call. Resolves when it is on disk. Rejects JournalError.
   * @param isDoubtful the call may have to be refused because of records that are on disk already
   * @param onWritten called before that, once the call survives a kill of the process; a rejection may follow
   */
  append(ops: readonly Op[], isDoubtful: boolean, onWritten?: () => void): Promise<void> {
    this.#made++;
    return new Promise((resolve, reject) => {
      this.#gathering.push(new Call(ops, isDoubtful, onWritten, resolve, reject));
      if (this.#isBusy || this.#gathering.length > 1) return;
      // Other calls of this turn of the event loop go into the same group.
      if (isTurnOver()) void this.#flush();
      else atTurnEnd(() => void this.#flush());
    });
  }

  /** True when everything that was appended has its answer. */
  get isIdle(): boolean {
    return this.#answered === this.#made;
  }

  /** Resolves when everything that was appended before has its answer; undefined: it has. */
  settled(): Promise<void> | undefined {
    if (this.isIdle) return undefined;
    return new Promise((resolve) => this.#waiters.push(new Waiter(this.#made, resolve)));
  }

  async #flush(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    while (this.#gathering.length > 0) {
      const group = this.#take();
      this.#answer(group, await this.#written(group));
    }
    this.#isBusy = false;
  }

  #take(): Call[] {
    let records = 0;
    let calls = 0;
    let characters = 0;
    for (const { ops } of this.#gathering) {
      const isFull = records + ops.length > MAX_RECORDS || characters >= MAX_CHARACTERS;
      if (calls > 0 && isFull) break;
      records += ops.length;
      for (const op of ops) characters += lengthOf(op);
      calls++;
    }
    const group = this.#gathering.slice(0, calls);
    this.#gathering = this.#gathering.slice(calls);
    return group;
  }

  async #written(group: readonly Call[]): Promise<readonly unknown[]> {
    try {
      const isDoubtful = group.some((call) => call.isDoubtful);
      const failures = await this.#write(
        group.map(({ ops }) => ops),
        isDoubtful,
        whoHears(group),
      );
      return failures.map((failure) => failure && errorOf(failure));
    } catch (error) {
      return group.map(() => error);
    }
  }

  #answer(group: readonly Call[], failures: readonly unknown[]): void {
    for (const [index, { resolve, reject }] of group.entries()) {
      const failure = failures[index] ?? null;
      if (failure === null) resolve();
      else reject(failure);
    }
    this.#answered += group.length;
    while ((this.#waiters[0]?.calls ?? Infinity) <= this.#answered) this.#waiters.shift()?.resolve();
  }
}

/** Calls every `onWritten` of the group; undefined: no call has one. */
function whoHears(group: readonly Call[]): (() => void) | undefined {
  const callbacks = group.flatMap(({ onWritten }) => onWritten ?? []);
  if (callbacks.length === 0) return undefined;
  return () => {
    for (const onWritten of callbacks) onWritten();
  };
}
