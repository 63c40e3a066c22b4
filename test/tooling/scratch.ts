// Folders of their own for a test file or a test, gone afterwards.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

function emptyFolder(): string {
  return fs.mkdtempSync(path.join(os.tmpdir(), 'sidelight-tooling-'));
}

const remove = (folder: string): void => fs.rmSync(folder, { recursive: true, force: true });

/** Makes an empty temporary folder that is removed when the test file ends. For the top of a file: a hook made in a test never runs. */
export function scratchFolder(): string {
  const folder = emptyFolder();
  afterAll(() => remove(folder));
  return folder;
}

/** Makes an empty temporary folder that is removed when the test ends. */
export function scratchOfTest(): string {
  const folder = emptyFolder();
  onTestFinished(() => remove(folder));
  return folder;
}

/** Writes files below a folder; names with forward slashes. */
export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
  }
}
