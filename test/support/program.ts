/** The program that tests start as a process. */
import path from 'node:path';

/** As it is written, which is how `npm run dev` runs it. */
export const SOURCE = path.resolve(import.meta.dirname, '../../core/host/cli.ts');

/** The program that `npm test` has just built, because it starts with less than half of the work. A file tested alone needs no build. */
export const PROGRAM = process.env['SIDELIGHT_PROGRAM'] ?? SOURCE;
