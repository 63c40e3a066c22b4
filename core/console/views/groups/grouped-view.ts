/** One grouped view of a connection: lines of groups, and of the messages of those that are open. */
import type { Result, ViewChanged } from '../../../contract/console.ts';
import { withoutUndefined } from '../../../contract/without-undefined.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { groupOrderOf } from '../../../domain/facet.ts';
import type { Facet } from '../../../domain/facet.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { ListChange, Progress } from '../match-list.ts';
import { MAX_READS, RereadView } from '../reread-view.ts';
import type { OpenView, Reading, ViewDependencies } from '../view.ts';
import type { ViewLists } from '../view-lists.ts';
import { GroupIndex } from './group-index.ts';
import type { Line } from './group-index.ts';
import { GroupWork } from './group-work.ts';

/** Groups that are opened or closed one by one; beyond it all of them are. */
const MAX_EXCEPTIONS = 10_000;

export interface GroupedDependencies extends ViewDependencies {
  readonly facet: Facet;
  readonly lists: Pick<ViewLists, 'summaries' | 'notify' | 'failed'>;
}

export class GroupedView extends RereadView implements OpenView {
  readonly #deps: GroupedDependencies;
  readonly #index: GroupIndex;
  readonly #work: GroupWork;
  /** First line of the range that was read last, and where the client knows it to be. */
  #anchor: { readonly line: Line; readonly position: number } | undefined;

  constructor(deps: GroupedDependencies, clock: Clock) {
    super(deps.viewId, clock.now());
    this.#deps = deps;
    this.#index = new GroupIndex(deps.order, groupOrderOf(deps.facet));
    this.#work = new GroupWork({
      index: this.#index,
      list: deps.list,
      facet: deps.facet,
      journal: deps.lists,
      clock,
      onChange: () => {
        this.changed();
        deps.lists.notify();
      },
      onFailure: (error) => deps.lists.failed(error),
    });
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

  override note(change: ListChange): void {
    super.note(change);
    this.#work.note(change);
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
        if (count > 0) this.asked.answered(next);
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
    if (count > 0 && this.asked.ask(from, count)) {
      this.window = new Set(lines.flatMap(({ number }) => number ?? []));
      this.#anchor = first && { line: first, position: from };
    }
    return lines;
  }

  protected moves(): Pick<ViewChanged, 'moved' | 'shift'> {
    if (this.#anchor === undefined) return { moved: true };
    const { line, position } = this.#anchor;
    const now = this.#index.positionOf(line);
    if (now === -1 || now === position) return { moved: true };
    this.#anchor = { line, position: now };
    return { moved: true, shift: now - position };
  }
}
