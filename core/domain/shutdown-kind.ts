/** Kind of shutdown. `at-once`: running work is cut, and the process ends with status 1; the stored history stays. */
export type ShutdownMode = 'in-order' | 'at-once';

/** @param value value of the header or metadata key that forces the end */
export function shutdownModeOf(value: unknown): ShutdownMode {
  return typeof value === 'string' && value.toLowerCase() === 'true' ? 'at-once' : 'in-order';
}
