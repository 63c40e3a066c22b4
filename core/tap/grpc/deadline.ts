/** Deadline of a gRPC call: how long its caller waits for the answer, from `grpc-timeout` of its metadata. */
import { duration } from '../../contract/duration-text.ts';
import type { Moment } from '../../ports/tap.ts';
import type { HeaderList } from './headers.ts';
import { valueOf } from './headers.ts';

const UNIT_MS: Readonly<Record<string, number>> = {
  H: 3_600_000,
  M: 60_000,
  S: 1_000,
  m: 1,
  u: 0.001,
  n: 0.000_001,
};
/** The caller starts counting before its call reaches the tap, so it may give up this much earlier than the tap computes. */
const EARLIER_MS = 1_000;

export interface Deadline {
  /** Wall clock. */
  readonly atMs: number;
  /** "15 s" */
  readonly waited: string;
  hasPassed(now: Moment): boolean;
}

/** @param began when the call came; undefined: the caller does not say how long it waits */
export function deadlineOf(headers: HeaderList, began: Moment): Deadline | undefined {
  const [, count, unit = ''] = /^(\d{1,8})([HMSmun])$/.exec(valueOf(headers, 'grpc-timeout') ?? '') ?? [];
  if (count === undefined) return undefined;
  const timeoutMs = Number(count) * (UNIT_MS[unit] ?? 0);
  const leastMs = timeoutMs - Math.min(EARLIER_MS, timeoutMs / 2);
  return {
    atMs: Math.round(began.ms + timeoutMs),
    waited: duration(timeoutMs),
    hasPassed: (now) => now.mono - began.mono >= leastMs,
  };
}
