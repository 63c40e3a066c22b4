/** Errors between binding and router: one error class with a code, and the codes of network errors. */
import type { EvrCode } from '../../contract/event-router/wire.ts';

export interface TroubleMore {
  /** True if another try does not help before something changes. */
  readonly final?: boolean;
  /** Wait that the other side asked for. */
  readonly retryAfterMs?: number;
  /** Status of the answer, if there was one. */
  readonly status?: number;
  readonly cause?: unknown;
}

/** Error with a code of the event router. */
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

/**
 * Code for the status of a management answer (4.6). 404 of a record is no error and does not reach this
 * function.
 */
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

/** `Retry-After` in ms, from seconds or an HTTP date; at most an hour. undefined: absent or unreadable. */
export function retryAfterMs(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs;
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), 3_600_000) : undefined;
}
