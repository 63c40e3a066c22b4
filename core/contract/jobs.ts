/** Work over many messages that goes on by itself: what is asked, and how far it is. */
import { filter, messageIds } from './bounds.ts';
import { jobReport } from './recording.ts';
import { Bool, extend, members, Num, oneOf, Optional, Text } from './schema.ts';
import type { Static } from './schema.ts';

/** Exactly one of `messageIds` (at most 10,000) and `filter` is given. The order of acceptance is kept. */
export const replayManyParams = members({
  messageIds: Optional(messageIds),
  filter: Optional(filter),
  /** Messages per second; absent: as fast as possible. */
  ratePerSecond: Optional(Num({ minimum: 0.01, maximum: 100_000 })),
  /** The pauses between the originals instead of a rate, none longer than 10 s. */
  originalSpacing: Optional(Bool()),
  /** `topic` (default): published again; `deliveries`: once more to each delivery of the original, nobody else sees it. */
  to: Optional(oneOf(['topic', 'deliveries'])),
  /** Leaves out what was processed: whole messages for `topic`, single deliveries for `deliveries`. */
  skipProcessed: Optional(Bool()),
  /** Removes each original whose replay succeeded, when the job ends; `undo` brings them back for 10 s. */
  removeAfter: Optional(Bool()),
  /** A new `id` in each event instead of the original's. */
  newEventId: Optional(Bool()),
  /** Only counts: nothing is published. */
  dryRun: Optional(Bool()),
});
export type ReplayManyParams = Static<typeof replayManyParams>;

/** A replay of many; kept in memory until 20 newer ones have ended, gone after a restart. */
export const replayJob = extend(jobReport, {
  startedAt: Text(),
  failures: Num(),
});
export type ReplayJob = Static<typeof replayJob>;
