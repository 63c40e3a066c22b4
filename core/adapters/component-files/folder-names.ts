/** The names that the files of several folders go by: of the first folder as they are, of a further one so that none is meant twice. */
import { basename } from 'node:path';
import { listFiles } from './read-folder.ts';

export interface FolderNames {
  /** The name of a file of one of the folders. */
  nameOf(folder: string, file: string): string;
  /** Where the file of this name is; undefined: none of the folders has it. */
  placeOf(name: string): { readonly folder: string; readonly file: string } | undefined;
}

/** Looks at what is in the folders now. A folder that cannot be read has no files. */
export async function folderNames(folders: readonly string[]): Promise<FolderNames> {
  const places = new Map<string, { folder: string; file: string }>();
  const names = new Map<string, string>();
  for (const folder of folders) {
    const listed = await listFiles(folder);
    if (typeof listed === 'string') continue;
    for (const file of listed) {
      const name = freeName(places, folder, file);
      places.set(name, { folder, file });
      names.set(`${folder}\n${file}`, name);
    }
  }
  return {
    nameOf: (folder, file) => names.get(`${folder}\n${file}`) ?? file,
    placeOf: (name) => places.get(name),
  };
}

function freeName(taken: ReadonlyMap<string, unknown>, folder: string, file: string): string {
  if (!taken.has(file)) return file;
  const label = basename(folder).replace(/^\.+/, '');
  for (let n = 1; ; n += 1) {
    const name = `${label}${n === 1 ? '' : `-${n}`}.${file}`;
    if (!taken.has(name)) return name;
  }
}
