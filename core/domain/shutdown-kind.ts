/** How a sidecar ends after it was asked to stop. */

/**
 * Kind of shutdown. `at-once`: work in progress is cut, and the process ends with status 1; the kept history
 * stays.
 */
export type Ending = 'in-order' | 'at-once';

/**
 * The ending that a client asks for.
 * @param value of the header or metadata key that forces the end
 */
export function endingOf(value: unknown): Ending {
  return typeof value === 'string' && value.toLowerCase() === 'true' ? 'at-once' : 'in-order';
}
