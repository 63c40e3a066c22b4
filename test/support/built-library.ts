/** Stands in for core/testing/library.ts in `npm test`: what is published, which starts its products as they were built. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as library from '../../core/testing/library.ts';
import { PROGRAM } from './program.ts';

const built: typeof library = await import(
  /* @vite-ignore */ pathToFileURL(path.join(path.dirname(PROGRAM), 'library.js')).href
);

export const { ExpectationFailed, runScenario, startSidelight } = built;
