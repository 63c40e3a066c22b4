/** Saved filters with a name, in order of their tabs. */
import type { Params, Result } from '../../contract/console.ts';
import type { SavedView } from '../../contract/view.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import { isObject } from '../../domain/json.ts';
import { Refusal } from '../../domain/refusal.ts';
import { readFilter, readGroupBy } from '../views/filter.ts';
import { KeptValue } from './kept-value.ts';
import type { KeptValueDependencies } from './kept-value.ts';
import { mustBeFew } from './room.ts';

const MAX_VIEWS = 50;

export interface SavedViewsDependencies extends KeptValueDependencies {
  readonly nextId: () => string;
}

export class SavedViews {
  readonly #deps: SavedViewsDependencies;
  readonly #kept: KeptValue<readonly SavedView[]>;

  constructor(deps: SavedViewsDependencies) {
    this.#deps = deps;
    this.#kept = new KeptValue(deps, 'views', readViews);
  }

  async list(): Promise<Result<'views.list'>> {
    return { items: await this.#kept.get() };
  }

  /** Adds a view at the end, or replaces one. Throws Refusal FILTER_SYNTAX, INVALID_PARAMS (`groupBy`), NOT_FOUND, TOO_LARGE. */
  async save({ savedViewId, name, filter, groupBy }: Params<'views.save'>): Promise<SavedView> {
    readFilter(filter);
    if (groupBy !== undefined) readGroupBy(groupBy);
    const made: SavedView = {
      savedViewId: savedViewId ?? this.#deps.nextId(),
      name,
      filter,
      ...withoutUndefined({ groupBy }),
    };
    await this.#kept.store((kept) => {
      if (savedViewId !== undefined) {
        this.#mustHave(kept, savedViewId);
        return kept.map((view) => (view.savedViewId === savedViewId ? made : view));
      }
      const next = [...kept, made];
      mustBeFew(kept, next, { most: MAX_VIEWS, words: 'views' });
      return next;
    });
    return made;
  }

  /** Throws Refusal NOT_FOUND. */
  async remove({ savedViewId }: Params<'views.remove'>): Promise<Result<'views.remove'>> {
    this.#mustHave(await this.#kept.get(), savedViewId);
    const items = await this.#kept.store((all) => all.filter((view) => view.savedViewId !== savedViewId));
    return { items };
  }

  /** Orders the views: named ones come first, in this order; the others keep theirs. Throws Refusal NOT_FOUND. */
  async order({ savedViewIds }: Params<'views.order'>): Promise<Result<'views.order'>> {
    const known = await this.#kept.get();
    for (const id of savedViewIds) this.#mustHave(known, id);
    const items = await this.#kept.store((all) => {
      const named = [...new Set(savedViewIds)].flatMap((id) => all.filter((view) => view.savedViewId === id));
      return [...named, ...all.filter((view) => !named.includes(view))];
    });
    return { items };
  }

  #mustHave(all: readonly SavedView[], savedViewId: string): void {
    if (all.some((view) => view.savedViewId === savedViewId)) return;
    const reason = `There is no saved view ${savedViewId}.`;
    throw new Refusal('NOT_FOUND', { reason }, { field: 'savedViewId' });
  }
}

function readViews(kept: unknown): readonly SavedView[] {
  return Array.isArray(kept) ? kept.filter(isSaved) : [];
}

function isSaved(value: unknown): value is SavedView {
  return (
    isObject(value) && ['savedViewId', 'name', 'filter'].every((member) => typeof value[member] === 'string')
  );
}
