/** Saves a file of the resources folder. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';

import { writeWhole } from '../whole-file.ts';
import { isMissing } from './file-names.ts';

/** Saves the whole file or nothing, and keeps the old file's permissions. Resolves when the file is on disk. */
export async function saveFile(folder: string, file: string, text: string): Promise<void> {
  const path = join(folder, file);
  const mode = await stat(path).then(
    (found) => found.mode & 0o777,
    (error: unknown) => {
      if (isMissing(error)) return 0o644;
      throw error;
    },
  );
  await writeWhole(path, text, mode);
}
