// Folders of the launcher, and small helpers that all its parts use.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..');
export const PRIVATE = path.join(ROOT, '.node');
export const MODULES = path.join(ROOT, 'node_modules');
export const PLATFORM = `${process.platform}-${process.arch}`;

/** An error that the user can fix: one line, no stack. */
export class LauncherError extends Error {}

export const print = (text) => process.stderr.write(`sidelight: ${text}\n`);
export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export const isAlive = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
};

/** Text of a file; undefined: it does not exist. */
export const readIfThere = (file) => {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
};
