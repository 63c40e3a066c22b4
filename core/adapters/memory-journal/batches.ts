/** Calls of batches, kept and counted once for all deliveries of a batch. */
import type { Attempt } from '../../contract/message.ts';
import { memoryOf } from '../../domain/codec.ts';
import type { Codec } from '../../domain/codec.ts';
import { isOfBatch, isSameCall } from '../stored/batch-call.ts';
import type { BatchCall } from '../stored/batch-call.ts';

interface Kept extends BatchCall {
  uses: number;
  readonly bytes: number;
}

/** A packed attempt. One that shares its call with others has neither request nor response: the batch keeps both. */
export type PackedAttempt = Attempt | Omit<Attempt, 'request' | 'response'>;

function hasCall(attempt: PackedAttempt): attempt is Attempt {
  return 'request' in attempt;
}

export class Batches {
  readonly #codec: Codec;
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;

  constructor(codec: Codec) {
    this.#codec = codec;
  }

  /** True while no kept attempt is of a batch. */
  get isEmpty(): boolean {
    return this.#kept.size === 0;
  }

  /** Estimated bytes of all of them. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The attempt to store, with the shared call of its batch. */
  enter(attempt: Attempt): Attempt {
    if (!isOfBatch(attempt)) return attempt;
    const { attemptId, request, response } = attempt;
    const known = this.#kept.get(attemptId);
    if (known === undefined) {
      const bytes = bodySizes(attempt, this.#codec);
      this.#kept.set(attemptId, { request, response, uses: 1, bytes });
      this.#bytes += bytes;
      return attempt;
    }
    if (!isSameCall(known, attempt)) return attempt;
    known.uses++;
    if (known.request === request && known.response === response) return attempt;
    return { ...attempt, ...callOf(known) };
  }

  /** Removes an attempt that `enter` gave. */
  leave(attempt: Attempt): void {
    const known = this.#shared(attempt);
    if (known === undefined || --known.uses > 0) return;
    this.#kept.delete(attempt.attemptId);
    this.#bytes -= known.bytes;
  }

  /** Bytes of the bodies that the attempt has for itself. */
  ownBytes(attempt: Attempt): number {
    return this.#shared(attempt) === undefined ? bodySizes(attempt, this.#codec) : 0;
  }

  /** An attempt that `enter` gave, without the call that is kept here. */
  withoutCall(attempt: Attempt): PackedAttempt {
    if (this.#shared(attempt) === undefined) return attempt;
    const { request: _request, response: _response, ...own } = attempt;
    return own;
  }

  /** The attempt that `withoutCall` made this of. */
  withCall(attempt: PackedAttempt): Attempt {
    if (hasCall(attempt)) return attempt;
    const known = this.#kept.get(attempt.attemptId);
    if (known === undefined) throw new Error(`the call of ${attempt.attemptId} is not kept`);
    return { ...attempt, ...callOf(known) };
  }

  clear(): void {
    this.#kept.clear();
    this.#bytes = 0;
  }

  #shared(attempt: Attempt): Kept | undefined {
    const known = this.#kept.get(attempt.attemptId);
    return known?.request === attempt.request && known.response === attempt.response ? known : undefined;
  }
}

function callOf({ request, response }: BatchCall): Pick<Attempt, 'request' | 'response'> {
  return response === undefined ? { request } : { request, response };
}

function bodySizes({ request, response }: BatchCall, codec: Codec): number {
  return memoryOf(request.body, codec) + memoryOf(response?.body ?? '', codec);
}
