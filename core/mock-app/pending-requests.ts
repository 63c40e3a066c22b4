/** Requests that wait for a person's answer. */
import type { IdSource } from '../ports/ids.ts';
import type { Clock } from '../ports/clock.ts';
import type { Incoming } from './incoming.ts';
import type { Reply } from './reply.ts';

export interface WaitingRequest {
  /** Attempt id of Sidelight's own sidecar; a generated one for a request without it. */
  readonly attemptId: string;
  /** Start of the wait in milliseconds since 1970. */
  readonly since: number;
  readonly path: string;
  readonly entryIds?: readonly string[];
}

interface Pending extends WaitingRequest {
  readonly incoming: Incoming;
  readonly reply: Reply;
}

/**
 * Waiting requests, oldest first. The connections of the app limit their number: a request is removed when
 * its caller disconnects.
 */
export class PendingRequests {
  readonly #ports: { readonly clock: Clock; readonly ids: IdSource };
  readonly #changed: () => void;
  readonly #pending = new Map<string, Pending>();

  /**
   * Makes an empty list.
   * @param changed called when a request is added or removed
   */
  constructor(ports: { readonly clock: Clock; readonly ids: IdSource }, changed: () => void) {
    this.#ports = ports;
    this.#changed = changed;
  }

  /**
   * Adds a request.
   * @returns function to call when the caller has disconnected; idempotent
   */
  wait(incoming: Incoming, reply: Reply): () => void {
    const given = incoming.attemptId;
    const attemptId =
      given !== undefined && !this.#pending.has(given) ? given : this.#ports.ids.next('attempt');
    const entryIds = incoming.events.flatMap(({ entryId }) => (entryId === undefined ? [] : [entryId]));
    const pending: Pending = {
      attemptId,
      since: this.#ports.clock.now(),
      path: incoming.path,
      ...(incoming.kind === 'bulk' ? { entryIds } : {}),
      incoming,
      reply,
    };
    this.#pending.set(attemptId, pending);
    this.#changed();
    return () => {
      if (this.#pending.get(attemptId) === pending) this.#leave(attemptId);
    };
  }

  waiting(): readonly WaitingRequest[] {
    return [...this.#pending.values()].map(({ attemptId, since, path, entryIds }) => ({
      attemptId,
      since,
      path,
      ...(entryIds === undefined ? {} : { entryIds }),
    }));
  }

  /** Removes a request so that it can be answered; undefined: none waits for this attempt. */
  take(attemptId: string): { readonly incoming: Incoming; readonly reply: Reply } | undefined {
    const pending = this.#pending.get(attemptId);
    if (pending !== undefined) this.#leave(attemptId);
    return pending;
  }

  #leave(attemptId: string): void {
    this.#pending.delete(attemptId);
    this.#changed();
  }
}
