/** Parses absolute http and https addresses of endpoints without a URL class. */

export interface EndpointUrl {
  readonly scheme: 'http' | 'https';
  /** Host in lower case; IPv6 in brackets. */
  readonly host: string;
  readonly port: number;
  /** Path as written, with its leading slash; "" if there is none. */
  readonly path: string;
  /** Query with its question mark; "" if there is none. */
  readonly query: string;
  readonly hasUser: boolean;
  readonly hasFragment: boolean;
}

const SHAPE =
  /^(https?):\/\/(?:([^/?#@]*)@)?(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?)(?::(\d{1,5}))?(\/[^?#]*)?(\?[^#]*)?(#.*)?$/i;

/**
 * Parses an address. Undefined: it is no absolute http or https address, or it has a space, a backslash or a
 * control character.
 */
export function readEndpointUrl(text: string): EndpointUrl | undefined {
  if (/[\u0000-\u0020\u007f\\]/.test(text)) return undefined;
  const found = SHAPE.exec(text);
  if (found === null) return undefined;
  const [, scheme = '', user, host = '', port, path = '', query = '', fragment] = found;
  const secure = scheme.toLowerCase() === 'https';
  const number = port === undefined ? (secure ? 443 : 80) : Number(port);
  if (number < 1 || number > 65_535) return undefined;
  return {
    scheme: secure ? 'https' : 'http',
    host: host.toLowerCase(),
    port: number,
    path,
    query,
    hasUser: user !== undefined,
    hasFragment: fragment !== undefined,
  };
}
