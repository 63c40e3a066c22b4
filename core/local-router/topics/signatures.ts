/** Signs and checks signature tokens with a topic's keys. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { readSas, sasCovers, sasText } from '../rules/sas.ts';

/** Makes a token for the address, valid until `expiresMs`. */
export function signSas(address: string, key: string, expiresMs: number): string {
  const text = sasText(address, expiresMs);
  return `${text}&s=${encodeURIComponent(signature(text, key).toString('base64'))}`;
}

/** Why a token is not valid for the address; undefined: it is. */
export function sasComplaint(
  token: string,
  facts: { readonly address: string; readonly keys: readonly string[]; readonly nowMs: number },
): string | undefined {
  const sas = readSas(token);
  if (sas === undefined) return 'The signature token cannot be read.';
  const given = Buffer.from(sas.signature, 'base64');
  const signed = facts.keys.some((key) => {
    const right = signature(sas.signed, key);
    return right.length === given.length && timingSafeEqual(right, given);
  });
  if (!signed) return 'The signature of the token is wrong.';
  if (sas.expiresMs === undefined) return 'The expiry of the signature token cannot be read.';
  if (sas.expiresMs <= facts.nowMs) return 'The signature token has expired.';
  return sasCovers(sas.resource, facts.address) ? undefined : 'The signature token is for another address.';
}

function signature(text: string, key: string): Buffer {
  return createHmac('sha256', Buffer.from(key, 'base64')).update(text).digest();
}
