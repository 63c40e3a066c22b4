/**
 * Checks a `baggage` header: members `key=value`, each with properties, as the W3C recommendation defines
 * them.
 */

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Characters of a value: printable ASCII without blank, double quote, comma, semicolon and backslash. */
const VALUE = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/;
const BROKEN_ESCAPE = /%(?![0-9a-fA-F]{2}).{0,2}/;

/** The mistake in the header; undefined: it has none. */
export function baggageMistake(header: string): string | undefined {
  for (const member of header.split(',')) {
    const [pair = '', ...properties] = member.split(';');
    const mistake = pairMistake(pair, member) ?? propertiesMistake(properties);
    if (mistake !== undefined) return mistake;
  }
  return undefined;
}

function pairMistake(pair: string, member: string): string | undefined {
  const equals = pair.indexOf('=');
  if (equals === -1) return `invalid baggage list-member: ${quoted(member)}`;
  const key = pair.slice(0, equals).trim();
  if (!TOKEN.test(key)) return `invalid key: ${quoted(key)}`;
  const value = pair.slice(equals + 1).trim();
  const escape = BROKEN_ESCAPE.exec(value)?.[0];
  if (escape !== undefined) return `invalid value: invalid URL escape ${quoted(escape)}`;
  return VALUE.test(value) ? undefined : `invalid value: ${quoted(value)}`;
}

function propertiesMistake(properties: readonly string[]): string | undefined {
  const bad = properties.find((property) => {
    const equals = property.indexOf('=');
    const [key, value] =
      equals === -1 ? [property, ''] : [property.slice(0, equals), property.slice(equals + 1)];
    return !TOKEN.test(key.trim()) || !VALUE.test(value.trim());
  });
  return bad === undefined ? undefined : `invalid baggage list-member property: ${quoted(bad)}`;
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
