/** The `*.sidelight.json` files of a folder. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Problem } from '../contract/subscription.ts';
import type { RequestFile, RequestFiles } from '../ports/request-files.ts';

const NAME = /^[^.].*\.sidelight\.json$/i;
const LARGEST_BYTES = 4 * 1024 * 1024;
const MOST_FILES = 200;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Reads the folder each time it is asked: there are few files, and another hand may have written one. */
export function createRequestFiles(folder: string): RequestFiles {
  return {
    async read() {
      const problems: Problem[] = [];
      const files: RequestFile[] = [];
      // A folder that is not there is a problem of the components, which live in it too.
      const names = (await readdir(folder).catch(() => [])).filter((name) => NAME.test(name)).toSorted();
      if (names.length > MOST_FILES) {
        problems.push({
          file: folder,
          message: `The folder has ${names.length} files of requests; the first ${MOST_FILES} by name are read.`,
        });
      }
      for (const file of names.slice(0, MOST_FILES)) {
        const read = await readOne(folder, file);
        if (typeof read === 'string') problems.push({ file, message: read, severity: 'error' });
        else files.push(read);
      }
      return { files, problems };
    },
  };
}

/** A text: why it cannot be read. */
async function readOne(folder: string, file: string): Promise<RequestFile | string> {
  try {
    const path = join(folder, file);
    const { size, mtime } = await stat(path);
    if (size > LARGEST_BYTES) return `The file has ${size} bytes; at most ${LARGEST_BYTES} are read.`;
    return { file, text: utf8.decode(await readFile(path)), writtenAt: mtime.toISOString() };
  } catch (error) {
    if (error instanceof TypeError) return 'The file is not UTF-8 text.';
    return error instanceof Error ? error.message : String(error);
  }
}
