/** Makes calls that a person can run elsewhere: curl for a shell, JSON-RPC for a script. */
import type { Method, Params } from '../../core/contract/console.ts';
import type { MessageDetail } from '../../core/contract/message.ts';
import type { PublishParams } from '../../core/contract/publish.ts';
import { layOutJson, memberText } from './json-text.ts';
import { addressPart } from '../../core/contract/address-part.ts';
import { shellQuote } from '../../core/contract/shell-quote.ts';
import { escapeUnits } from '../../core/contract/unicode-escape.ts';
import type { TokenFrom } from './sidecar-target.ts';

const OWN_EVENT = /^application\/cloudevents\+json/i;

/** JSON of a value, indented by two spaces; a string unchanged. */
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

/** A command that publishes JSON to a topic, in a few lines. */
export function sampleCurl(
  sidecar: string,
  to: { readonly pubsubname: string; readonly topic: string },
  json: string,
  token?: TokenFrom,
): string {
  return [
    `curl -g -X POST ${shellQuote(publishUrl(sidecar, to, {}))} \\`,
    ...(token === undefined ? [] : [`  -H "${token.header}: $${token.variable}" \\`]),
    `  -H 'Content-Type: application/json' -d ${shellQuote(json)}`,
  ].join('\n');
}

/**
 * The topic in a path. A sidecar removes empty segments and resolves dots before it reads the topic, so a
 * topic with such parts becomes one escaped segment.
 */
function topicInPath(topic: string): string {
  const segments = topic.split('/');
  if (segments.every((segment) => !/^\.{0,2}$/.test(segment))) return segments.map(addressPart).join('/');
  return addressPart(topic).replaceAll('.', '%2E');
}

/** Whether the message was published as a whole event, not as the data of one. */
export function isOwnEvent({ contentType, envelope }: MessageDetail): boolean {
  return OWN_EVENT.test(contentType) && envelope !== undefined;
}

/** Parameters of `messages.publish` that publish a message again as before. */
export function publishAgain(message: MessageDetail): PublishParams {
  const { pubsubname, topic, contentType, metadata, appId } = message;
  const own = isOwnEvent(message);
  const body =
    message.dataBase64 !== undefined
      ? { dataBase64: message.dataBase64 }
      : { data: own ? message.envelope : exactData(message) };
  return { pubsubname, topic, contentType, appId, metadata, ...body };
}

/** The data as a value; as its text if one of its numbers would change. */
function exactData({ data, raw, wire }: MessageDetail): unknown {
  if (raw || typeof data === 'string' || wire.bodyTruncated === true || wire.bodyBase64 === true) return data;
  const written = memberText(wire.body, 'data');
  if (written === undefined || layOutJson(written) === JSON.stringify(data, null, 2)) return data;
  return NUMBERS_THAT_CHANGE.test(written) ? written : data;
}

/**
 * Numbers that would change: more digits than a double holds, a zero at the end of a fraction, an exponent.
 */
const NUMBERS_THAT_CHANGE = /\d{16}|\.\d*0\b|\d[eE]/;

/** A method call as JSON-RPC text. */
export function automationCall<M extends Method>(method: M, params: Params<M>): string {
  // A terminal takes control characters for keys when the call is pasted; JSON leaves some of them as they are.
  return escapeUnits(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), /[\u007f-\u009f]/g);
}
