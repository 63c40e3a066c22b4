/** Work over many messages that goes on by itself: what is asked, and how far it is. */
import type { JobReport } from './recording.ts';

/** Exactly one of `messageIds` (at most 10,000) and `filter` is given. The order of acceptance is kept. */
export interface ReplayManyParams {
  readonly messageIds?: readonly string[];
  readonly filter?: string;
  /** Messages per second; absent: as fast as possible. */
  readonly ratePerSecond?: number;
  /** The pauses between the originals instead of a rate, none longer than 10 s. */
  readonly originalSpacing?: boolean;
  /** `topic` (default): published again; `deliveries`: once more to each delivery of the original, nobody else sees it. */
  readonly to?: 'topic' | 'deliveries';
  /** Leaves out what was processed: whole messages for `topic`, single deliveries for `deliveries`. */
  readonly skipProcessed?: boolean;
  /** Removes each original whose replay succeeded, when the job ends; `undo` brings them back for 10 s. */
  readonly removeAfter?: boolean;
  /** A new `id` in each event instead of the original's. */
  readonly newEventId?: boolean;
  /** Only counts: nothing is published. */
  readonly dryRun?: boolean;
}

/** A replay of many; kept in memory until 20 newer ones have ended, gone after a restart. */
export type ReplayJob = JobReport & {
  readonly startedAt: string;
  readonly failures: number;
};

type None = Readonly<Record<string, never>>;

/** Methods on jobs, and on taking messages away. */
export interface ActingMethods {
  'messages.replayMany': { params: ReplayManyParams; result: { jobId: string; count: number } };
  'messages.delete': {
    params: { messageIds?: readonly string[]; filter?: string };
    result: { removed: number; undoToken: string };
  };
  undo: { params: { token: string }; result: { restored: number } };
  'jobs.list': { params: None; result: { items: readonly JobReport[] } };
}
