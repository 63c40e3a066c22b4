/** The `*.sidelight.json` files of a folder. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Problem } from '../contract/subscription.ts';
import { errorText } from '../contract/error-text.ts';
import { byteCount, sizeLimit } from '../contract/size-text.ts';
import type { RequestFile, RequestFiles } from '../ports/request-files.ts';
import { HAS_GROWN, readAtMost } from './bounded-file.ts';

const NAME = /^[^.].*\.sidelight\.json$/i;
const MAX_BYTES = 4 * 1024 * 1024;
/** Maximum size of all files together: they are read and parsed each time the list is requested. */
const MAX_TOTAL_BYTES = 16 * 1024 * 1024;
const MAX_FILES = 200;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Reads the folder at every request: there are few files, and another program may have written one. */
export function createRequestFiles(folder: string): RequestFiles {
  return {
    async read() {
      const problems: Problem[] = [];
      const files: RequestFile[] = [];
      // The components report a missing folder, as they live in it too.
      const names = (await readdir(folder).catch(() => [])).filter((name) => NAME.test(name)).toSorted();
      if (names.length > MAX_FILES) {
        problems.push({
          file: folder,
          message: `The folder has ${names.length} files of requests; Sidelight reads the first ${MAX_FILES} by name.`,
        });
      }
      let left = MAX_TOTAL_BYTES;
      for (const file of names.slice(0, MAX_FILES)) {
        const read = await readOne(folder, file, left);
        if (typeof read === 'string') problems.push({ file, message: read, severity: 'error' });
        else {
          left -= read.bytes;
          files.push(read.file);
        }
      }
      return { files, problems };
    },
  };
}

/** Reads one file; a string is the reason why it cannot be read. */
async function readOne(
  folder: string,
  file: string,
  left: number,
): Promise<{ readonly file: RequestFile; readonly bytes: number } | string> {
  try {
    const path = join(folder, file);
    const found = await stat(path);
    // Anything else may have no end, or wait for a writer.
    if (!found.isFile()) return 'It is not a file.';
    if (found.size > MAX_BYTES)
      return `The file has ${byteCount(found.size)}; Sidelight reads at most ${sizeLimit(MAX_BYTES)}.`;
    if (found.size > left)
      return `Sidelight does not read the file: all files of requests together have more than ${sizeLimit(MAX_TOTAL_BYTES)}.`;
    const bytes = await readAtMost(path, Math.min(MAX_BYTES, left));
    if (bytes === undefined) return HAS_GROWN;
    const text = utf8.decode(bytes);
    return { file: { file, text, writtenAt: found.mtime.toISOString() }, bytes: bytes.length };
  } catch (error) {
    if (error instanceof TypeError) return 'The file is not UTF-8 text.';
    return errorText(error);
  }
}
