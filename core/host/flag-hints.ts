/** What a wrong value of a flag probably means, as the end of the sentence that refuses it; "": nothing is known of it. */
import { existsSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { dirname } from 'node:path';
import { didYouMean } from '../contract/nearest.ts';
import { APP_ID, hostAndPort } from '../domain/names.ts';
import { shownTyped, withoutUser } from '../domain/redact.ts';
import { nameBeside } from './multi-run/find-file.ts';

export const LAST_PORT = 65_535;
/** What a flag takes for a port, in its help and where another value is refused. */
export const A_PORT = `a port from 0 to ${LAST_PORT}`;

/** The sentence that refuses a text which is no port. */
export function noPort(flag: string, text: string, orElse = ''): string {
  const isOff = orElse !== '' && OFF_WORDS.test(text);
  return `${flag} must be ${A_PORT}${orElse}, got "${shownTyped(text)}"${isOff ? '; did you mean off?' : portHint(text)}`;
}

/** Words for a port that is not opened. */
const OFF_WORDS = /^(?:of+|no|none|false|disabled?)$/i;

/** The port in a text that has more than a port. */
function portHint(text: string): string {
  const { port } = hostAndPort(withoutUser(text));
  return port === '' || port === text ? '' : `; did you mean ${port}?`;
}

/** The IP address for a name of this machine, or the address alone where a scheme or a port stands beside it. */
export function listenHint(text: string): string {
  const host = hostAndPort(withoutUser(text)).host.replaceAll(/[[\]]/g, '');
  const address = host === 'localhost' ? '127.0.0.1' : host === '*' ? '0.0.0.0' : host;
  return address !== text && isIP(address) > 0 ? `; did you mean ${address}?` : '';
}

/** The id with hyphens for what an id must not have; nothing for a text with a user or a secret in it, which is an address in the wrong place. */
export function appIdHint(text: string): string {
  if (shownTyped(text) !== text) return '';
  const id = text.replaceAll(/[\s.,=/]+/g, '-').replaceAll(/^-+|-+$/g, '');
  return APP_ID.test(id) && id !== text ? `; did you mean ${id}?` : '';
}

/** The folder or file beside a path that is not there, or what the path is instead. */
export function pathHint(path: string, wanted: 'file' | 'folder'): string {
  const found = existsSync(path) ? statSync(path) : undefined;
  if (found?.isDirectory() === true) return '; it is a folder';
  if (found !== undefined)
    return wanted === 'folder' ? `; it is a file: give its folder, ${dirname(path)}` : '; it is not a file';
  return nameBeside(path);
}

/** Words of other programs for the words that a flag takes. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  warning: 'warn',
  trace: 'debug',
  verbose: 'debug',
  fatal: 'error',
  plain: 'text',
  summary: 'spec',
};

/** One of the words that a flag takes. A number is never the slip of another one. */
export function wordHint(text: string, allowed: readonly string[]): string {
  const other = OTHER_WORDS[text.toLowerCase()];
  if (other !== undefined && allowed.includes(other)) return `; did you mean ${other}?`;
  if (allowed.includes('http') && /^(?:https|grpcs|h2c)$/i.test(text))
    return `; for ${text.toLowerCase()}, write it in the address of the app`;
  return /\d/.test(text) ? '' : didYouMean(text, allowed);
}
