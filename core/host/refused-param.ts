/** Refuses a parameter of a request that adds or removes an app or a tap. */
import { Refusal } from '../domain/refusal.ts';

export function refusedParam(field: string, reason: string, expected: string): Refusal {
  return new Refusal('INVALID_PARAMS', { reason: `${reason}: expected ${expected}.` }, { field, expected });
}

/** A reason as the beginning of a sentence. */
export function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
