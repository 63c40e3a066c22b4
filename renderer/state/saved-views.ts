/** Filters that the host keeps under a name. */
import type { Result } from '../../core/contract/console.ts';
import type { SavedView } from '../../core/contract/view.ts';
import type { RpcClient } from '../client/rpc-client.ts';
import { SAVED_VIEWS } from '../copy/saved-views.ts';
import { fill } from '../copy/fill.ts';
import type { Acting, TakesFailure } from './acting.ts';
import { createResource, type ResourceStore } from './resource.ts';
import type { Toasts } from './toasts.ts';

export interface SavedViews {
  readonly list: ResourceStore<Result<'views.list'>>;
  /**
   * Saves a new view, or changes one.
   * @param refused receives the reason of a refusal, for a form that shows it itself
   * @returns the view as the host has it; undefined: it was refused
   */
  save(
    view: Omit<SavedView, 'savedViewId'> & { readonly savedViewId?: string },
    refused?: TakesFailure,
  ): Promise<SavedView | undefined>;
  remove(view: SavedView): Promise<void>;
  /** Moves a view one position to the left (-1) or to the right (1). */
  move(view: SavedView, step: -1 | 1): Promise<void>;
}

export interface SavedViewsDependencies {
  readonly call: RpcClient['call'];
  readonly toasts: Toasts;
  readonly run: Acting['run'];
}

/** Makes the store; nothing is loaded before a view shows it. */
export function createSavedViews({ call, toasts, run }: SavedViewsDependencies): SavedViews {
  const list = createResource(() => call('views.list', {}));
  const known = (): readonly SavedView[] => list.store.getState().value?.items ?? [];

  async function save(
    view: Omit<SavedView, 'savedViewId'> & { readonly savedViewId?: string },
    refused?: TakesFailure,
  ): Promise<SavedView | undefined> {
    const before = known().find(({ savedViewId }) => savedViewId === view.savedViewId);
    let saved: SavedView | undefined;
    const work = async (): Promise<string> => {
      saved = await call('views.save', view);
      await list.refresh();
      const text =
        before === undefined
          ? SAVED_VIEWS.saved
          : before.name === view.name
            ? SAVED_VIEWS.updated
            : SAVED_VIEWS.renamed;
      return fill(text, { name: view.name });
    };
    await run('views.save', work, refused);
    return saved;
  }

  return {
    list,
    save,
    async remove(view) {
      const { savedViewId, ...rest } = view;
      const done = await run('views.remove', async () => {
        list.accept(await call('views.remove', { savedViewId }));
        return undefined;
      });
      if (!done) return;
      toasts.done(fill(SAVED_VIEWS.removed, { name: view.name }), {
        title: SAVED_VIEWS.undo,
        run: () => void save(rest),
      });
    },
    async move({ savedViewId }, step) {
      const ids = known().map((each) => each.savedViewId);
      const from = ids.indexOf(savedViewId);
      const to = from + step;
      if (from < 0 || to < 0 || to >= ids.length) return;
      ids.splice(from, 1);
      ids.splice(to, 0, savedViewId);
      await run('views.order', async () => {
        list.accept(await call('views.order', { savedViewIds: ids }));
        return undefined;
      });
    },
  };
}
