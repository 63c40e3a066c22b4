/** Ids that count up, so that a test can say which one it means. */
import type { IdKind, IdSource } from '../../core/ports/ids.ts';

const PREFIXES = {
  message: 'msg_',
  delivery: 'dlv_',
  attempt: 'att_',
  batch: 'bat_',
  hold: 'hld_',
  rule: 'rul_',
} as const satisfies Readonly<Record<IdKind, string>>;

export class CountingIds implements IdSource {
  readonly #counts = new Map<IdKind, number>();
  #uuids = 0;
  #hex = 0;

  next(kind: IdKind): string {
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    return PREFIXES[kind] + count;
  }

  uuid(): string {
    this.#uuids += 1;
    return `00000000-0000-4000-8000-${String(this.#uuids).padStart(12, '0')}`;
  }

  hex(bytes: number): string {
    this.#hex += 1;
    return this.#hex.toString(16).padStart(bytes * 2, '0');
  }
}
