/**
 * The turns of the requests of one client that read its views. The client is told of changes in front of rows, and a client whose reads
 * always overlap would hear of no change. So a request waits for the one before it, unless it reads another view already: two batches
 * would wait for each other.
 */

/** Calls `act` once the request is answered; requests differ by this function. */
type AfterAnswer = (act: () => void) => void;

/** A request that reads a view, until the client has its rows. */
interface Turn {
  readonly request: AfterAnswer;
  /** Resolves when the client has the rows, or the view is closed. */
  readonly ended: Promise<void>;
  readonly end: () => void;
  /** False while it waits for earlier requests. */
  hasBegun: boolean;
}

export class ReadTurns {
  /** The requests that read a view, in the order in which they came, by view id. */
  readonly #turns = new Map<string, Set<Turn>>();

  /** Whether a request reads the view now, or waits to do so. */
  isRead(viewId: string): boolean {
    return this.#turns.has(viewId);
  }

  /**
   * Waits until the client has the rows of all earlier requests.
   * @param onFree called when no request reads the view any more
   * @returns whether the client may be told of changes in front of the rows of this read
   */
  async take(viewId: string, request: AfterAnswer, onFree: () => void): Promise<boolean> {
    const turns = this.#turns.get(viewId) ?? new Set();
    // The rows of an earlier read of the same batch go out with those of this one.
    if ([...turns].some((turn) => turn.request === request)) return false;
    const earlier = [...turns];
    const turn = turnOf(request);
    this.#turns.set(viewId, turns.add(turn));
    request(() => {
      this.#remove(viewId, turn, onFree);
    });
    // Two batches that read two views in opposite order would wait for each other.
    if (!this.#readsOther(viewId, request)) await Promise.all(earlier.map(({ ended }) => ended));
    turn.hasBegun = true;
    return ![...turns].some((other) => other !== turn && other.hasBegun);
  }

  /** The view was closed: nothing waits for it any more. */
  end(viewId: string): void {
    for (const turn of this.#turns.get(viewId) ?? []) turn.end();
    this.#turns.delete(viewId);
  }

  #readsOther(viewId: string, request: AfterAnswer): boolean {
    return [...this.#turns].some(
      ([other, turns]) => other !== viewId && [...turns].some((turn) => turn.request === request),
    );
  }

  #remove(viewId: string, turn: Turn, onFree: () => void): void {
    const turns = this.#turns.get(viewId);
    turn.end();
    if (turns?.delete(turn) !== true || turns.size > 0) return;
    this.#turns.delete(viewId);
    onFree();
  }
}

function turnOf(request: AfterAnswer): Turn {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { request, ended, end, hasBegun: false };
}
