/** Stands in for core/adapters/sqlite-journal/thread.ts in `npm test`: a thread whose journal was closed serves the next one. */
import * as threads from '../../core/adapters/sqlite-journal/thread.ts';
import { keepThreads } from '../adapters/kept-threads.ts';

export const { Thread } = keepThreads(threads);
