/** Events of a stream that were sent to the app and wait for its answer, by event id, with a limit for all of them together. */
import type { ReceivedAnswer } from '../../ports/app-channel.ts';
import type { ObservedCall } from '../../ports/tap.ts';

/** Maximum number of bytes of all waiting events; beyond it the tap stops waiting for the oldest one. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Estimated memory of a waiting event, without its own bytes. */
const EVENT_BYTES = 1024;

interface Sent {
  readonly call: ObservedCall;
  readonly bytes: number;
}

export class UnansweredEvents {
  readonly #sent = new Map<string, Sent[]>();
  #bytes = 0;

  /** @param size bytes of its message */
  add(id: string, call: ObservedCall, size: number): void {
    const bytes = size + EVENT_BYTES;
    const same = this.#sent.get(id);
    if (same === undefined) this.#sent.set(id, [{ call, bytes }]);
    else same.push({ call, bytes });
    this.#bytes += bytes;
    while (this.#bytes > MAX_BYTES) {
      const [oldest] = this.#sent.keys();
      if (oldest === undefined) return;
      const message =
        'The app has left more than 32 MiB of later events unanswered: the tap no longer waits for this one.';
      void this.take(oldest)?.answered(noAnswer(message));
    }
  }

  /** Removes the oldest event with this id and returns its call; undefined: none waits. */
  take(id: string): ObservedCall | undefined {
    const same = this.#sent.get(id);
    const first = same?.shift();
    if (same?.length === 0) this.#sent.delete(id);
    if (first === undefined) return undefined;
    this.#bytes -= first.bytes;
    return first.call;
  }

  /** Ends the wait for all events: none of them will be answered. */
  end(message: string): void {
    const all = [...this.#sent.values()].flat();
    this.#sent.clear();
    this.#bytes = 0;
    for (const { call } of all) void call.answered(noAnswer(message));
  }
}

function noAnswer(message: string): ReceivedAnswer {
  return { kind: 'none', code: 'reset', message };
}
