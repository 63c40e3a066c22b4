/** Edits a message for replay, edit and release. Unchanged parts keep their bytes. */
import type { ReplayChanges } from '../contract/publish.ts';
import { textOf } from './codec.ts';
import type { Codec, Wire } from './codec.ts';
import { kindOf } from './content-type.ts';
import { readEvent } from './inbound.ts';
import { firstValue } from './json.ts';
import { joinMembers, memberTexts } from './json-parts.ts';

export interface Editable {
  readonly wire: Wire;
  readonly raw: boolean;
  readonly contentType: string;
}

export interface EditedMessage {
  readonly wire: Wire;
  readonly contentType: string;
}

/**
 * The message after `changes`. `data` is taken unchanged if it is a string, else as JSON; an attribute `null`
 * is removed. A raw message has no attributes: only data and content type count. `metadata` is not part of
 * the bytes.
 */
export function editMessage(message: Editable, changes: ReplayChanges, codec: Codec): EditedMessage {
  const { topic, pubsubname, data, attributes } = changes;
  const contentType = changes.contentType ?? message.contentType;
  if (
    topic === undefined &&
    pubsubname === undefined &&
    data === undefined &&
    attributes === undefined &&
    changes.contentType === undefined
  ) {
    return { wire: message.wire, contentType };
  }
  if (message.raw || !readEvent(message.wire, codec).ok) {
    return { wire: data === undefined ? message.wire : dataText(data), contentType };
  }
  const members = memberTexts(textOf(message.wire, codec));
  if (topic !== undefined) members.set('topic', JSON.stringify(topic));
  if (pubsubname !== undefined) members.set('pubsubname', JSON.stringify(pubsubname));
  if (changes.contentType !== undefined) members.set('datacontenttype', JSON.stringify(contentType));
  if (data !== undefined) setData(members, data, contentType, codec);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined) members.delete(name);
    else members.set(name, JSON.stringify(value));
  }
  return { wire: joinMembers(members), contentType };
}

/**
 * Sets or removes the expiry in the envelope; the rest keeps its bytes. Raw messages have no envelope and
 * stay as they are.
 */
export function withExpiration(wire: Wire, raw: boolean, expiration: string | undefined, codec: Codec): Wire {
  if (raw || (expiration === undefined && !mayHave('expiration', textOf(wire, codec)))) return wire;
  if (!readEvent(wire, codec).ok) return wire;
  const members = memberTexts(textOf(wire, codec));
  if (expiration === undefined && !members.has('expiration')) return wire;
  if (expiration === undefined) members.delete('expiration');
  else members.set('expiration', JSON.stringify(expiration));
  return joinMembers(members);
}

/** Whether a text may have a member of this name, which may be written with escapes. To parse a large text takes far longer. */
function mayHave(name: string, text: string): boolean {
  return text.includes(`"${name}"`) || text.includes('\\u');
}

/** The event with this id. Raw messages have no envelope and stay as they are. */
export function withId(wire: Wire, raw: boolean, id: string, codec: Codec): Wire {
  if (raw || !readEvent(wire, codec).ok) return wire;
  const members = memberTexts(textOf(wire, codec));
  members.set('id', JSON.stringify(id));
  return joinMembers(members);
}

function setData(members: Map<string, string>, data: unknown, contentType: string, codec: Codec): void {
  const text = dataText(data);
  if (kindOf(contentType) === 'binary') {
    members.delete('data');
    members.set('data_base64', JSON.stringify(codec.toBase64(codec.fromText(text))));
    return;
  }
  members.delete('data_base64');
  const first = kindOf(contentType) === 'json' ? firstValue(text) : undefined;
  members.set('data', first === undefined || first.trailing ? JSON.stringify(text) : first.text);
}

function dataText(data: unknown): string {
  return typeof data === 'string' ? data : (JSON.stringify(data) ?? '');
}
