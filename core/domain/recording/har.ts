/** Writes attempts as entries of an HTTP archive (HAR 1.2). */
import type { Attempt } from '../../contract/message.ts';
import type { RecordedMessage } from './recorded.ts';
import type { SharedCalls } from './shared-calls.ts';

/**
 * Entries of a message's attempts, one for each call.
 * @param calls calls of batches that were written with another of their entries
 */
export function harEntries({ message, deliveries }: RecordedMessage, calls: SharedCalls): unknown[] {
  return deliveries.flatMap(({ delivery, attempts }) =>
    attempts
      .filter((attempt) => !calls.knows(attempt))
      .map((attempt) => {
        const { attemptId, bulk, number } = attempt;
        const of = bulk === undefined ? '' : `, of ${bulk.batchSize} entries in ${attemptId}`;
        const { topic, messageId } = message.row;
        return {
          ...entryOf(attempt),
          comment: `${topic}, ${messageId}, ${delivery.deliveryId}, attempt ${number}${of}`,
        };
      }),
  );
}

function entryOf(attempt: Attempt): Readonly<Record<string, unknown>> {
  const { request, response, timing, startedAt, durationMs = 0 } = attempt;
  const isGrpc = attempt.protocol === 'grpc';
  const isH2c = request.url.startsWith('h2c://');
  const common = {
    httpVersion: isGrpc || isH2c ? 'HTTP/2' : 'HTTP/1.1',
    cookies: [],
    headersSize: -1,
    bodySize: -1,
  };
  return {
    startedDateTime: startedAt,
    time: durationMs,
    request: {
      ...common,
      // Over gRPC `request.method` is the full name of the method, which the address has too.
      method: isGrpc ? 'POST' : request.method,
      // Programs that read such an archive know only http.
      url: isH2c ? request.url.replace('h2c://', 'http://') : request.url,
      headers: headersOf(request.headers),
      queryString: queryOf(request.url),
      postData: {
        mimeType: request.headers['content-type'] ?? '',
        text: request.body,
        ...(request.bodyBase64 === true ? { comment: 'base64' } : {}),
      },
    },
    response: {
      ...common,
      ...statusOf(attempt),
      headers: headersOf(response?.headers ?? {}),
      content: contentOf(response),
      redirectURL: '',
    },
    cache: {},
    timings: {
      connect: timing?.connectMs ?? -1,
      send: timing?.sendMs ?? 0,
      wait: timing?.waitMs ?? durationMs,
      receive: timing?.readMs ?? 0,
    },
  };
}

/** Status of an entry. A call over gRPC gets 200 whatever its code is; the text has the code. */
function statusOf({ protocol, response, error }: Attempt): { status: number; statusText: string } {
  const statusText = error === undefined ? '' : `${error.code}: ${error.message}`;
  if (response === undefined) return { status: 0, statusText };
  if (protocol !== 'grpc') return { status: response.status, statusText };
  return { status: 200, statusText: `gRPC ${response.status} ${response.statusText ?? ''}`.trimEnd() };
}

function contentOf(response: Attempt['response']): Readonly<Record<string, unknown>> {
  if (response === undefined) return { size: 0, mimeType: '', text: '' };
  return {
    size: sizeOf(response),
    mimeType: response.headers['content-type'] ?? '',
    text: response.body,
    ...(response.bodyBase64 === true ? { encoding: 'base64' } : {}),
  };
}

function headersOf(headers: Readonly<Record<string, string>>): { name: string; value: string }[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}

function queryOf(url: string): { name: string; value: string }[] {
  const query = url.split('#', 1)[0]?.split('?').slice(1).join('?') ?? '';
  return query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const at = pair.indexOf('=');
      return at < 0 ? { name: pair, value: '' } : { name: pair.slice(0, at), value: pair.slice(at + 1) };
    });
}

const encoder = new TextEncoder();

/** Number of bytes of a body. Base64 has three for each four characters, less one for each `=`. */
function sizeOf({ body, bodyBase64 }: Pick<NonNullable<Attempt['response']>, 'body' | 'bodyBase64'>): number {
  if (bodyBase64 === true) return Math.floor((body.replace(/=+$/, '').length * 3) / 4);
  return encoder.encode(body).length;
}
