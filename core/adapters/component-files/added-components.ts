/** Components that were added without a folder: kept for this run only, or in the system's key store, because they may hold secrets. */
import { isObject, tryParse } from '../../domain/json.ts';
import type { KeptSecrets } from '../../ports/kept-secrets.ts';

const NAME = 'added components';

/** Files by name, as text. Nothing is read before `load`. */
export class AddedComponents {
  readonly #kept: KeptSecrets | undefined;
  #files: ReadonlyMap<string, string> | undefined;
  #notKept: string | undefined = 'only the desktop version has a key store for its secrets';

  constructor(kept: KeptSecrets | undefined) {
    this.#kept = kept;
  }

  /** Why added components last only for this run; undefined: they are kept. */
  get notKept(): string | undefined {
    return this.#notKept;
  }

  async load(): Promise<ReadonlyMap<string, string>> {
    if (this.#files !== undefined) return this.#files;
    const text = await this.#kept?.get(NAME);
    const value = tryParse(text ?? '')?.value;
    const files = isObject(value)
      ? Object.entries(value).flatMap(([file, one]) =>
          typeof one === 'string' ? [[file, one] as const] : [],
        )
      : [];
    if (files.length > 0) this.#notKept = undefined;
    this.#files = new Map(files);
    return this.#files;
  }

  /** Adds or replaces a file; `text` undefined removes it. */
  async put(file: string, text: string | undefined): Promise<void> {
    const files = new Map(await this.load());
    if (text === undefined) files.delete(file);
    else files.set(file, text);
    this.#files = files;
    if (this.#kept === undefined) return;
    const value = files.size === 0 ? undefined : JSON.stringify(Object.fromEntries(files));
    this.#notKept = await this.#kept.set(NAME, value);
  }
}
