/** The folder from which the reference's `run` takes components where no flag names one. Sidelight says that it does not. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isResourceName } from '../adapters/component-files/file-names.ts';
import { counted } from '../contract/count-text.ts';
import { hasCode } from '../contract/error-text.ts';
import { firstOf } from '../contract/list-text.ts';
import { shellQuote } from '../contract/shell-quote.ts';
import { DOT_FOLDER } from './multi-run/fields.ts';
import { standardRuntimeFolder } from './multi-run/paths.ts';
import type { ProductOptions } from './options.ts';

type Given = Pick<ProductOptions, 'mode' | 'resources' | 'resourceSets' | 'env'>;

/** Maximum number of files that are named. */
const MAX_NAMED = 3;

/**
 * What `sidelight run` without a folder of components leaves where it is, and the flag that loads it; undefined: there is nothing. The
 * folder mostly names servers of an installation of the reference: loaded unasked, a first run would wait for a Redis that need not be
 * there.
 * @param home absent: the home folder of the user
 */
export function unloadedComponents(given: Given, home?: string): string | undefined {
  if (given.mode !== 'run' || given.resources !== undefined || given.resourceSets !== undefined)
    return undefined;
  const runtime = standardRuntimeFolder({ env: given.env, ...(home === undefined ? {} : { home }) });
  if (runtime === undefined) return undefined;
  const folder = join(runtime, DOT_FOLDER, 'components');
  const files = resourcesIn(folder);
  if (files.length === 0) return undefined;
  const named = firstOf(files, MAX_NAMED);
  return `${counted(files.length, 'file')} of ${folder} (${named}) ${files.length === 1 ? 'is' : 'are'} not loaded: --resources ${shellQuote(folder)} loads ${files.length === 1 ? 'it' : 'them'}.`;
}

/** Names of the files that would be loaded; [] where the folder is missing, or may not be read: nobody has asked for it. */
function resourcesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter(isResourceName).toSorted();
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'EPERM')) return [];
    throw error;
  }
}
