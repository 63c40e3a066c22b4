/** Calls of batches as an export has them: whole with the first of their entries, named by the others. */
import type { Attempt } from '../../contract/message.ts';

export type Call = Pick<Attempt, 'request' | 'response'>;

/** Most calls that are remembered. */
const MOST_CALLS = 64;
const MOST_CHARACTERS = 16 * 1024 * 1024;

interface Kept {
  readonly call: Call;
  readonly characters: number;
}

/** Memory is bounded: what was not named for a while is forgotten, and is in the export once more. */
export class SharedCalls {
  readonly #kept = new Map<string, Kept>();
  readonly #room: number;
  #characters = 0;

  /** @param room how many times as much as usual is remembered: a reader may not forget before the writer does */
  constructor(room = 1) {
    this.#room = room;
  }

  /** True: this very call was given before. Otherwise it is remembered, where others may have it too. */
  knows(attempt: Attempt): boolean {
    if (attempt.bulk === undefined) return false;
    const known = this.of(attempt.attemptId);
    if (known !== undefined && isSame(known, attempt)) return true;
    this.keep(attempt);
    return false;
  }

  /** Keeps the call of an attempt, in place of an earlier one with its id. */
  keep({ attemptId, request, response }: Attempt): void {
    this.#drop(attemptId);
    const call = response === undefined ? { request } : { request, response };
    const characters = charactersOf(call);
    this.#kept.set(attemptId, { call, characters });
    this.#characters += characters;
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MOST_CALLS * this.#room && this.#characters <= MOST_CHARACTERS * this.#room)
        break;
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

/** Attempts of one batch share an id; in a file that was put together by hand others may too. */
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
