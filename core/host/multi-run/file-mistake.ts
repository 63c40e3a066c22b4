/** Mistakes of a multi-app file, each as one line with its position. */
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
  return at === undefined ? `${file}: ${message}` : `${file}:${at.line}:${at.column}: ${message}`;
}
