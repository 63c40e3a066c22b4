/** What grouped and sorted views have in common: their client reads its lines again after a change, so no row is pushed. */
import type { ViewChanged } from '../../contract/console.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import { AskedRange } from './asked-range.ts';
import type { ListChange, Progress } from './match-list.ts';
import type { Covered } from './view.ts';

/** A row can be pruned between finding its number and reading it; then the range is read again. */
export const MAX_READS = 3;

export abstract class RereadView {
  readonly viewId: string;
  readonly leastPushed = Infinity;
  readonly leastShown = -Infinity;
  readonly needsEachChange = true;
  lastUsedMs: number;

  protected readonly asked = new AskedRange();
  /** Messages on the lines that were read last. */
  protected window: ReadonlySet<number> = new Set();
  #appended = 0;
  #hasNews = false;
  /** The progress that the client knows. */
  #progress = '';
  /** False until the answer to `view.open` is sent: before that the client does not know the view. */
  #isAnnounced = false;

  constructor(viewId: string, nowMs: number) {
    this.viewId = viewId;
    this.lastUsedMs = nowMs;
  }

  abstract get total(): number;

  abstract get progress(): Progress | undefined;

  /** How the lines moved since the client was last notified. */
  protected abstract moves(): Pick<ViewChanged, 'moved' | 'shift'>;

  note({ appended }: ListChange): void {
    this.#appended += appended;
  }

  mayPush(): boolean {
    return false;
  }

  covered(): Covered {
    return { least: -Infinity, most: Infinity, has: (number) => this.window.has(number) };
  }

  get isNews(): boolean {
    return this.#isAnnounced && (this.#hasNews || this.#progress !== this.#progressText());
  }

  settle(): void {
    this.#hasNews = false;
    this.#appended = 0;
    this.#progress = this.#progressText();
  }

  announce(): void {
    this.#isAnnounced = true;
  }

  wanted(): readonly number[] {
    return [];
  }

  news(): ViewChanged {
    const { viewId, total, progress } = this;
    const changed: ViewChanged = {
      viewId,
      total,
      appended: this.#appended,
      rows: [],
      ...this.moves(),
      ...withoutUndefined({ progress }),
    };
    this.settle();
    return changed;
  }

  /** The client has to be notified of a change. */
  protected changed(): void {
    this.#hasNews = true;
  }

  #progressText(): string {
    return JSON.stringify(this.progress ?? null);
  }
}
