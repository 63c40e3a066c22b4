/** Masks secrets in headers and addresses before they are shown or stored: they become `***`. */

import { maskAddress } from './secret-values.ts';

const MASK = '***';

const SECRET_HEADERS = [
  'authorization',
  'aeg-sas-key',
  'aeg-sas-token',
  'cookie',
  'set-cookie',
  'proxy-authorization',
];
/** Names of parameters of an address whose values are secret, also within brackets: `user[password]`. */
const SECRET_PARAMETER =
  /^(?:code|sig)$|(?:token|key|secret|signature|credentials?|passw(?:or)?d|passphrase|pwd)\]?$/i;
/** Name of one parameter of an address, also within a text. `;` may separate too. */
const PARAMETER = /[?&;]([^?&;#=\s]+)=/g;
/** End of a value. `;` may be a part of it. */
const END = /[&#]/g;

/**
 * Masks secrets in headers.
 * @param secretNames names of further secret headers, lower case
 */
export function redactHeaders(
  headers: Readonly<Record<string, string>>,
  secretNames: readonly string[] = [],
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const lower = name.toLowerCase();
      const secret = SECRET_HEADERS.includes(lower) || secretNames.includes(lower);
      return [name, secret ? MASK : redactUrl(value)];
    }),
  );
}

/** Masks secrets in an address, or in a text that contains one. A server reads `%70assword` as `password`, and so does this. */
export function redactUrl(text: string): string {
  let shown = '';
  let from = 0;
  for (const { 0: whole, 1: name = '', index } of text.matchAll(PARAMETER)) {
    // A part of a secret that is masked already.
    if (index < from || !isSecretParameter(name)) continue;
    const value = index + whole.length;
    END.lastIndex = value;
    shown += `${text.slice(from, value)}${MASK}`;
    from = END.exec(text)?.index ?? text.length;
  }
  return shown + text.slice(from);
}

/** Masks what is secret in an address: user and password, and parameters by their names. */
export function shownAddress(text: string): string {
  return redactUrl(maskAddress(text));
}

/** Scheme of a typed address with what follows it: any one before `://`, and a known one also with a slip in its signs. */
const SCHEME = /^(?:[a-z][\w+.-]*:\/\/+|(?:https?|h2c|grpcs?)(?::\/*|\/+))/i;

/** A text that was typed as an address and is refused, without what is secret in it. */
export function shownTyped(text: string): string {
  return redactUrl(withUser(text, `${MASK}@`));
}

/** A text that was typed as an address, without its user. */
export function withoutUser(text: string): string {
  return withUser(text, '');
}

/** User and password end at the last `@`: a person who types them does not escape the signs in them, be it a blank or a slash. */
function withUser(text: string, user: string): string {
  const end = text.lastIndexOf('@') + 1;
  if (end === 0) return text;
  const [scheme = ''] = SCHEME.exec(text) ?? [];
  return `${scheme}${user}${text.slice(Math.max(end, scheme.length))}`;
}

/** @param name as it stands in an address, with `%` escapes */
function isSecretParameter(name: string): boolean {
  return SECRET_PARAMETER.test(unescapedName(name));
}

/** Escapes that are no UTF-8 stay, as a server that reads them byte by byte still reads the letters around them. */
function unescapedName(name: string): string {
  return name.replaceAll(/%[0-7][0-9a-f]/gi, (escape) =>
    String.fromCharCode(Number.parseInt(escape.slice(1), 16)),
  );
}
