/** Who may talk to the console over the network: own Host, own Origin, the token. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Refusal } from '../domain/refusal.ts';

/** Names under which a browser on this machine reaches the console. */
const OWN_NAMES = ['127.0.0.1', 'localhost', '[::1]'];

export interface GuardFacts {
  readonly token: string;
  readonly port: number;
}

/** Why a request is turned away: HTTP status, WebSocket close code, and the refusal that says it. */
export interface TurnedAway {
  readonly status: 401 | 403;
  readonly close: 4401 | 4403;
  readonly refusal: Refusal;
}

/** Cookies of one host name are shared by all its ports, so the port is part of the name: two consoles at a time do not log each other out. */
export function cookieName(port: number): string {
  return `sidelight-${port}`;
}

/** Value of Set-Cookie after a one-time link. */
export function cookieOf({ token, port }: GuardFacts): string {
  return `${cookieName(port)}=${token}; Path=/; HttpOnly; SameSite=Strict`;
}

/** Host and Origin: keeps out pages of other origins, and names that another server made point here. undefined = may pass. */
export function checkPlace(
  { headers, rawHeaders }: Pick<IncomingMessage, 'headers' | 'rawHeaders'>,
  port: number,
): TurnedAway | undefined {
  const hosts = OWN_NAMES.flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`]));
  const host = headers.host?.toLowerCase() ?? '';
  // Of several the first one would count here, and perhaps another one on the way.
  const isOne = rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'host').length === 1;
  if (!isOne || !hosts.includes(host)) {
    return away(403, 'Host', hosts.join(', '), `There must be one Host header, one of ${hosts.join(', ')}.`);
  }
  const { origin } = headers;
  if (origin === undefined || origin === `http://${host}`) return undefined;
  return away(403, 'Origin', `http://${host}`, `The Origin header must be http://${host} or absent.`);
}

/** The token, as `Authorization: Bearer …` or in the cookie of a one-time link. undefined = may pass. */
export function checkToken(headers: IncomingHttpHeaders, facts: GuardFacts): TurnedAway | undefined {
  const bearer = /^bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
  const given =
    headers.authorization === undefined ? cookieIn(headers.cookie, cookieName(facts.port)) : bearer;
  if (given !== undefined && isSame(given, facts.token)) return undefined;
  return away(401, 'Authorization', 'Bearer and the token of the ready line');
}

function away(status: 401 | 403, field: string, expected: string, reason?: string): TurnedAway {
  const params = reason === undefined ? {} : { reason };
  const refusal = new Refusal('UNAUTHORIZED', params, { field, expected });
  return { status, close: status === 401 ? 4401 : 4403, refusal };
}

/** Compares digests, so that neither content nor length of what was given can be read off the time it takes. */
function isSame(given: string, token: string): boolean {
  return timingSafeEqual(
    createHash('sha256').update(given).digest(),
    createHash('sha256').update(token).digest(),
  );
}

function cookieIn(header: string | undefined, name: string): string | undefined {
  for (const part of header?.split(';') ?? []) {
    const at = part.indexOf('=');
    if (at !== -1 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return undefined;
}
