/** Results of domain functions that return expected refusals instead of throwing them. */
import type { ErrorCode } from '../contract/errors.ts';

export interface Complaint {
  readonly code: ErrorCode;
  readonly field?: string;
  readonly expected?: string;
  /** Values for the names in braces in the code's text. */
  readonly params?: Readonly<Record<string, string>>;
  /** The mistake in one line; also `params.reason` if the code's text has `{reason}`. */
  readonly reason?: string;
  /** Name of the second text of the code to use (contract/errors.ts). */
  readonly variant?: string;
}

export type Result<T, E = Complaint> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly complaint: E };

export function ok<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

export function no<E>(complaint: E): { readonly ok: false; readonly complaint: E } {
  return { ok: false, complaint };
}
