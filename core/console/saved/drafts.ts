/** Drafts of the publish screens, stored for the next start, even if the console then has another address. */
import type { KeptDrafts } from '../../contract/saved.ts';
import { isObject } from '../../domain/json.ts';
import { Refusal } from '../../domain/refusal.ts';
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

  /** Throws Refusal TOO_LARGE. */
  async set(drafts: unknown): Promise<{ savedAt: string }> {
    if ((JSON.stringify(drafts) ?? '').length > MAX_CHARACTERS) {
      const reason = `Drafts of more than ${MAX_CHARACTERS} characters are not kept.`;
      throw new Refusal(
        'TOO_LARGE',
        { reason },
        { field: 'drafts', expected: `at most ${MAX_CHARACTERS} characters` },
      );
    }
    const savedAt = new Date(this.#deps.clock.now()).toISOString();
    await this.#kept.change(() => ({ drafts, savedAt }));
    return { savedAt };
  }

  /** Writes changes that are not on disk yet. */
  flush(): Promise<void> {
    return this.#kept.flush();
  }
}

function readDrafts(kept: unknown): KeptDrafts {
  if (!isObject(kept) || typeof kept['savedAt'] !== 'string') return NOTHING;
  return { drafts: kept['drafts'], savedAt: kept['savedAt'] };
}
