/** Tells a file from another one that was put in its place. */
import { fstatSync, statSync } from 'node:fs';
import type { BigIntStats } from 'node:fs';

/** Undefined: there is no such file. */
export function fileId(file: string): string | undefined {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found && idOf(found);
}

/** Throws the system's error. */
export function openId(fd: number): string {
  return idOf(fstatSync(fd, { bigint: true }));
}

/** Whether an open file is the one at a path. Throws the system's error. */
export function isAt(fd: number, file: string): boolean {
  return fileId(file) === openId(fd);
}

function idOf({ dev, ino }: BigIntStats): string {
  return `${dev}.${ino}`;
}
