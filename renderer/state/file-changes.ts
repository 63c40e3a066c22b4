/** Reports component files that changed on disk while the console is open. */
import type { Result } from '../../core/contract/console.ts';
import { FILES } from '../copy/files.ts';
import { fill } from '../copy/fill.ts';
import type { Navigation } from './navigation.ts';
import type { Resource } from './resource.ts';
import type { ReadableStore } from './store.ts';
import type { Toasts } from './toasts.ts';

type Loaded = Result<'components.list'>;

export interface FileChangesDependencies {
  readonly components: ReadableStore<Resource<Loaded>>;
  readonly toasts: Toasts;
  readonly navigation: Navigation;
}

/** Report on one file: loaded, loaded with mistakes, or removed. */
function wordsFor(file: string, { files }: Loaded): string {
  const found = files.find((each) => each.file === file);
  if (found === undefined) return fill(FILES.removedOnDisk, { file });
  const n = found.problems.filter(({ severity }) => severity !== 'warning').length;
  return fill(n === 0 ? FILES.changedOnDisk : FILES.changedWith, { file, n });
}

/**
 * Starts with the present state, so that earlier changes are not reported. Returns the function that ends it.
 */
export function startFileChanges({ components, toasts, navigation }: FileChangesDependencies): () => void {
  let known: string | undefined;
  let isFirst = true;
  return components.subscribe(({ value }) => {
    if (value === undefined) return;
    const at = value.changed?.at;
    const isNews = !isFirst && at !== undefined && at !== known;
    isFirst = false;
    known = at;
    if (!isNews) return;
    const text = (value.changed?.files ?? []).map((file) => wordsFor(file, value)).join(' ');
    toasts.news(text, { title: FILES.show, isLink: true, run: () => navigation.go('/components') });
  });
}
