/** Bounds how many reads with large results are under way: each has a message, or thousands of rows, in memory. */
import type { Method } from '../contract/console.ts';
import type { AnswerRoom } from '../contract/rpc.ts';
import type { Caller } from './caller.ts';

/** How many of these reads run at a time, of all clients. */
const READS: readonly { readonly methods: readonly Method[]; readonly atOnce: number }[] = [
  { methods: ['messages.get', 'messages.payload'], atOnce: 2 },
  { methods: ['messages.list', 'messages.values'], atOnce: 4 },
];

export class LargeReads {
  readonly #places = new Map<string, Places>();
  /** One place for each connection: its next answer is made once it can be seen whether it has read the one before. */
  readonly #own = new WeakMap<AnswerRoom, Places>();

  constructor() {
    for (const { methods, atOnce } of READS) {
      const places = new Places(atOnce);
      for (const method of methods) this.#places.set(method, places);
    }
  }

  /**
   * Waits until a read may run: not too many others do, and its client has read enough of earlier answers. Call the returned function
   * once, when its answer is made. Rejects with the signal's reason if the client disconnects.
   */
  enter(method: string, caller: Caller): Promise<() => void> | undefined {
    const places = this.#places.get(method);
    if (places === undefined) return undefined;
    return caller.room === undefined ? places.take() : this.#withRoom(places, caller.room, caller.signal);
  }

  async #withRoom(places: Places, room: AnswerRoom, signal: AbortSignal): Promise<() => void> {
    const own = this.#own.get(room) ?? new Places(1);
    this.#own.set(room, own);
    const leaveOwn = await own.take();
    for (;;) {
      await room.wait();
      const leave = await places.take();
      if (!signal.aborted && !room.isFull)
        return () => {
          leave();
          leaveOwn();
        };
      leave();
      if (signal.aborted) {
        leaveOwn();
        signal.throwIfAborted();
      }
    }
  }
}

/** Places that are taken first come, first served. */
class Places {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** Call the returned function once to leave the place. */
  async take(): Promise<() => void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((go) => void this.#waiting.push(go));
    return () => {
      const next = this.#waiting.shift();
      // In the next turn: by then the answer of this one was sent.
      if (next !== undefined) setImmediate(next);
      else this.#free += 1;
    };
  }
}
