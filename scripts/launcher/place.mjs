// Where the launcher keeps things, and the small questions that all its parts ask.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..');
export const PRIVATE = path.join(ROOT, '.node');
export const MODULES = path.join(ROOT, 'node_modules');
export const PLATFORM = `${process.platform}-${process.arch}`;

/** A failure that the person can act on: one line, no stack. */
export class LauncherError extends Error {}

export const say = (text) => process.stderr.write(`sidelight: ${text}\n`);
export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export const isAlive = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
};

/** The file's text, or undefined when there is none. */
export const readIfThere = (file) => {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
};
