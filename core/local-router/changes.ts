/** Reports changes to listeners, at most once per kind and id and turn of the event loop. */
import type { RouterChange } from '../contract/event-router/local-router.ts';

export class Changes {
  readonly #listeners = new Set<(change: RouterChange) => void>();
  readonly #waiting = new Map<string, RouterChange>();

  notify(kind: RouterChange['kind'], id?: string): void {
    if (this.#listeners.size === 0) return;
    if (this.#waiting.size === 0) setImmediate(() => this.#flush());
    this.#waiting.set(`${kind} ${id ?? ''}`, id === undefined ? { kind } : { kind, id });
  }

  listen(take: (change: RouterChange) => void): () => void {
    this.#listeners.add(take);
    return () => this.#listeners.delete(take);
  }

  #flush(): void {
    const changes = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const change of changes) for (const take of this.#listeners) take(change);
  }
}
