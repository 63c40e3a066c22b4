/** Compares secrets in constant time, and makes hints of them. */
import { createHash, timingSafeEqual } from 'node:crypto';

/** SHA-256 of a secret as base64url, which is stored instead of the secret. */
export function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** Whether a secret has this digest, compared in constant time. */
export function hasDigest(given: string, digest: string): boolean {
  return timingSafeEqual(createHash('sha256').update(given).digest(), Buffer.from(digest, 'base64url'));
}

/** Whether two secrets are equal, in constant time. */
export function sameSecret(given: string, kept: string): boolean {
  return hasDigest(given, digestOf(kept));
}

/** A short part of a secret that may be shown. */
export function hintOf(secret: string): string {
  return secret.length < 12 ? '…' : `…${secret.slice(-4)}`;
}
