/** Calls that a person can run elsewhere: curl for a shell, JSON-RPC for a script. */
import type { Method, Params } from '../../core/contract/console.ts';
import type { Attempt, MessageDetail } from '../../core/contract/message.ts';
import type { PublishParams } from '../../core/contract/publish.ts';

const OWN_EVENT = /^application\/cloudevents\+json/i;
/** Headers that carry keys; masked when copied. */
const SECRET = /^(authorization|cookie|set-cookie|.*api-token|.*access-?key|aeg-sas-key)$/i;

/** Quotes a word for a POSIX shell. */
export function shellQuote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** JSON of a value with two spaces; a string as it is. */
export function asText(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

/** Address of the publish route, with the metadata as query. */
export function publishUrl(
  sidecar: string,
  to: { readonly pubsubname: string; readonly topic: string },
  metadata: Readonly<Record<string, string>>,
  bulk = false,
): string {
  const version = bulk ? 'v1.0-alpha1/publish/bulk' : 'v1.0/publish';
  const topic = to.topic.split('/').map(encodeURIComponent).join('/');
  const query = new URLSearchParams(
    Object.entries(metadata).map(([key, value]) => [`metadata.${key}`, value]),
  ).toString();
  const path = `/${version}/${encodeURIComponent(to.pubsubname)}/${topic}`;
  return `${sidecar.replace(/\/$/, '')}${path}${query === '' ? '' : `?${query}`}`;
}

/** What `messages.publish` needs to publish a message again as it was published. */
export function publishAgain(message: MessageDetail): PublishParams {
  const { pubsubname, topic, contentType, metadata, appId } = message;
  const own = OWN_EVENT.test(contentType) && message.envelope !== undefined;
  const body =
    message.dataBase64 !== undefined
      ? { dataBase64: message.dataBase64 }
      : { data: own ? message.envelope : message.data };
  return { pubsubname, topic, contentType, appId, metadata, ...body };
}

/** The publish of a message as a curl command. */
export function publishCurl(sidecar: string, message: MessageDetail): string {
  const { contentType, metadata, data, dataBase64 } = publishAgain(message);
  const url = publishUrl(sidecar, message, metadata ?? {});
  const head = [
    'curl',
    '-X',
    'POST',
    shellQuote(url),
    '-H',
    shellQuote(`Content-Type: ${contentType ?? ''}`),
  ];
  if (dataBase64 !== undefined) {
    return `printf %s ${shellQuote(dataBase64)} | base64 -d | ${[...head, '--data-binary', '@-'].join(' ')}`;
  }
  const body = typeof data === 'string' ? data : JSON.stringify(data);
  return [...head, '--data-raw', shellQuote(body)].join(' ');
}

/** The request of an attempt as a curl command; values of headers that carry keys are masked. */
export function receivedCurl(attempt: Attempt): string {
  const { method, url, headers, body } = attempt.request;
  const parts = ['curl', '-X', method, shellQuote(url)];
  for (const [name, value] of Object.entries(headers)) {
    if (/^(content-length|host|connection)$/i.test(name)) continue;
    parts.push('-H', shellQuote(`${name}: ${SECRET.test(name) ? '***' : value}`));
  }
  if (body !== '') parts.push('--data-raw', shellQuote(body));
  return parts.join(' ');
}

/** A method call as JSON-RPC text. */
export function automationCall<M extends Method>(method: M, params: Params<M>): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
}
