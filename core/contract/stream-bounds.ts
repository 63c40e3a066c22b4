/**
 * Bounds of the stream. They have a file of their own, so that code that numbers events does not load the
 * schemas of the console's methods.
 */

/** Bounds of the stream; the rules that use them are in console/stream/stream.ts. */
export const STREAM = {
  batchMs: 33,
  batchEvents: 500,
  batchBytes: 256 * 1024,
  unacknowledged: 4,
  snapshotRows: 100,
  ringEvents: 10_000,
  ringBytes: 16 * 1024 * 1024,
} as const;
