/**
 * Decides who may use the console over the network: own Host, own Origin, and the token or the proof of a
 * page.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { readProof } from '../contract/page-auth.ts';
import { hostHeaders, hostOf } from '../domain/http-edge.ts';
import { isLoopbackAddress } from '../domain/loopback.ts';
import { Refusal } from '../domain/refusal.ts';
import type { PageKeys } from './page-keys.ts';
import { equalSecrets } from './equal-secrets.ts';

/** Names under which a browser on this machine reaches the console. */
const OWN_NAMES = ['127.0.0.1', 'localhost', '[::1]'];

/** Lifetime of the ticket to the page's files in a browser, in seconds; browsers allow no more. */
const TICKET_SECONDS = 400 * 24 * 60 * 60;

export interface GuardFacts {
  readonly token: string;
  readonly port: number;
  readonly pages: PageKeys;
  /** Names of the console beside those of this machine, with or without a port. */
  readonly allowedHosts: readonly string[];
}

/** Allowed values of `Host`: the names of this machine and the allowed names, with the console's port if they have none. */
function hostsOf({ port, allowedHosts }: Pick<GuardFacts, 'port' | 'allowedHosts'>): readonly string[] {
  return hostsNamed([...OWN_NAMES, ...allowedHosts], port);
}

function hostsNamed(names: readonly string[], port: number): readonly string[] {
  return [...new Set(names.map((name) => name.toLowerCase()))].flatMap((name) => {
    if (/:\d+$/.test(name)) return [name];
    return port === 80 ? [name, `${name}:80`] : [`${name}:${port}`];
  });
}

/** Why a request is turned away: HTTP status, WebSocket close code, and the refusal that says it. */
export interface TurnedAway {
  readonly status: 401 | 403;
  readonly close: 4401 | 4403;
  readonly refusal: Refusal;
}

/** Name of the cookie. It contains the port, because all ports of a host share cookies and two consoles must not log each other out. */
function cookieName(port: number): string {
  return `sidelight-${port}`;
}

/**
 * Value of Set-Cookie after a one-time link. A browser sends the cookie to every port of this host, so it must open nothing that
 * matters: it is the ticket to the page's files.
 */
export function cookieOf({ pages, port }: GuardFacts): string {
  return `${cookieName(port)}=${pages.ticket}; Path=/; Max-Age=${TICKET_SECONDS}; HttpOnly; SameSite=Strict`;
}

/** Host and Origin: keeps out pages of other origins, and names that another server made point here. undefined = may pass. */
export function checkHostAndOrigin(
  request: Pick<IncomingMessage, 'url' | 'headers' | 'rawHeaders'>,
  facts: Pick<GuardFacts, 'port' | 'allowedHosts'>,
): TurnedAway | undefined {
  const hosts = hostsOf(facts);
  const host = request.headers.host?.toLowerCase() ?? '';
  const isMeant = hostOf(request)?.toLowerCase() === host;
  if (hostHeaders(request) !== 1 || !isMeant || !hosts.includes(host)) {
    const list = hosts.join(', ');
    return away(
      403,
      'Host',
      list,
      `There must be one Host header, one of ${list}, and no other host in the target.`,
    );
  }
  const { origin } = request.headers;
  if (origin === undefined || origin === `http://${host}`) return undefined;
  return away(403, 'Origin', `http://${host}`, `The Origin header must be http://${host} or absent.`);
}

/**
 * Whether a request came under the name `localhost`, which nobody allowed by hand. A browser looks for that name at every loopback address,
 * and a program can take the console's port at another one of them while Sidelight runs. Its pages would be of the console's origin, and could
 * sign with the key that the console's page keeps.
 */
export function isUnderLocalhost(
  host: string | undefined,
  { port, allowedHosts }: Pick<GuardFacts, 'port' | 'allowedHosts'>,
): boolean {
  if (host === undefined || !/^localhost(?::\d+)?$/i.test(host)) return false;
  return !hostsNamed(allowedHosts, port).includes(host.toLowerCase());
}

/** Whether an address is one of loopback, also as a socket for both kinds of addresses writes it: `::ffff:127.0.0.1`. */
export function isFromLoopback(address: string | undefined): boolean {
  return isLoopbackAddress((address ?? '').replace(/^::ffff:/i, ''));
}

/** The token, as `Authorization: Bearer …`; nothing else opens a method. undefined = may pass. */
export function checkToken(headers: IncomingHttpHeaders, facts: GuardFacts): TurnedAway | undefined {
  const given = /^bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
  return given !== undefined && equalSecrets(given, facts.token) ? undefined : noToken();
}

/** For the files of the page: the token, or the ticket that a one-time link leaves in a cookie. undefined = may pass. */
export function checkTicket(headers: IncomingHttpHeaders, facts: GuardFacts): TurnedAway | undefined {
  if (headers.authorization !== undefined) return checkToken(headers, facts);
  // Another server on this host can set a cookie of the same name, so one right value among several is enough.
  const given = cookiesIn(headers.cookie, cookieName(facts.port));
  return given.some((value) => equalSecrets(value, facts.pages.ticket)) ? undefined : noToken();
}

/** For a WebSocket: the token of a script, or the proof of a page in its protocols. */
export function checkStream(headers: IncomingHttpHeaders, facts: GuardFacts): TurnedAway | 'script' | 'page' {
  if (headers.authorization !== undefined) return checkToken(headers, facts) ?? 'script';
  const protocols = headers['sec-websocket-protocol']?.split(',') ?? [];
  const proof = protocols.map((each) => readProof(each.trim())).find((each) => each !== undefined);
  const isPage =
    proof !== undefined && facts.pages.proves(headers.host ?? '', proof.challenge, proof.signature);
  return isPage ? 'page' : noToken();
}

function noToken(): TurnedAway {
  return away(401, 'Authorization', 'Bearer and the token of the ready line');
}

function away(status: 401 | 403, field: string, expected: string, reason?: string): TurnedAway {
  const params = reason === undefined ? {} : { reason };
  const refusal = new Refusal('UNAUTHORIZED', params, { field, expected });
  return { status, close: status === 401 ? 4401 : 4403, refusal };
}

/** Values of all cookies of a name: a browser sends those of several paths. */
function cookiesIn(header: string | undefined, name: string): readonly string[] {
  return (header?.split(';') ?? []).flatMap((part) => {
    const at = part.indexOf('=');
    return at !== -1 && part.slice(0, at).trim() === name ? [part.slice(at + 1).trim()] : [];
  });
}
