/** Gives another name to what somebody else put in the place of a file: nothing of it is lost. */
import { lstatSync, renameSync } from 'node:fs';
import { basename } from 'node:path';

/** Time in the form of a file name. */
export function timeInName(ms: number): string {
  return new Date(ms).toISOString().replaceAll(/[:.]/g, '-');
}

/**
 * Throws the system's error.
 * @param time becomes a part of the new name
 * @returns the new name; undefined: nothing is at the path
 */
export function setAside(path: string, time: string): string | undefined {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
  const aside = `${path}.replaced-${time}`;
  renameSync(path, aside);
  return basename(aside);
}
