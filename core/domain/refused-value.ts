/** Refuses a value of a request for which its schema is not narrow enough. */
import { isObject } from './json.ts';
import type { JsonObject } from './json.ts';
import { found } from './members.ts';
import { Refusal } from './refusal.ts';

/** Throws Refusal INVALID_PARAMS with the field, what it must be, and what was found. */
export function refuseValue(field: string, expected: string, value: unknown): never {
  throw new Refusal(
    'INVALID_PARAMS',
    { reason: `${field} must be ${expected}, found ${found(value)}.` },
    { field, expected },
  );
}

/** The value as an object. Throws Refusal INVALID_PARAMS. */
export function objectAt(value: unknown, field: string): JsonObject {
  return isObject(value) ? value : refuseValue(field, 'an object', value);
}
