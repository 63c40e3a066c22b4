/** Normalises a request target: slashes collapsed, decoded once, dangerous forms refused. */

export interface WirePath {
  /** Path with single slashes, not decoded, without a trailing slash. */
  readonly path: string;
  /** Decoded segments. */
  readonly segments: readonly string[];
  /** Query without the question mark. */
  readonly query: string;
}

/**
 * Parses a target. Undefined: it contains `..`, a backslash, an encoded slash, a broken escape or a control
 * character.
 */
export function readWirePath(target: string): WirePath | undefined {
  const mark = target.indexOf('?');
  const raw = mark < 0 ? target : target.slice(0, mark);
  const query = mark < 0 ? '' : target.slice(mark + 1);
  if (!raw.startsWith('/') || /\\|%2f|%5c|%00|#/i.test(raw)) return undefined;
  const collapsed = raw.replaceAll(/\/{2,}/g, '/');
  const path = collapsed.length > 1 && collapsed.endsWith('/') ? collapsed.slice(0, -1) : collapsed;
  const segments: string[] = [];
  for (const part of path.slice(1).split('/')) {
    const segment = decoded(part);
    if (segment === undefined || segment === '..' || segment === '.') return undefined;
    if (/[\u0000-\u001f\u007f]/.test(segment)) return undefined;
    segments.push(segment);
  }
  return { path, segments, query };
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    // A broken escape makes the target invalid.
    return undefined;
  }
}

/**
 * Whether a `Host` header names one of the router's hosts with its port. The port may be missing if it is 443.
 * @param hosts lower case, IPv6 in brackets
 */
export function isOwnHost(header: string | undefined, hosts: readonly string[], port: number): boolean {
  if (header === undefined) return false;
  const lower = header.toLowerCase();
  return hosts.some((host) => lower === `${host}:${port}` || (port === 443 && lower === host));
}
