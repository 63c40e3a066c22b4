/** What goes wrong between binding and router: one error class with a code, and the codes of transport trouble. */
import type { EvrCode } from '../../contract/event-router/wire.ts';

export interface TroubleMore {
  /** Trying again does not help before something changed. */
  readonly final?: boolean;
  /** The other side asked to wait. */
  readonly retryAfterMs?: number;
  /** Status of the answer, if there was one. */
  readonly status?: number;
  readonly cause?: unknown;
}

/** Trouble with a code of the event router. */
export class RouterTrouble extends Error {
  readonly code: EvrCode;
  readonly final: boolean;
  readonly retryAfterMs: number | undefined;
  readonly status: number | undefined;

  constructor(code: EvrCode, message: string, more: TroubleMore = {}) {
    super(message, more.cause === undefined ? {} : { cause: more.cause });
    this.name = 'RouterTrouble';
    this.code = code;
    this.final = more.final ?? false;
    this.retryAfterMs = more.retryAfterMs;
    this.status = more.status;
  }
}

/** Status of a management answer -> code (4.6). 404 of a record is not trouble and does not come here. */
export function managementCode(status: number): EvrCode {
  switch (status) {
    case 401:
      return 'EVR-MGT-02';
    case 403:
      return 'EVR-MGT-03';
    case 404:
      return 'EVR-MGT-04';
    case 409:
      return 'EVR-MGT-05';
    case 429:
      return 'EVR-MGT-06';
    default:
      return status >= 500 ? 'EVR-MGT-07' : 'EVR-MGT-01';
  }
}

/** `Retry-After` in ms: seconds or an HTTP date; at most an hour. undefined: not given or not readable. */
export function retryAfterMs(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs;
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), 3_600_000) : undefined;
}
