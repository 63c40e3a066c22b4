/** The YAML library, loaded when the first text is read: most starts have neither a folder nor a `--config` file. */
import { createRequire } from 'node:module';

type Library = typeof import('yaml');

const load: (name: string) => unknown = createRequire(import.meta.url);
let library: Library | undefined;

export function yaml(): Library {
  // The package exports what its types declare.
  library ??= load('yaml') as Library;
  return library;
}
