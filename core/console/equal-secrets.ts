/** Compares secrets. */
import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares digests, so that neither content nor length of what was given can be read off the time it takes. */
export function equalSecrets(given: string, secret: string): boolean {
  return timingSafeEqual(
    createHash('sha256').update(given).digest(),
    createHash('sha256').update(secret).digest(),
  );
}
