/** How often a test tries something: some times in `npm test`, in full in `npm run test:long`. */
import { isLong } from '../e2e/extent.ts';

/** `some` in `npm test`; `full` where SIDELIGHT_TESTS is long. */
export const times = (some: number, full: number): number => (isLong ? full : some);
