/**
 * Waits for messages: searches the matches of a filter now, and again after each change that the instance
 * reports.
 */
import type { MessageRow } from '../contract/message.ts';
import { viewRows } from '../contract/view-rows.ts';
import type { Cancel, Clock } from '../ports/clock.ts';
import { InstanceGone } from './rpc.ts';
import type { Rpc } from './rpc.ts';

export interface Watching {
  readonly rpc: Rpc;
  readonly clock: Clock;
  /** Aborted when the caller no longer waits: the wait then ends as if its time were over. */
  readonly signal?: AbortSignal;
}

/** The messages that match a filter at one moment. */
export interface Matches {
  readonly total: number;
  /**
   * Rows of the matching messages, newest first.
   * @param after number of a message: only those that were accepted after it
   * @param most rows at most
   */
  rows(after: number, most: number): Promise<readonly MessageRow[]>;
}

const PAGE = 500;
/** Time after the end of a wait within which the instance has to answer a small question. */
const ANSWER_MS = 10_000;

/**
 * The result of `look` on the matching messages, as soon as it has one; undefined: it had none within
 * `withinMs`. The last look may take longer. Throws RpcRefused for an invalid filter, and InstanceGone, also if
 * the instance still exists and answers nothing any more.
 */
export async function untilFound<T>(
  at: Watching,
  filter: string,
  withinMs: number,
  look: (matches: Matches) => Promise<T | undefined>,
): Promise<T | undefined> {
  const silence = new Silence(at, at.clock.now() + withinMs);
  try {
    return await Promise.race([search(at, filter, withinMs, look), silence.found]);
  } finally {
    silence.end();
  }
}

/**
 * Notices an instance that answers nothing after the end of a wait. A look may be slow, because it reads many
 * messages or one search takes long, so a small question decides: a living instance answers it meanwhile.
 */
class Silence {
  /** Rejects when the instance does not answer. */
  readonly found: Promise<never>;
  readonly #at: Watching;
  #fail: (error: unknown) => void = () => undefined;
  #cancel: Cancel;
  #isOver = false;

  constructor(at: Watching, fromMs: number) {
    this.#at = at;
    this.found = new Promise((_resolve, reject) => (this.#fail = reject));
    this.#cancel = at.clock.at(fromMs, () => this.#ask());
  }

  end(): void {
    this.#isOver = true;
    this.#cancel();
  }

  #ask(): void {
    this.#later(() => this.#fail(new InstanceGone('the instance does not answer')));
    this.#at.rpc.call('filter.check', { filter: '' }).then(() => {
      this.#cancel();
      if (!this.#isOver) this.#later(() => this.#ask());
    }, this.#fail);
  }

  #later(run: () => void): void {
    this.#cancel = this.#at.clock.at(this.#at.clock.now() + ANSWER_MS, run);
  }
}

async function search<T>(
  { rpc, clock, signal }: Watching,
  filter: string,
  withinMs: number,
  look: (matches: Matches) => Promise<T | undefined>,
): Promise<T | undefined> {
  const bell = new Bell();
  const deadline = { isOver: signal?.aborted === true };
  const end = (): void => {
    deadline.isOver = true;
    bell.ring();
  };
  const cancel = clock.at(clock.now() + withinMs, end);
  signal?.addEventListener('abort', end, { once: true });
  const stopHearing = rpc.onViewChanged(() => bell.ring());
  void rpc.ended.then(() => bell.ring());
  try {
    const { viewId } = await rpc.call('view.open', { filter });
    try {
      for (;;) {
        const isLast = deadline.isOver;
        const found = await look(await matchesOf(rpc, viewId));
        if (found !== undefined || isLast) return found;
        await bell.rung();
      }
    } finally {
      await closed(rpc, viewId);
    }
  } finally {
    stopHearing();
    cancel();
    signal?.removeEventListener('abort', end);
  }
}

/** Closes a view. A connection that has ended has no views any more. */
async function closed(rpc: Rpc, viewId: string): Promise<void> {
  await rpc.call('view.close', { viewId }).catch((error: unknown) => {
    if (!(error instanceof InstanceGone)) throw error;
  });
}

async function matchesOf(rpc: Rpc, viewId: string): Promise<Matches> {
  const page = (from: number, count: number) =>
    viewRows((range) => rpc.call('view.rows', { viewId, ...range }), { from, count });
  const { total } = await page(0, 0);
  return {
    total,
    rows: async (after, most) => {
      const count = Math.min(PAGE, most);
      // A message that arrives between two pages moves earlier rows to the next page, so rows are joined by
      // number.
      const found = new Map<number, MessageRow>();
      for (let from = 0; found.size < most; from += count) {
        const { rows } = await page(from, count);
        const later = rows.filter(({ number }) => number > after);
        for (const row of later) found.set(row.number, row);
        if (later.length < count) break;
      }
      return [...found.values()].slice(0, most);
    },
  };
}

/** A signal that is remembered until a wait uses it. */
class Bell {
  #hasRung = false;
  #wake: (() => void) | undefined;

  ring(): void {
    this.#hasRung = true;
    this.#wake?.();
  }

  async rung(): Promise<void> {
    if (!this.#hasRung) await new Promise<void>((resolve) => (this.#wake = resolve));
    this.#hasRung = false;
    this.#wake = undefined;
  }
}
