/** Calls that a person can run elsewhere: curl for a shell, JSON-RPC for a script. */
import type { Method, Params } from '../../core/contract/console.ts';
import type { MessageDetail } from '../../core/contract/message.ts';
import type { PublishParams } from '../../core/contract/publish.ts';
import { layOutJson, memberText } from './json-text.ts';
import { addressPart } from '../../core/contract/address-part.ts';

const OWN_EVENT = /^application\/cloudevents\+json/i;

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
  const topic = topicInPath(to.topic);
  const query = new URLSearchParams(
    Object.entries(metadata).map(([key, value]) => [`metadata.${key}`, value]),
  ).toString();
  const path = `/${version}/${addressPart(to.pubsubname)}/${topic}`;
  return `${sidecar.replace(/\/$/, '')}${path}${query === '' ? '' : `?${query}`}`;
}

/** A sidecar leaves out empty segments and resolves dots before it reads the topic: what would change is one segment with escapes. */
function topicInPath(topic: string): string {
  const segments = topic.split('/');
  if (segments.every((segment) => !/^\.{0,2}$/.test(segment))) return segments.map(addressPart).join('/');
  return addressPart(topic).replaceAll('.', '%2E');
}

/** What `messages.publish` needs to publish a message again as it was published. */
export function publishAgain(message: MessageDetail): PublishParams {
  const { pubsubname, topic, contentType, metadata, appId } = message;
  const own = OWN_EVENT.test(contentType) && message.envelope !== undefined;
  const body =
    message.dataBase64 !== undefined
      ? { dataBase64: message.dataBase64 }
      : { data: own ? message.envelope : exactData(message) };
  return { pubsubname, topic, contentType, appId, metadata, ...body };
}

/** The data as a value; as the text it was sent as where a number of it would not come out the same. */
function exactData({ data, raw, wire }: MessageDetail): unknown {
  if (raw || typeof data === 'string' || wire.bodyTruncated === true || wire.bodyBase64 === true) return data;
  const written = memberText(wire.body, 'data');
  if (written === undefined || layOutJson(written) === JSON.stringify(data, null, 2)) return data;
  return NUMBERS_THAT_CHANGE.test(written) ? written : data;
}

/** More digits than a number keeps, a zero at the end of a fraction, an exponent. */
const NUMBERS_THAT_CHANGE = /\d{16}|\.\d*0\b|\d[eE]/;

/** A method call as JSON-RPC text. */
export function automationCall<M extends Method>(method: M, params: Params<M>): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
}
