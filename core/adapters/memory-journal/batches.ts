/** Calls of batches: in memory once, and counted once, however many deliveries were in one. */
import type { Attempt } from '../../contract/message.ts';
import { memoryOf } from '../../domain/codec.ts';
import type { Codec } from '../../domain/codec.ts';
import { isOfBatch, isSameCall } from '../stored/batch-call.ts';
import type { BatchCall } from '../stored/batch-call.ts';

interface Kept extends BatchCall {
  uses: number;
  readonly bytes: number;
}

export class Batches {
  readonly #codec: Codec;
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;

  constructor(codec: Codec) {
    this.#codec = codec;
  }

  /** Estimated bytes of all of them. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The attempt as it is to be kept: with the call of the others of its batch. */
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

  /** An attempt that `enter` gave is kept no more. */
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
