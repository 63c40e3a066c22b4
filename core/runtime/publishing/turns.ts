/** Requests that publish take turns: the bodies of those that are under way take so much memory at most. */
import { Room } from '../state/room.ts';

const REQUESTS_BYTES = 32 * 1024 * 1024;

export class Turns {
  readonly #room = new Room(REQUESTS_BYTES);

  /** Gives what is to be called when the request has ended; at once where there is room for this many bytes, else in the order of asking. */
  enter(bytes: number): ReturnType<Room['enter']> {
    return this.#room.enter(bytes);
  }

  /** Begins once there is room for this many bytes, in the order of asking; has the room until it ends. */
  async take<T>(bytes: number, act: () => Promise<T>): Promise<T> {
    const entered = this.enter(bytes);
    const leave = entered instanceof Promise ? await entered : entered;
    try {
      return await act();
    } finally {
      leave();
    }
  }
}
