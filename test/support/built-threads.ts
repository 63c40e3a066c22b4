/** Stands in for core/adapters/thread-file.ts in `npm test`: threads start from what was built, with two thirds of the work. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { PROGRAM } from './program.ts';

export const threadFile = (code: string): URL =>
  pathToFileURL(path.join(path.dirname(PROGRAM), `${code}.js`));
