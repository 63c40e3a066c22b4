/** Compares secrets. */
import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares digests, so that the time taken reveals neither content nor length of the given secret. */
export function equalSecrets(given: string, secret: string): boolean {
  return timingSafeEqual(
    createHash('sha256').update(given).digest(),
    createHash('sha256').update(secret).digest(),
  );
}
