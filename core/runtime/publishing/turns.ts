/** Requests that publish take turns: the bodies of those that are under way take so much memory at most. */
import { Room } from '../state/room.ts';

const REQUESTS_BYTES = 32 * 1024 * 1024;

export class Turns {
  readonly #room = new Room(REQUESTS_BYTES);

  /** True: there is room at once, and the request calls `leave` once when it has ended. */
  enterNow(bytes: number): boolean {
    return this.#room.enterNow(bytes);
  }

  leave(bytes: number): void {
    this.#room.leave(bytes);
  }

  /** Begins once there is room for this many bytes, in the order of asking; has the room until it ends. */
  async take<T>(bytes: number, act: () => Promise<T>): Promise<T> {
    const entered = this.#room.enter(bytes);
    const leave = entered instanceof Promise ? await entered : entered;
    try {
      return await act();
    } finally {
      leave();
    }
  }
}
