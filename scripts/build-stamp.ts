// Decides whether a part of the product must be built again, by a hash over the content of its sources.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

/** Every file below a folder, or the file itself; sorted, with forward slashes, relative to `root`. */
export function filesUnder(root: string, place: string): string[] {
  const whole = path.join(root, place);
  const found = fs.statSync(whole, { throwIfNoEntry: false });
  if (!found) return [];
  if (found.isFile()) return [place];
  return fs
    .readdirSync(whole, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .sort();
}

/** Hash over names and contents of the inputs (files or folders, relative to `root`); a missing one counts as empty. */
export function contentHash(root: string, inputs: readonly string[]): string {
  const hash = createHash('sha256');
  for (const input of inputs) {
    for (const file of filesUnder(root, input)) {
      const content = fs.readFileSync(path.join(root, file));
      hash.update(`${file}\0${content.length}\0`).update(content);
    }
  }
  return hash.digest('hex');
}

/** The stamps beside the outputs: content hash by part. An unreadable file counts as empty. */
export function readStamps(file: string): ReadonlyMap<string, string> {
  if (!fs.existsSync(file)) return new Map();
  try {
    const parsed: unknown = JSON.parse(fs.readFileSync(file, 'utf8'));
    if (typeof parsed !== 'object' || parsed === null) return new Map();
    return new Map(
      Object.entries(parsed).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
    );
  } catch (error) {
    if (error instanceof SyntaxError) return new Map();
    throw error;
  }
}

export function writeStamp(file: string, part: string, hash: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const stamps = Object.fromEntries(new Map(readStamps(file)).set(part, hash));
  fs.writeFileSync(file, `${JSON.stringify(stamps, null, 2)}\n`);
}

const SOURCE_OF: readonly (readonly [RegExp, string])[] = [
  [/\.d\.cts$/, '.cts'],
  [/\.cjs(\.map)?$/, '.cts'],
  [/\.d\.ts$/, '.ts'],
  [/\.js(\.map)?$/, '.ts'],
];

/**
 * Emitted files whose source was removed; the compiler leaves them, and they would be shipped.
 * @param folders source folders relative to `root`, with the same structure below `outDir`
 */
export function orphanedOutputs(root: string, outDir: string, folders: readonly string[]): string[] {
  const emitted = folders.flatMap((folder) => filesUnder(root, `${outDir}/${folder}`));
  return emitted.filter((file) => {
    const row = SOURCE_OF.find(([ending]) => ending.test(file));
    if (!row) return false;
    const source = file.slice(outDir.length + 1).replace(row[0], row[1]);
    return !fs.existsSync(path.join(root, source));
  });
}
