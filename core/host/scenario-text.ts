/** Reads the text of a scenario file. */
import { statSync } from 'node:fs';
import { sizeLimit } from '../contract/size-text.ts';
import { boundedText } from './bounded-text.ts';

/**
 * Text of the file. Throws an Error that says why there is none: the system's error, or that it is no file,
 * or too large.
 */
export function scenarioText(path: string, mostBytes: number): string {
  // Opening a pipe waits for a writer, and could not be interrupted.
  if (!statSync(path).isFile()) throw new Error('it is not a file');
  const text = boundedText(path, mostBytes);
  if (text === undefined) throw new Error(`the file is larger than ${sizeLimit(mostBytes)}`);
  return text;
}
