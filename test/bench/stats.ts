/** Numbers of a round, and what several rounds say together. */

/** One round of one variant. */
export interface Round {
  /** Messages that the app answered, per second from the first publish to the last answer. */
  readonly perSecond: number;
  /** Milliseconds from sending the publish to the app having the message. */
  readonly p50: number;
  readonly p99: number;
  readonly messages: number;
  /** Publishes that were not answered 204. */
  readonly refused: number;
  /** Microseconds of processor time per message that the measured process took; NaN where the system does not tell. */
  readonly cpuUs: number;
}

export interface Summary extends Round {
  /** Lowest and highest `perSecond` of the rounds. */
  readonly low: number;
  readonly high: number;
}

/** Value below which a share of the sorted numbers lies; NaN for none. */
export function quantile(sorted: Float64Array | readonly number[], share: number): number {
  if (sorted.length === 0) return Number.NaN;
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

/** Middle one of some numbers; NaN for none. */
export function median(numbers: readonly number[]): number {
  return quantile(
    numbers.toSorted((a, b) => a - b),
    0.5,
  );
}

/** The medians of several rounds, with the spread of the throughput. */
export function summaryOf(rounds: readonly Round[]): Summary {
  const of = (pick: (round: Round) => number): number => median(rounds.map(pick));
  const speeds = rounds.map((round) => round.perSecond);
  return {
    perSecond: of((round) => round.perSecond),
    p50: of((round) => round.p50),
    p99: of((round) => round.p99),
    messages: rounds.reduce((sum, round) => sum + round.messages, 0),
    cpuUs: of((round) => round.cpuUs),
    refused: rounds.reduce((sum, round) => sum + round.refused, 0),
    low: Math.min(...speeds),
    high: Math.max(...speeds),
  };
}

/** The time all processes of a run share, in ms. */
export function sharedNow(): number {
  return performance.timeOrigin + performance.now();
}
