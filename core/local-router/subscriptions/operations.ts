/** Long-running operations of the management API, by id. */
import type { IdSource } from '../../ports/ids.ts';

export interface Operation {
  readonly id: string;
  readonly status: 'InProgress' | 'Succeeded' | 'Failed';
  readonly error?: { readonly code: string; readonly message: string };
}

const MAX_KEPT = 1000;

/** The newest 1,000 operations; older ones are forgotten. */
export class Operations {
  readonly #ids: IdSource;
  readonly #operations = new Map<string, Operation>();

  constructor(ids: IdSource) {
    this.#ids = ids;
  }

  start(): Operation {
    const operation: Operation = { id: this.#ids.uuid(), status: 'InProgress' };
    this.#operations.set(operation.id, operation);
    const [oldest] = this.#operations.keys();
    if (this.#operations.size > MAX_KEPT && oldest !== undefined) this.#operations.delete(oldest);
    return operation;
  }

  /** Ends an operation; without an error it succeeded. */
  end(id: string, error?: Operation['error']): void {
    const ended =
      error === undefined ? { status: 'Succeeded' as const } : { status: 'Failed' as const, error };
    if (this.#operations.has(id)) this.#operations.set(id, { id, ...ended });
  }

  get(id: string): Operation | undefined {
    return this.#operations.get(id);
  }
}
