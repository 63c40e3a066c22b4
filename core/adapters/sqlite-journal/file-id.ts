/** Tells a file from another one that was put in its place. */
import { statSync } from 'node:fs';

/** Undefined: there is no such file. */
export function fileId(file: string): string | undefined {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev}.${found.ino}`;
}
