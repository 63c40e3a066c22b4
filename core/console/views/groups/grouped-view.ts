/** One grouped view of a connection: lines of groups, and of the messages of those that are open. */
import type { Result, ViewChanged } from '../../../contract/console.ts';
import { withoutUndefined } from '../../../contract/without-undefined.ts';
import { Refusal } from '../../../domain/refusal.ts';
import type { Facet } from '../../../domain/facet.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { ListChange, Progress } from '../match-list.ts';
import { AskedRange } from '../asked-range.ts';
import type { Covered, OpenView, Reading, ViewDependencies } from '../view.ts';
import type { ViewLists } from '../view-lists.ts';
import { GroupIndex } from './group-index.ts';
import type { Line } from './group-index.ts';
import { GroupWork } from './group-work.ts';

/** Groups that are opened or closed one by one; beyond it all of them are. */
const MAX_EXCEPTIONS = 10_000;
const MAX_READS = 3;

export interface GroupedDependencies extends ViewDependencies {
  readonly facet: Facet;
  readonly lists: Pick<ViewLists, 'summaries' | 'notify' | 'failed'>;
}

export class GroupedView implements OpenView {
  readonly #deps: GroupedDependencies;
  readonly #index: GroupIndex;
  readonly #work: GroupWork;
  readonly #asked = new AskedRange();
  /** Messages on the lines that were read last. */
  #window = new Set<number>();
  /** First line of the range that was read last, and where the client knows it to be. */
  #anchor: { readonly line: Line; readonly position: number } | undefined;
  #appended = 0;
  #hasNews = false;
  #progress = '';
  #isAnnounced = false;
  lastUsedMs: number;

  readonly leastPushed = Infinity;

  constructor(deps: GroupedDependencies, clock: Clock) {
    this.#deps = deps;
    this.#index = new GroupIndex(deps.order);
    this.#work = new GroupWork({
      index: this.#index,
      list: deps.list,
      facet: deps.facet,
      journal: deps.lists,
      clock,
      onChange: () => {
        this.#hasNews = true;
        deps.lists.notify();
      },
      onFailure: (error) => deps.lists.failed(error),
    });
    this.lastUsedMs = clock.now();
  }

  get viewId(): string {
    return this.#deps.viewId;
  }

  get progress(): Progress | undefined {
    return this.#deps.list.progress ?? this.#work.progress;
  }

  get total(): number {
    return this.#index.total;
  }

  ready(wantsAll: boolean): Promise<void> {
    return this.#work.settled(wantsAll);
  }

  note(change: ListChange): void {
    this.#appended += change.appended;
    this.#work.note(change);
  }

  mayPush(): boolean {
    return false;
  }

  covered(): Covered {
    return { least: -Infinity, most: Infinity, has: (number) => this.#window.has(number) };
  }

  /** Opens or closes a group, or all of them; gives the number of lines. Throws Refusal TOO_LARGE. */
  expand(groupId: string | undefined, isOpen: boolean): number {
    if (groupId !== undefined && this.#index.exceptions >= MAX_EXCEPTIONS) {
      const reason = `At most ${MAX_EXCEPTIONS} groups are opened or closed one by one.`;
      throw new Refusal('TOO_LARGE', { reason }, { field: 'groupId', expected: 'no groupId: all groups' });
    }
    this.#index.setOpen(groupId, isOpen);
    return this.#index.total;
  }

  async read(from: number, count: number, { rowsOf, beforeLook }: Reading): Promise<Result<'view.rows'>> {
    for (let read = 1; ; read += 1) {
      beforeLook?.();
      const lines = this.#look(from, count);
      const { total } = this;
      const heads = lines.flatMap(({ group, number }, offset) =>
        number === undefined ? [{ index: from + offset, group }] : [],
      );
      const [first] = lines;
      if (first?.number !== undefined) {
        heads.unshift({ index: this.#index.positionOf({ group: first.group }), group: first.group });
      }
      const groups = heads.map(({ index, group }) => ({ index, group: this.#index.row(group) }));
      const numbers = lines.flatMap(({ number }) => number ?? []);
      const rows = await rowsOf(numbers);
      const missing = numbers.filter((_number, index) => index < rows.length && rows[index] === undefined);
      if (missing.length === 0 || read === MAX_READS) {
        const [left] = numbers.slice(rows.length);
        const next = left === undefined ? undefined : from + lines.findIndex(({ number }) => number === left);
        if (count > 0) this.#asked.answered(next);
        return {
          rows: rows.filter((row) => row !== undefined),
          groups: next === undefined ? groups : groups.filter(({ index }) => index < next),
          total,
          ...withoutUndefined({ next }),
        };
      }
      this.#work.gone(missing);
    }
  }

  indexOf(number: number): number {
    const group = this.#index.members.groupOf(number);
    return group === undefined ? -1 : this.#index.positionOf({ group, number });
  }

  numberAt(position: number): number | undefined {
    const line = this.#index.lineAt(position);
    return line?.number ?? line?.group.first;
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

  /** The client reads its lines again; no row is pushed. */
  wanted(): readonly number[] {
    return [];
  }

  news(): ViewChanged {
    const { progress } = this;
    const changed: ViewChanged = {
      viewId: this.viewId,
      total: this.total,
      appended: this.#appended,
      rows: [],
      moved: true,
      ...this.#shift(),
      ...withoutUndefined({ progress }),
    };
    this.settle();
    return changed;
  }

  close(): void {
    this.#work.close();
    this.#deps.leave();
  }

  #look(from: number, count: number): readonly Line[] {
    const lines: Line[] = [];
    for (let position = from; position < from + count; position += 1) {
      const line = this.#index.lineAt(position);
      if (line === undefined) break;
      lines.push(line);
    }
    const [first] = lines;
    if (count > 0 && this.#asked.ask(from, count)) {
      this.#window = new Set(lines.flatMap(({ number }) => number ?? []));
      this.#anchor = first && { line: first, position: from };
    }
    return lines;
  }

  #shift(): Pick<ViewChanged, 'shift'> {
    if (this.#anchor === undefined) return {};
    const { line, position } = this.#anchor;
    const now = this.#index.positionOf(line);
    if (now === -1 || now === position) return {};
    this.#anchor = { line, position: now };
    return { shift: now - position };
  }

  #progressText(): string {
    return JSON.stringify(this.progress ?? null);
  }
}
