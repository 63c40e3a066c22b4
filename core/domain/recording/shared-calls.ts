/** Calls of batches in an export: the first entry of a batch has the call, the others refer to it. */
import type { Attempt } from '../../contract/message.ts';

export type Call = Pick<Attempt, 'request' | 'response'>;

/** Maximum number of calls that are remembered. */
const MAX_CALLS = 64;
const MAX_CHARACTERS = 16 * 1024 * 1024;

interface Kept {
  readonly call: Call;
  readonly characters: number;
}

/**
 * Remembers calls within a bounded memory. A call that was not used for a while is forgotten, and then
 * exported once more.
 */
export class SharedCalls {
  readonly #kept = new Map<string, Kept>();
  readonly #room: number;
  #characters = 0;

  /**
   * Makes an empty memory.
   * @param room factor for the number of calls: a reader must not forget earlier than the writer
   */
  constructor(room = 1) {
    this.#room = room;
  }

  /** Whether this call was given before. If not, it is remembered for later entries. */
  knows(attempt: Attempt): boolean {
    if (attempt.bulk === undefined) return false;
    const known = this.of(attempt.attemptId);
    if (known !== undefined && isSame(known, attempt)) return true;
    this.keep(attempt);
    return false;
  }

  /** Remembers the call of an attempt, instead of an earlier one with its id. */
  keep({ attemptId, request, response }: Attempt): void {
    this.#drop(attemptId);
    const call = response === undefined ? { request } : { request, response };
    const characters = charactersOf(call);
    this.#kept.set(attemptId, { call, characters });
    this.#characters += characters;
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MAX_CALLS * this.#room && this.#characters <= MAX_CHARACTERS * this.#room) break;
      this.#drop(oldest);
    }
  }

  of(attemptId: string): Call | undefined {
    const known = this.#kept.get(attemptId);
    if (known === undefined) return undefined;
    this.#kept.delete(attemptId);
    this.#kept.set(attemptId, known);
    return known.call;
  }

  #drop(attemptId: string): void {
    this.#characters -= this.#kept.get(attemptId)?.characters ?? 0;
    this.#kept.delete(attemptId);
  }
}

/**
 * Whether two calls are equal. Attempts of one batch share an id; in a file that a person edited others may
 * too.
 */
function isSame(a: Call, b: Call): boolean {
  return (
    a.request.body === b.request.body &&
    a.response?.body === b.response?.body &&
    JSON.stringify(restOf(a)) === JSON.stringify(restOf(b))
  );
}

function restOf({ request, response }: Call): unknown {
  return [{ ...request, body: '' }, response === undefined ? null : { ...response, body: '' }];
}

function charactersOf({ request, response }: Call): number {
  return [request, response].reduce((sum, one) => {
    if (one === undefined) return sum;
    const headers = Object.entries(one.headers);
    return headers.reduce((more, [name, value]) => more + name.length + value.length, sum + one.body.length);
  }, request.url.length);
}
