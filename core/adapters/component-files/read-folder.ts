/** The YAML files of a folder: their texts, and what could not be read. */
import { isUtf8 } from 'node:buffer';
import { lstat, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

import type { Problem } from '../../contract/subscription.ts';
import { errorText } from '../../contract/error-text.ts';
import { byteCount, sizeLimit } from '../../contract/size-text.ts';
import { HAS_GROWN, readAtMost } from '../bounded-file.ts';
import { isMissing, isResourceName } from './file-names.ts';
import { YAML_LIMITS } from './yaml-limits.ts';

export const MAX_FILE = YAML_LIMITS.bytes;
const MAX_FILES = 1_000;
/** Maximum number of bytes of all files together. */
const MAX_FOLDER = 16 * 1024 * 1024;

export interface FolderText {
  /** In the order of their names. */
  readonly files: readonly { readonly file: string; readonly text: string }[];
  readonly problems: readonly Problem[];
}

/** Top level only. Never rejects for a file or folder that cannot be read: that is a problem. */
export async function readFolder(folder: string): Promise<FolderText> {
  const listed = await listFiles(folder);
  if (typeof listed === 'string') {
    return { files: [], problems: [{ file: folder, message: listed, severity: 'error' }] };
  }
  const problems: Problem[] = [];
  const files: { file: string; text: string }[] = [];
  if (listed.length > MAX_FILES) {
    problems.push({
      file: folder,
      message: `The folder has ${listed.length} YAML files; Sidelight reads the first ${MAX_FILES} by name.`,
      severity: 'error',
    });
  }
  let left = MAX_FOLDER;
  for (const file of listed.slice(0, MAX_FILES)) {
    const read = await readText(folder, file, left);
    if (read === undefined) continue;
    if ('text' in read) {
      left -= read.bytes;
      files.push({ file, text: read.text });
    }
    if ('problem' in read)
      problems.push({ file, line: 1, column: 1, message: read.problem, severity: 'error' });
  }
  return { files, problems };
}

/** Content of the folder as a text to compare; `isThere` false: the folder cannot be read. */
export interface Signature {
  readonly isThere: boolean;
  readonly text: string;
}

/** Signature of a folder. It changes when a file is added, removed or written; two equal ones in a row mean that writing has stopped. */
export async function folderSignature(folder: string): Promise<Signature> {
  const listed = await listFiles(folder);
  if (typeof listed === 'string') return { isThere: false, text: listed };
  const lines: string[] = [];
  for (const file of listed.slice(0, MAX_FILES)) {
    const found = await stat(join(folder, file)).catch((error: unknown) => errorText(error));
    const facts = typeof found === 'string' ? found : `${found.size} ${found.mtimeMs} ${found.ino}`;
    lines.push(`${file} ${facts}`);
  }
  return { isThere: true, text: lines.join('\n') };
}

/** Names of the files that two signatures differ in, in their order; of a folder that cannot be read none. */
export function changedFiles(before: string, after: string): readonly string[] {
  const old = before.split('\n');
  const now = after.split('\n');
  const differ = [...now.filter((line) => !old.includes(line)), ...old.filter((line) => !now.includes(line))];
  const names = differ.flatMap((line) => /^(.+\.ya?ml) \S+ \S+ \S+$/i.exec(line)?.[1] ?? []);
  return [...new Set(names)].toSorted((a, b) => (a < b ? -1 : 1));
}

async function listFiles(folder: string): Promise<readonly string[] | string> {
  try {
    return (await readdir(folder)).filter(isResourceName).toSorted((a, b) => (a < b ? -1 : 1));
  } catch (error) {
    return `Sidelight cannot read the folder: ${errorText(error)}`;
  }
}

/** Text of a file; undefined: it was removed meanwhile, or is a folder. */
async function readText(
  folder: string,
  file: string,
  left: number,
): Promise<{ text: string; bytes: number } | { problem: string } | undefined> {
  const path = join(folder, file);
  try {
    const found = await stat(path);
    if (found.isDirectory()) return undefined;
    if (!found.isFile()) return { problem: 'This is not a file. Sidelight does not read it.' };
    if (found.size > MAX_FILE) {
      return {
        problem: `The file has ${byteCount(found.size)}; Sidelight reads at most ${sizeLimit(MAX_FILE)}.`,
      };
    }
    if (found.size > left) {
      const problem = `The file has ${byteCount(found.size)}, and only ${byteCount(left)} are left for it: Sidelight reads the files of a folder by name, at most ${sizeLimit(MAX_FOLDER)} in all.`;
      return { problem };
    }
    const bytes = await readAtMost(path, Math.min(MAX_FILE, left));
    if (bytes === undefined) return { problem: HAS_GROWN };
    return isUtf8(bytes)
      ? { text: bytes.toString('utf8'), bytes: bytes.length }
      : { problem: 'The file is not UTF-8 text.' };
  } catch (error) {
    if (isMissing(error) && !(await isLink(path))) return undefined;
    return { problem: `Sidelight cannot read the file: ${errorText(error)}` };
  }
}

/** Whether the path is a link, which may point to nothing. */
async function isLink(path: string): Promise<boolean> {
  return lstat(path).then(
    (found) => found.isSymbolicLink(),
    () => false,
  );
}
