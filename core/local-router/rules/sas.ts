/** Signature tokens of topics: taken apart as received, expiry and resource read; the signature itself is checked by the caller. */

export interface SasToken {
  /** The bytes that were signed: everything before `&s=`, exactly as received. */
  readonly signed: string;
  /** base64. */
  readonly signature: string;
  /** Decoded, without its query. */
  readonly resource: string;
  /** ms since 1970; undefined: none of the known forms. */
  readonly expiresMs: number | undefined;
}

/** Undefined: it is no signature token. */
export function readSas(token: string): SasToken | undefined {
  const at = token.lastIndexOf('&s=');
  if (at < 0) return undefined;
  const signed = token.slice(0, at);
  const parts = new Map<string, string>();
  for (const pair of signed.split('&')) {
    const equals = pair.indexOf('=');
    const value = decoded(pair.slice(equals + 1));
    if (equals < 0 || value === undefined) return undefined;
    parts.set(pair.slice(0, equals), value);
  }
  const signature = decoded(token.slice(at + 3));
  const resource = parts.get('r');
  const expiry = parts.get('e');
  if (signature === undefined || resource === undefined || expiry === undefined) return undefined;
  // A plus sign of base64 that was not encoded came out as a space.
  return {
    signed,
    signature: signature.replaceAll(' ', '+'),
    resource: resource.replace(/\?.*$/s, ''),
    expiresMs: readExpiry(expiry),
  };
}

/** The text to sign for a new token, in the JavaScript client's form. */
export function sasText(resource: string, expiresMs: number): string {
  const at = new Date(expiresMs);
  const hours = at.getUTCHours();
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${at.getUTCMonth() + 1}/${at.getUTCDate()}/${at.getUTCFullYear()}`;
  const time = `${hours % 12 || 12}:${two(at.getUTCMinutes())}:${two(at.getUTCSeconds())}`;
  const expiry = `${day} ${time} ${hours < 12 ? 'AM' : 'PM'}`;
  return `r=${encodeURIComponent(resource)}&e=${encodeURIComponent(expiry)}`;
}

/** Whether a token for `resource` opens the request's address. Scheme and host compare in any letter case. */
export function sasCovers(resource: string, address: string): boolean {
  const prefix = foldOrigin(resource).replace(/\/+$/, '');
  const whole = foldOrigin(address);
  return prefix !== '' && (whole === prefix || whole.startsWith(`${prefix}/`));
}

/** `M/D/YYYY h:mm:ss AM|PM` in UTC, or ISO 8601 where no zone is UTC. */
function readExpiry(text: string): number | undefined {
  const found = /^(\d{1,2})\/(\d{1,2})\/(\d{4}) (\d{1,2}):(\d{2}):(\d{2}) ([AP])M$/i.exec(text.trim());
  if (found !== null) {
    const [, month, day, year, hour, minute, second] = found.map(Number);
    const hours = ((hour ?? 0) % 12) + (found[7]?.toUpperCase() === 'P' ? 12 : 0);
    const ms = Date.UTC(year ?? 0, (month ?? 0) - 1, day, hours, minute, second);
    return Number.isNaN(ms) ? undefined : ms;
  }
  const iso = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?)?(Z|[+-]\d{2}:?\d{2})?$/i.exec(
    text.trim(),
  );
  if (iso === null) return undefined;
  const zoned =
    iso[4] === undefined ? `${text.trim().replace(' ', 'T')}${iso[1] === undefined ? '' : 'Z'}` : text.trim();
  const ms = Date.parse(zoned);
  return Number.isNaN(ms) ? undefined : ms;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    // A broken escape makes it no token, which is this function's answer.
    return undefined;
  }
}

function foldOrigin(address: string): string {
  return address.replace(/^[^/]*:\/\/[^/]*/, (origin) => origin.toLowerCase());
}
