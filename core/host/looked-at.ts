/** Where a relative path was looked for. */
import { resolve } from 'node:path';

/** The whole path behind a relative one: started through npm, Sidelight reads it from another folder than the user's. */
export function lookedAt(given: string): string {
  const whole = resolve(given);
  return whole === given ? '' : ` (looked at ${whole})`;
}
