/** Drafts of the publish screens, stored for the next start, even if the console then has another address. */
import type { Params, Result } from '../../contract/console.ts';
import type { KeptDrafts } from '../../contract/saved.ts';
import { isObject } from '../../domain/json.ts';
import { Refusal } from '../../domain/refusal.ts';
import { beginPiece, nextPiece } from '../pieces.ts';
import { KeptValue } from './kept-value.ts';
import type { KeptValueDependencies } from './kept-value.ts';

const MAX_CHARACTERS = 6 * 1024 * 1024;
const NOTHING: KeptDrafts = { drafts: null, savedAt: null };

export class Drafts {
  readonly #deps: KeptValueDependencies;
  readonly #kept: KeptValue<KeptDrafts>;

  constructor(deps: KeptValueDependencies) {
    this.#deps = deps;
    this.#kept = new KeptValue(deps, 'publish.drafts', readDrafts);
  }

  get(): Promise<KeptDrafts> {
    return this.#kept.get();
  }

  /** Replaces the copy that was saved at `over`, or any copy without it; another one stays and is given back. Throws Refusal TOO_LARGE. */
  async set({ drafts, over }: Params<'drafts.set'>): Promise<Result<'drafts.set'>> {
    beginPiece();
    if ((JSON.stringify(drafts) ?? '').length > MAX_CHARACTERS) {
      const reason = `Drafts of more than ${MAX_CHARACTERS} characters are not kept.`;
      throw new Refusal(
        'TOO_LARGE',
        { reason },
        { field: 'drafts', expected: `at most ${MAX_CHARACTERS} characters` },
      );
    }
    // To write a large one takes as long as to count its characters.
    await nextPiece();
    const now = await this.#kept.change((kept) =>
      isAnother(kept, over) ? kept : { drafts, savedAt: this.#momentAfter(kept) },
    );
    const savedAt = now.savedAt ?? '';
    return now.drafts === drafts ? { savedAt } : { savedAt, theirs: now.drafts };
  }

  /** The present moment, and later than that of the copy before: by their moments copies are told apart. */
  #momentAfter({ savedAt }: KeptDrafts): string {
    const before = Date.parse(savedAt ?? '');
    const now = this.#deps.clock.now();
    return new Date(before >= now ? before + 1 : now).toISOString();
  }

  /** Writes changes that are not on disk yet. */
  flush(): Promise<void> {
    return this.#kept.flush();
  }
}

/** Whether the copy that is kept is not the one that was saved at `over`. */
function isAnother({ savedAt }: KeptDrafts, over: string | null | undefined): boolean {
  return over !== undefined && savedAt !== null && savedAt !== over;
}

function readDrafts(kept: unknown): KeptDrafts {
  if (!isObject(kept) || typeof kept['savedAt'] !== 'string') return NOTHING;
  return { drafts: kept['drafts'], savedAt: kept['savedAt'] };
}
