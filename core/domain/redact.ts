/** Masks secrets in headers and addresses before they are shown or stored: they become `***`. */

const SECRET_HEADERS = [
  'authorization',
  'aeg-sas-key',
  'aeg-sas-token',
  'cookie',
  'set-cookie',
  'proxy-authorization',
];
const SECRET_PARAMETERS =
  /([?&](?:aeg-sas-key|aeg-sas-token|client_secret|code|token|sig|access_token)=)[^&#]*/gi;

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
      return [name, secret ? '***' : redactUrl(value)];
    }),
  );
}

/** Masks secrets in an address, or in a text that contains one. */
export function redactUrl(text: string): string {
  return text.replaceAll(SECRET_PARAMETERS, '$1***');
}
