/** Writes a file whole or not at all. */
import { randomBytes } from 'node:crypto';
import { open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { isMissing } from './file-names.ts';

/** The new text stands beside the old one until it is on disk, then takes its place; the old file's permissions stay. */
export async function saveFile(folder: string, file: string, text: string): Promise<void> {
  const path = join(folder, file);
  // Not a name that is loaded, should it be left behind by a crash.
  const beside = join(folder, `.${file}.${randomBytes(6).toString('hex')}.tmp`);
  const mode = await stat(path).then(
    (found) => found.mode & 0o777,
    (error: unknown) => {
      if (isMissing(error)) return 0o644;
      throw error;
    },
  );
  try {
    const handle = await open(beside, 'wx', mode);
    try {
      await handle.writeFile(text, 'utf8');
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}
