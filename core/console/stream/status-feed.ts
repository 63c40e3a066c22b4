/** `runtime.changed`: the present rates, counts and health, at most every 500 ms while they change. */
import type { RuntimeChanged } from '../../contract/console.ts';
import type { Cancel, Clock } from '../../ports/clock.ts';
import { notification } from './pack.ts';

const EVERY_MS = 500;
/** Time after an event in which figures may change: rates count whole seconds, and the history's size is read twice a second. */
const FOLLOW_MS = 2000;

/** Interface of a client for this feed. */
export interface StatusClient {
  readonly isOpen: boolean;
  readonly isBlocked: boolean;
  push(text: string): void;
}

export interface StatusFeedDependencies {
  readonly read: () => RuntimeChanged;
  readonly clients: () => Iterable<StatusClient>;
  readonly clock: Clock;
}

export class StatusFeed {
  readonly #deps: StatusFeedDependencies;
  /** Last status sent to each client; one that is behind gets the newest when it has room. */
  readonly #lastSent = new WeakMap<StatusClient, string>();
  #latest = '';
  #latestAt = -Infinity;
  /** Time until which figures may still change because of the last event. */
  #followsUntil = -Infinity;
  #timer: Cancel | undefined;

  constructor(deps: StatusFeedDependencies) {
    this.#deps = deps;
  }

  /** Notes a change: clients get the status within 500 ms, and again as long as figures change (rates keep falling). */
  touch(): void {
    this.#followsUntil = this.#deps.clock.now() + FOLLOW_MS;
    this.#lookAgain();
  }

  #lookAgain(): void {
    const { clock } = this.#deps;
    const due = Math.max(clock.now(), this.#latestAt + EVERY_MS);
    this.#timer ??= clock.at(due, () => this.#tick());
  }

  /** Sends the present status to a client that has just opened. */
  greet(client: StatusClient): void {
    this.#lastSent.delete(client);
    if (this.#timer === undefined) {
      this.#read();
      this.touch();
    }
    this.send(client);
  }

  /** Sends a client that has room again the status it has missed. */
  send(client: StatusClient): void {
    if (!client.isOpen || client.isBlocked) return;
    if (this.#latest === '' || this.#lastSent.get(client) === this.#latest) return;
    this.#lastSent.set(client, this.#latest);
    client.push(this.#latest);
  }

  /** Forgets the last status and stops, as no client is left. */
  close(): void {
    this.#latest = '';
    this.#timer?.();
    this.#timer = undefined;
  }

  #tick(): void {
    this.#timer = undefined;
    const before = this.#latest;
    const { rates } = this.#read();
    if (this.#latest !== before) for (const client of this.#deps.clients()) this.send(client);
    // Rates change once a second and fall without any event, so the feed checks again.
    const follows = this.#deps.clock.now() < this.#followsUntil;
    if (this.#latest !== before || rates.in > 0 || rates.out > 0 || follows) this.#lookAgain();
  }

  #read(): RuntimeChanged {
    const status = this.#deps.read();
    this.#latest = notification('runtime.changed', status);
    this.#latestAt = this.#deps.clock.now();
    return status;
  }
}
