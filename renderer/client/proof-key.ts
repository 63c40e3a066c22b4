/**
 * The key with which a page proves itself. A browser gives its own cryptography only to secure contexts: pages of this machine, or over TLS. To
 * a page that another machine opened over plain HTTP a library makes the proof, and the key is kept as bytes.
 */
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';

/** A key that no script can read, where the browser can make one. */
export type ProofKey = CryptoKey | Uint8Array<ArrayBuffer>;

const HMAC = { name: 'HMAC', hash: 'SHA-256' } as const;

export async function importProofKey(bytes: Uint8Array<ArrayBuffer>): Promise<ProofKey> {
  return 'subtle' in crypto ? crypto.subtle.importKey('raw', bytes, HMAC, false, ['sign']) : bytes;
}

/** Whether a value out of the browser's store is a key. */
export function isProofKey(value: unknown): value is ProofKey {
  return value instanceof Uint8Array || ('CryptoKey' in globalThis && value instanceof CryptoKey);
}

/** HMAC-SHA-256 of a text. */
export async function proofOf(key: ProofKey, text: string): Promise<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  if (key instanceof Uint8Array) return hmac(sha256, key, bytes);
  return new Uint8Array(await crypto.subtle.sign(HMAC.name, key, bytes));
}
