/** Deadlines of calls: all calls with the same time limit share one timer, because nearly every call ends long before. */
import { performance } from 'node:perf_hooks';

/** One deadline, which passes unless it is ended before. */
export class Deadline {
  readonly dueAt: number;
  readonly late: () => void;
  /** The list that contains the deadline, and its neighbours there; `list` undefined: it is in none. */
  list: List | undefined;
  before: Deadline | undefined;
  after: Deadline | undefined;

  constructor(dueAt: number, late: () => void) {
    this.dueAt = dueAt;
    this.late = late;
  }

  /** Ends the deadline: it no longer passes. Idempotent. */
  end(): void {
    const { list, before, after } = this;
    if (list === undefined) return;
    if (before === undefined) list.first = after;
    else before.after = after;
    if (after === undefined) list.last = before;
    else after.before = before;
    this.list = undefined;
    this.before = undefined;
    this.after = undefined;
  }
}

/** Deadlines with the same time limit in the order in which they began, so that the first is due first. */
interface List {
  readonly ms: number;
  first: Deadline | undefined;
  last: Deadline | undefined;
  timer: NodeJS.Timeout | undefined;
}

export class Deadlines {
  readonly #lists = new Map<number, List>();
  readonly #now: () => number;

  /** @param now milliseconds since any fixed time; tests give their own */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** Calls `late` after `ms`, unless the deadline was ended before. What it is for has to keep the program alive itself. */
  begin(ms: number, late: () => void): Deadline {
    let list = this.#lists.get(ms);
    if (list === undefined)
      this.#lists.set(ms, (list = { ms, first: undefined, last: undefined, timer: undefined }));
    const deadline = new Deadline(this.#now() + ms, late);
    deadline.list = list;
    deadline.before = list.last;
    if (list.last === undefined) list.first = deadline;
    else list.last.after = deadline;
    list.last = deadline;
    if (list.timer === undefined) this.#arm(list, ms);
    return deadline;
  }

  /** Stays armed while calls come and go: it looks again when it is over. */
  #arm(list: List, ms: number): void {
    list.timer = setTimeout(() => this.#look(list), Math.ceil(ms)).unref();
  }

  #look(list: List): void {
    // The timer stays set meanwhile, so that a deadline which begins in here arms none: others may be due before it.
    const now = this.#now();
    for (let { first } = list; first !== undefined && first.dueAt <= now; { first } = list) {
      first.end();
      first.late();
    }
    list.timer = undefined;
    if (list.first === undefined) this.#lists.delete(list.ms);
    else this.#arm(list, list.first.dueAt - now);
  }
}
