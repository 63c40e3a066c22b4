/** Headers and addresses as they may be shown and kept: secrets read `***`. */

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

/** @param secretNames further headers, lower case */
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

/** An address or any text with one in it. */
export function redactUrl(text: string): string {
  return text.replaceAll(SECRET_PARAMETERS, '$1***');
}
