/** Judges an endpoint's answer to a validation handshake. */

export type HandshakeVerdict =
  /** The endpoint consents. `rate`: requests per minute that it allows; absent: no limit. */
  | { readonly kind: 'validated'; readonly rate?: number }
  /** The endpoint has not consented yet: a person may still call the callback. */
  | { readonly kind: 'awaiting' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'again'; readonly message: string };

export interface HandshakeAnswer {
  readonly status: number;
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Judges the answer to OPTIONS: the header gives consent, never the status alone (CloudEvents web hooks,
 * section 4).
 */
export function judgeOptions(answer: HandshakeAnswer, origin: string): HandshakeVerdict {
  if (answer.status < 200 || answer.status > 299) {
    const message = `Http OPTIONS request failed with response code ${statusName(answer.status)}.`;
    const redirect = answer.status >= 300 && answer.status < 400 ? ' Redirects are not followed.' : '';
    return { kind: 'again', message: message + redirect + malfunction(answer.status) };
  }
  const allowed = answer.headers['webhook-allowed-origin'];
  if (allowed === undefined || allowed.trim() === '') return { kind: 'awaiting' };
  const origins = allowed.split(',').map((one) => one.trim().toLowerCase());
  if (!origins.includes('*') && !origins.includes(origin.toLowerCase())) {
    return { kind: 'failed', message: `The endpoint allows the origin ${allowed}, not ${origin}.` };
  }
  return readAllowedRate(answer.headers['webhook-allowed-rate']);
}

/**
 * Reads `WebHook-Allowed-Rate`: absent or `*` is any, a positive integer is a limit, anything else is a
 * failure.
 */
export function readAllowedRate(value: string | undefined): HandshakeVerdict {
  const text = value?.trim() ?? '';
  if (text === '' || text === '*') return { kind: 'validated' };
  if (/^[1-9]\d{0,8}$/.test(text)) return { kind: 'validated', rate: Number(text) };
  return { kind: 'failed', message: `invalid allowed rate "${text}"` };
}

/**
 * Judges the answer to a validation event: 200 with the code consents, 200 without it waits for the URL, 202
 * is not accepted.
 */
export function judgeValidationEvent(answer: HandshakeAnswer, code: string): HandshakeVerdict {
  if (answer.status !== 200) {
    const message = `Http POST request failed with response code ${statusName(answer.status)}.`;
    return { kind: 'again', message: message + malfunction(answer.status) };
  }
  return responseOf(answer.body)?.toLowerCase() === code.toLowerCase()
    ? { kind: 'validated' }
    : { kind: 'awaiting' };
}

function malfunction(status: number): string {
  return status === 503 ? ' The ingress is malfunctioning.' : '';
}

function responseOf(body: string): string | undefined {
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value !== 'object' || value === null || !('validationResponse' in value)) return undefined;
    return typeof value.validationResponse === 'string' ? value.validationResponse : undefined;
  } catch {
    // A body that is no JSON is no validation response.
    return undefined;
  }
}

const STATUS_NAMES: Readonly<Record<number, string>> = {
  202: 'Accepted',
  204: 'NoContent',
  301: 'MovedPermanently',
  302: 'Found',
  307: 'TemporaryRedirect',
  308: 'PermanentRedirect',
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  408: 'RequestTimeout',
  410: 'Gone',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  429: 'TooManyRequests',
  500: 'InternalServerError',
  502: 'BadGateway',
  503: 'ServiceUnavailable',
  504: 'GatewayTimeout',
};

function statusName(status: number): string {
  const name = STATUS_NAMES[status];
  return name === undefined ? String(status) : `${name} (${status})`;
}
