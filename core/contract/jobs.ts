/** Shapes of jobs, which work on many messages in the background: parameters and progress. */
import { filter, messageIds, upTo } from './bounds.ts';
import { jobReport } from './recording.ts';
import { Bool, extend, members, Num, oneOf, Optional, Text } from './schema.ts';
import type { Static } from './schema.ts';

/**
 * Parameters of a replay of many. Exactly one of `messageIds` (at most 10,000) and `filter` is given. The
 * messages keep their order of acceptance.
 */
export const replayManyParams = members({
  messageIds: Optional(messageIds),
  filter: Optional(filter),
  /** Highest number of a message that `filter` reaches. */
  upTo: Optional(upTo),
  /** Messages per second; absent: as fast as possible. */
  ratePerSecond: Optional(Num({ minimum: 0.01, maximum: 100_000 })),
  /** Keeps the pauses between the originals, each at most 10 s, instead of a rate. */
  originalSpacing: Optional(Bool()),
  /**
   * `topic` (default): publishes again. `deliveries`: repeats each delivery of the original; no other
   * subscriber gets it, and a message without a delivery is left out.
   */
  to: Optional(oneOf(['topic', 'deliveries'])),
  /** Skips what was processed: whole messages for `topic`, single deliveries for `deliveries`. */
  skipProcessed: Optional(Bool()),
  /** Removes each original whose replay succeeded, when the job ends; `undo` brings them back for 10 s. */
  removeAfter: Optional(Bool()),
  /** Gives each event a new `id`. */
  newEventId: Optional(Bool()),
  /** Only counts: nothing is published. */
  dryRun: Optional(Bool()),
});
export type ReplayManyParams = Static<typeof replayManyParams>;

/** A replay of many. It is kept in memory until 20 newer ones have ended; a restart forgets it. */
export const replayJob = extend(jobReport, {
  startedAt: Text(),
  failures: Num(),
});
export type ReplayJob = Static<typeof replayJob>;
