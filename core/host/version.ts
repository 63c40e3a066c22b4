/** The product's version, from its package. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hasCode } from '../contract/error-text.ts';

/**
 * Reads the version of the nearest package above this file, which works in the sources, in `dist` and inside
 * an archive.
 */
export function productVersion(): string {
  let folder = import.meta.dirname;
  for (;;) {
    const version = versionIn(folder);
    if (version !== undefined) return version;
    const up = dirname(folder);
    if (up === folder) throw new Error('the package.json of sidelight is missing');
    folder = up;
  }
}

function versionIn(folder: string): string | undefined {
  let text: string;
  try {
    text = readFileSync(join(folder, 'package.json'), 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
  const found: unknown = JSON.parse(text);
  if (typeof found !== 'object' || found === null || !('name' in found) || found.name !== 'sidelight')
    return undefined;
  return 'version' in found && typeof found.version === 'string' ? found.version : undefined;
}
