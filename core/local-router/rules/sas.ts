/** Parses signature tokens of topics: expiry and resource. The caller checks the signature. */

export interface SasToken {
  /** The text that was signed: everything before `&s=`, exactly as received. */
  readonly signed: string;
  /** Signature in base64. */
  readonly signature: string;
  /** Resource, decoded and without its query. */
  readonly resource: string;
  /** Expiry in ms since 1970; undefined: it has an unknown form. */
  readonly expiresMs: number | undefined;
}

/** Parses a token. Undefined: the text is none. */
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
  // A plus sign of base64 that was not encoded arrives as a space.
  return {
    signed,
    signature: signature.replaceAll(' ', '+'),
    resource: resource.replace(/\?.*$/s, ''),
    expiresMs: readExpiry(expiry),
  };
}

/** The text to sign for a new token, in the form of the JavaScript client. */
export function sasText(resource: string, expiresMs: number): string {
  const at = new Date(expiresMs);
  const hours = at.getUTCHours();
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${at.getUTCMonth() + 1}/${at.getUTCDate()}/${at.getUTCFullYear()}`;
  const time = `${hours % 12 || 12}:${two(at.getUTCMinutes())}:${two(at.getUTCSeconds())}`;
  const expiry = `${day} ${time} ${hours < 12 ? 'AM' : 'PM'}`;
  return `r=${encodeURIComponent(resource)}&e=${encodeURIComponent(expiry)}`;
}

/**
 * Whether a token for `resource` is valid for the request's address. Scheme and host are compared in any
 * letter case.
 */
export function sasCovers(resource: string, address: string): boolean {
  const prefix = foldOrigin(resource).replace(/\/+$/, '');
  const whole = foldOrigin(address);
  return prefix !== '' && (whole === prefix || whole.startsWith(`${prefix}/`));
}

/** Reads `M/D/YYYY h:mm:ss AM|PM` in UTC, or ISO 8601, where no zone means UTC. */
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
    // A text with a broken escape is no token.
    return undefined;
  }
}

function foldOrigin(address: string): string {
  return address.replace(/^[^/]*:\/\/[^/]*/, (origin) => origin.toLowerCase());
}
