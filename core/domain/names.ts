/** Rules for names that become arguments of a program or parts of file names. */
import { nearest } from './filter/mistakes.ts';
import { isLoopbackHost } from './loopback.ts';
import { shownTyped, withoutUser } from './redact.ts';

/** Form of an app id. */
export const APP_ID = /^[^\s.,=/]+$/;
export const APP_ID_WORDS = 'an app id without dots, spaces, commas or slashes';

/** Maximum number of characters of the name of a component or app. */
const MAX_NAME_LENGTH = 253;
const UNPRINTED = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** Names that Windows takes for devices instead of files, with any extension. */
export const DEVICE = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])(?:\.|$)/i;

/** Why a recording may not use this app id; undefined: it may. */
export function appIdProblem(name: string): string | undefined {
  if (!APP_ID.test(name)) return `must be ${APP_ID_WORDS}, got ${shown(name)}`;
  return plainProblem(name);
}

/** Why a recording may not use this name for a pub/sub component; undefined: it may. */
export function pubsubNameProblem(name: string): string | undefined {
  const isPath = /[/\\]/.test(name) || name === '.' || name === '..';
  return isPath ? `must be a name without slashes, got ${shown(name)}` : plainProblem(name);
}

function plainProblem(name: string): string | undefined {
  if (name === '') return 'must not be empty';
  if (name.length > MAX_NAME_LENGTH) return `has at most ${MAX_NAME_LENGTH} characters, got ${name.length}`;
  return UNPRINTED.test(name) ? `must have printable characters only, got ${shown(name)}` : undefined;
}

const EACH_UNPRINTED = new RegExp(UNPRINTED, 'gu');

/**
 * A foreign text as one line of a terminal. Characters that move the cursor or turn the direction are shown
 * as their numbers.
 */
export function printable(text: string): string {
  return text.replaceAll(
    EACH_UNPRINTED,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

function shown(name: string): string {
  return JSON.stringify(name.slice(0, 60));
}

/**
 * A text as the beginning of a file name that every system accepts: ASCII, not hidden, no device, at most 60
 * characters.
 */
export function fileBase(text: string, orElse: string): string {
  const base = text
    .replaceAll(/[^\w.-]+/g, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '')
    .slice(0, 60);
  if (base === '') return orElse;
  return DEVICE.test(base) ? `${orElse}-${base}` : base;
}

/**
 * Whether a text is an address of an app: http and https in any form, but on this machine with its port; h2c
 * with its port; grpc and grpcs (over TLS) with host and port alone.
 */
export function isAppAddress(typed: string): boolean {
  // A URL leaves out the blanks around it, so that what is looked at here must not have them either.
  const text = typed.trim();
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  if (hasMore(text, url)) return false;
  const { protocol, hostname, port } = url;
  // Port 80 of this machine is hardly ever meant, and a URL leaves it out even where it was typed.
  if (protocol === 'http:' || protocol === 'https:')
    return port !== '' || !isLoopbackHost(hostname) || /^https?:\/*[^/?#]*:\d+(?:[/?#]|$)/i.test(text);
  if (protocol === 'h2c:') return hostname !== '' && port !== '' && /^h2c:\/\/[^/]/i.test(text);
  if (protocol !== 'grpc:' && protocol !== 'grpcs:') return false;
  return hostname !== '' && port !== '' && /^grpcs?:\/\/[^/?#]+\/?$/.test(text);
}

const QUERY = /[?#].*$/s;

/** Whether an address has parts that no request to the app would carry as they stand: a query, a fragment, or a user name. */
function hasMore(address: string, { username, password }: URL): boolean {
  // The URL alone does not tell of an empty user.
  const hasUser = username !== '' || password !== '' || /^[a-z][\w+.-]*:\/*[^/]*@/i.test(address);
  return hasUser || QUERY.test(address);
}

/** An `@` in the path behind a host: what follows it is no host, as it would be behind a user. */
const AT_IN_PATH = /^(?:[a-z][\w+.-]*:\/+)?(?!(?:https?|h2c|grpcs?)\/)[^/?#@:]+(?::\d+)?\/(?!\/)[^?#]*@/i;

/** Form of an address without a scheme: `127.0.0.1:6002` and `localhost:6002`. */
const HOST_AND_PORT = /^(?:[\w.-]+|\[[\da-fA-F:.]+\]):\d{1,5}(?:\/|$)/;

const SCHEMES = ['http', 'https', 'h2c', 'grpc', 'grpcs'];

/**
 * What is wrong with a text that is no address of an app, as the end of a sentence; "": nothing is known of it. It repeats no user or password.
 * @param words words that may stand in the place of the address
 */
export function addressHint(typed: string, scheme: string, words: readonly string[]): string {
  const text = typed.trim();
  // An `@` that stands only behind an address, as in a query, is no end of a password.
  const before = withScheme(text.replace(QUERY, ''), scheme);
  const isAddress = isAppAddress(before);
  if (!isAddress && AT_IN_PATH.test(text)) return '';
  const plain = isAddress ? before : withScheme(withoutUser(text).replace(QUERY, ''), scheme);
  if (plain !== withScheme(text, scheme) && isAppAddress(plain))
    return `; an address has no user name, ? or #: write ${plain}`;
  return addressHintOf(withoutUser(text), scheme, words);
}

/** As `addressHint`, of a text without a user. */
function addressHintOf(text: string, scheme: string, words: readonly string[]): string {
  if (/^\d{1,5}$/.test(text))
    return Number(text) === 0 ? '' : `; for an app on this machine: ${scheme}://127.0.0.1:${text}`;
  const mended = withMendedScheme(text);
  // What is meant may have another mistake.
  if (mended !== undefined)
    return isAppAddress(mended) ? `; did you mean ${mended}?` : addressHintOf(mended, scheme, []);
  const [, given, rest = text] = /^([a-z][\w+.-]*):\/\/(.*)$/is.exec(text) ?? [];
  if (given !== undefined && !SCHEMES.includes(given.toLowerCase())) return '';
  const named = /^[a-z]+$/i.test(text) ? nearest(text.toLowerCase(), words) : undefined;
  if (named !== undefined) return `; did you mean ${named}?`;
  const written = given ?? scheme;
  const near = hostAndPort(text);
  const meant = `${written}://${near.host === '' ? '127.0.0.1' : near.host}:${near.port}`;
  if (near.port !== '') return Number(near.port) > 0 && isAppAddress(meant) ? `; did you mean ${meant}?` : '';
  const [, host = '', port = ''] = /^([\w.-]+|\[[\da-f:.]+\])(?::(\d*))?(?:\/|$)/i.exec(rest) ?? [];
  if (Number(port) > MAX_PORT) return `; the port ${port} is above ${MAX_PORT}`;
  const isMissing = port === '' && !mayBeScheme(text) && isAppAddress(`${written}://${host}:8080`);
  return isMissing ? `; the port is missing, as in ${written}://${host}:8080` : '';
}

/** The address with the scheme that is probably meant, and two slashes behind it; undefined: nothing is wrong there, or nothing is known of it. */
function withMendedScheme(text: string): string | undefined {
  const [, word = '', signs = '', rest = ''] = /^([a-z][\w+.-]*)(:?\/+)(.*)$/is.exec(text) ?? [];
  const lower = word.toLowerCase();
  const address = rest.replace(QUERY, '');
  if (address === '' || (signs === '://' && SCHEMES.includes(lower))) return undefined;
  if (SCHEMES.includes(lower)) return `${lower}://${address}`;
  const meant = signs.startsWith('://') ? nearest(lower, SCHEMES) : undefined;
  return meant === undefined ? undefined : `${meant}://${address}`;
}

/** A word alone, or before a colon alone, may be the beginning of an address: of a known scheme, or before a colon of any other one. */
function mayBeScheme(text: string): boolean {
  const [, word = '', colon = ''] = /^([a-z]+)(:?)$/i.exec(text) ?? [];
  if (word === '' || isLoopbackHost(word)) return false;
  return colon === ':' || SCHEMES.includes(word.toLowerCase());
}

const MAX_PORT = 65_535;

/** Host and port that are probably meant by a text with more or less than them: `8080x`, `:8080`, `http://localhost:8080/path`; "": it has none. */
export function hostAndPort(text: string): { readonly host: string; readonly port: string } {
  const rest = text.replace(/^[a-z][\w+.-]*:\/+/i, '');
  const [, before, port = ''] =
    /^(?:([\w.*-]+|\[[\da-f:.]+\])?[:\s]+)?(\d{1,5})(?:[/?#].*|[^\d\s]{1,3})?$/i.exec(rest) ?? [];
  if (port !== '' && Number(port) <= MAX_PORT) return { host: before ?? '', port };
  const [, host = ''] = /^([\w.*-]+|\[[\da-f:.]+\])(?:[:/?#\s]|$)/i.exec(rest) ?? [];
  return { host, port: '' };
}

/** The address without blanks around it, with this scheme if it has none, and with two slashes behind its scheme. */
export function withScheme(typed: string, scheme: string): string {
  const text = typed.trim();
  return HOST_AND_PORT.test(text) ? `${scheme}://${text}` : text.replace(/^(https?):\/(?!\/)/i, '$1://');
}

export const APP_ADDRESS_WORDS = 'an http, https, h2c, grpc or grpcs address';

/** Says that a text is no address of an app: what is missing or too large in it, or else what is expected. */
export function noAddress(text: string): string {
  const hint = addressHint(text, 'http', []);
  return `${shown(shownTyped(text))} is not an address${hint === '' ? `: expected ${APP_ADDRESS_WORDS}` : hint}`;
}
