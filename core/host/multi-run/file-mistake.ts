/** Mistakes of a multi-app file, each as one line with its position. */
import { oneLine } from '../../contract/unicode-escape.ts';
import { UsageError } from '../../domain/usage-error.ts';
import type { Position } from './yaml-tree.ts';

const TITLE = 'Error getting apps from config file';

/** A mistake at a position. The error is one line for a person, and nothing was started. */
export function mistakeAt(
  file: string,
  at: Position | undefined,
  message: string,
  cause?: unknown,
): UsageError {
  const options = cause === undefined ? undefined : { cause };
  return new UsageError(`${TITLE}: ${located(file, at, message)}`, options);
}

export function located(file: string, at: Position | undefined, message: string): string {
  const where = at === undefined ? file : `${file}:${at.line}:${at.column}`;
  return oneLine(`${where}: ${message}`);
}
