/** Comparisons of secrets in constant time, and what may be shown of one. */
import { createHash, timingSafeEqual } from 'node:crypto';

/** SHA-256 of a secret, base64url: what is kept of it. */
export function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** Whether a given secret has this digest; takes as long for a near miss as for a far one. */
export function hasDigest(given: string, digest: string): boolean {
  return timingSafeEqual(createHash('sha256').update(given).digest(), Buffer.from(digest, 'base64url'));
}

/** Whether two secrets are equal, in constant time. */
export function sameSecret(given: string, kept: string): boolean {
  return hasDigest(given, digestOf(kept));
}

/** A short piece of a secret for the eye. */
export function hintOf(secret: string): string {
  return secret.length < 12 ? '…' : `…${secret.slice(-4)}`;
}
