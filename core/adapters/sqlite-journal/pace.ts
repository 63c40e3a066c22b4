/**
 * When the writing thread hears of the groups that wait in the file of the newest records. Soon, while somebody reads: a read then has
 * little to wait for. Else not before a burst of writes is over: the publishers have the processor then, and the changes of a message are
 * joined over many groups.
 */

/** How long groups wait. */
export interface Pace {
  /** Time between two looks at what waits, in ms. */
  readonly lookMs: number;
  /** Bytes after which nothing waits for a look. */
  readonly mostBytes: number;
  /** More bytes than this between two looks are a burst, in which groups go on waiting. */
  readonly burstBytes: number;
}

/** What is done with the groups that wait, when they are looked at. */
export type Step = 'wait' | 'tell' | 'settle';

/** Time after a read in which the next one is expected. */
const READER_MS = 3000;
/** Time after which groups go to the disk while others go on coming: with `normal` nothing else syncs them. */
const MAX_WAIT_MS = 5000;

/** A message whose whole life is told at once costs the tables less (`joined.ts`), so even a reader's groups wait a little. */
const READ: Pace = { lookMs: 50, mostBytes: 512 * 1024, burstBytes: Infinity };
const UNREAD: Pace = { lookMs: 200, mostBytes: Infinity, burstBytes: 128 * 1024 };

/** @param sinceReadMs time since somebody last read */
export function paceAfter(sinceReadMs: number): Pace {
  return sinceReadMs < READER_MS ? READ : UNREAD;
}

/**
 * @param grownBytes what was appended since the last look
 * @param waitedMs how long the oldest group has waited that the tables do not have safely
 */
export function stepAfter({ burstBytes }: Pace, grownBytes: number, waitedMs: number): Step {
  if (waitedMs >= MAX_WAIT_MS) return 'settle';
  return grownBytes <= burstBytes ? 'tell' : 'wait';
}
