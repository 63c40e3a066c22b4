/** Rules for names that become arguments of a program or parts of file names. */
import { nearest } from './filter/mistakes.ts';
import { isLoopbackHost } from './loopback.ts';
import { shownTyped } from './redact.ts';

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
 * Whether a text is an address of an app: http and https in any form, but on this machine with its port; grpc
 * and grpcs (over TLS) with host and port alone.
 */
export function isAppAddress(text: string): boolean {
  if (!URL.canParse(text) || hasMore(text)) return false;
  const { protocol, hostname, port } = new URL(text);
  // Port 80 of this machine is hardly ever meant, and a URL leaves it out even where it was typed.
  if (protocol === 'http:' || protocol === 'https:')
    return port !== '' || !isLoopbackHost(hostname) || /^https?:\/*[^/?#]*:\d+(?:[/?#]|$)/i.test(text);
  if (protocol !== 'grpc:' && protocol !== 'grpcs:') return false;
  return hostname !== '' && port !== '' && /^grpcs?:\/\/[^/?#]+\/?$/.test(text);
}

/** Whether an address has parts that no request to the app would carry as they stand: a query, a fragment, or a user name. */
function hasMore(address: string): boolean {
  return plainAddress(address) !== address;
}

function plainAddress(address: string): string {
  return address.replace(/[?#].*$/s, '').replace(/^([a-z][\w+.-]*:\/*)[^/]*@/i, '$1');
}

/** Form of an address without a scheme: `127.0.0.1:6002` and `localhost:6002`. */
const HOST_AND_PORT = /^(?:[\w.-]+|\[[\da-fA-F:.]+\]):\d{1,5}(?:\/|$)/;

const SCHEMES = ['http', 'https', 'grpc', 'grpcs'];

/**
 * What is wrong with a text that is no address of an app, as the end of a sentence; "": nothing is known of it.
 * @param words words that may stand in the place of the address
 */
export function addressHint(text: string, scheme: string, words: readonly string[]): string {
  const plain = plainAddress(withScheme(text, scheme));
  if (hasMore(text) && isAppAddress(plain)) return `; an address has no user name, ? or #: write ${plain}`;
  if (/^\d{1,5}$/.test(text)) return `; for an app on this machine: ${scheme}://127.0.0.1:${text}`;
  const [, given, rest = ''] = /^([a-z][\w+.-]*):\/\/(.*)$/is.exec(text) ?? [];
  if (given !== undefined && !SCHEMES.includes(given.toLowerCase())) {
    const meant = nearest(given.toLowerCase(), SCHEMES);
    return meant === undefined ? '' : didYouMean(`${meant}://${rest}`);
  }
  const [, word = '', after = ''] = /^([a-z]+)(?::?\/+|$)(.*)$/is.exec(text) ?? [];
  if (given === undefined && after !== '' && SCHEMES.includes(word.toLowerCase()))
    return didYouMean(`${word.toLowerCase()}://${after}`);
  const named = after === '' ? nearest(word.toLowerCase(), words) : undefined;
  if (named !== undefined) return `; did you mean ${named}?`;
  const near = hostAndPort(text);
  if (near.port !== '')
    return `; did you mean ${given ?? scheme}://${near.host === '' ? '127.0.0.1' : near.host}:${near.port}?`;
  const [, host = '', port = ''] =
    /^([\w.-]+|\[[\da-f:.]+\])(?::(\d*))?(?:\/|$)/i.exec(given === undefined ? text : rest) ?? [];
  if (Number(port) > MAX_PORT) return `; the port ${port} is above ${MAX_PORT}`;
  return host !== '' && port === '' && !SCHEMES.includes(host.toLowerCase())
    ? `; the port is missing, as in ${given ?? scheme}://${host}:8080`
    : '';
}

/** The address that is probably meant, without the parts that it may not have. */
function didYouMean(address: string): string {
  return `; did you mean ${plainAddress(address)}?`;
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

/** The address, with this scheme if it has none, and with two slashes behind its scheme. */
export function withScheme(text: string, scheme: string): string {
  return HOST_AND_PORT.test(text) ? `${scheme}://${text}` : text.replace(/^(https?):\/(?!\/)/i, '$1://');
}

export const APP_ADDRESS_WORDS = 'an http, https, grpc or grpcs address';

/** Says that a text is no address of an app: what is missing or too large in it, or else what is expected. */
export function noAddress(text: string): string {
  const hint = addressHint(text, 'http', []);
  return `${shown(shownTyped(text))} is not an address${hint === '' ? `: expected ${APP_ADDRESS_WORDS}` : hint}`;
}
