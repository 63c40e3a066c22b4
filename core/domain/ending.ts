/** How a sidecar that is told to stop ends. */

/** `at-once`: what runs is cut, and the process ends with status 1; what was kept stays kept. */
export type Ending = 'in-order' | 'at-once';

/** What a client asks for. @param value of the header or metadata key that forces the end */
export function endingOf(value: unknown): Ending {
  return String(value ?? '').toLowerCase() === 'true' ? 'at-once' : 'in-order';
}
