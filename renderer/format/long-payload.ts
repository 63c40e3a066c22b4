/** Messages whose payload came apart from them, as text. */
import type { MessageDetail, PayloadPart } from '../../core/contract/message.ts';
import type { PublishParams } from '../../core/contract/publish.ts';
import { bodyOfBase64, bodyOfText, type Body } from './body.ts';
import { isOwnEvent } from './curl.ts';

/** A payload as text; see `payloadPart`. */
export type LongPayload = Pick<PayloadPart, 'kind' | 'text' | 'contentType'>;

/** The payload for a viewer. */
export function bodyOfPayload({ kind, text }: LongPayload): Body {
  return kind === 'base64' ? bodyOfBase64(text) : bodyOfText(text);
}

/** The whole event as JSON; a raw payload as it is. Its digits are those that were sent. */
export function eventText({ envelope }: MessageDetail, { kind, text }: LongPayload): string {
  if (envelope === undefined) return text;
  const attributes = JSON.stringify(envelope);
  if (kind === 'none') return attributes;
  const name = kind === 'base64' ? 'data_base64' : 'data';
  const comma = attributes === '{}' ? '' : ',';
  return `${attributes.slice(0, -1)}${comma}"${name}":${kind === 'json' ? text : JSON.stringify(text)}}`;
}

/** Parameters of `messages.publish` that publish the message again as before. */
export function publishLongAgain(message: MessageDetail, payload: LongPayload): PublishParams {
  const { pubsubname, topic, contentType, metadata, appId } = message;
  const isBytes = payload.kind === 'base64';
  const body = isBytes
    ? { dataBase64: payload.text }
    : { data: isOwnEvent(message) ? eventText(message, payload) : payload.text };
  return { pubsubname, topic, contentType, appId, metadata, ...body };
}
