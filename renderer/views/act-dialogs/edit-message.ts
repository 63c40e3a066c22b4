/** A message as text that can be edited, and the changes that an edit makes. */
import type { MessageDetail } from '../../../core/contract/message.ts';
import type { ReplayChanges } from '../../../core/contract/publish.ts';
import { prettyJson } from '../../format/body.ts';

export interface EditedMessage {
  readonly pubsubname: string;
  readonly topic: string;
  readonly contentType: string;
  /** True: the message has no envelope around its data. */
  readonly isRaw: boolean;
  readonly data: string;
  /** Metadata as lines `key: value`. */
  readonly metadata: string;
  readonly attributes: string;
}

const PAYLOAD = new Set(['data', 'data_base64']);

function linesOf(record: Readonly<Record<string, unknown>>): string {
  return Object.entries(record)
    .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n');
}

/** Lines `key: value` as a record; a line without a colon is a key without a value. */
export function readLines(text: string): Readonly<Record<string, string>> {
  const entries = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const cut = line.indexOf(':');
      return cut < 0 ? [line, ''] : [line.slice(0, cut).trim(), line.slice(cut + 1).trim()];
    });
  return Object.fromEntries(entries);
}

/** Formatted JSON; any other text unchanged. */
export function layOut(text: string): string {
  return prettyJson(text) ?? text;
}

/**
 * The texts for the editor.
 * @param data formatted data of the message
 */
export function editableOf(message: MessageDetail, data: string): EditedMessage {
  const attributes = Object.entries(message.envelope ?? {}).filter(([name]) => !PAYLOAD.has(name));
  return {
    pubsubname: message.pubsubname,
    topic: message.topic,
    contentType: message.contentType,
    isRaw: message.raw || message.envelope === undefined,
    data,
    metadata: linesOf(message.metadata),
    attributes: linesOf(Object.fromEntries(attributes)),
  };
}

/** All facts beside the data, one per line. */
export function factsOf({ pubsubname, topic, contentType, attributes, metadata }: EditedMessage): string {
  return [
    `pubsub: ${pubsubname}`,
    `topic: ${topic}`,
    `content type: ${contentType}`,
    attributes,
    metadata,
  ].join('\n');
}

/**
 * Changes between two texts, without equal parts. The data is sent as the typed text; removed attributes
 * become null.
 */
export function changesOf(before: EditedMessage, after: EditedMessage): ReplayChanges {
  const old = readLines(before.attributes);
  const next = readLines(after.attributes);
  const attributes: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(next)) if (old[name] !== value) attributes[name] = value;
  for (const name of Object.keys(old)) if (!(name in next)) attributes[name] = null;
  return {
    ...(after.pubsubname === before.pubsubname ? {} : { pubsubname: after.pubsubname }),
    ...(after.topic === before.topic ? {} : { topic: after.topic }),
    ...(after.contentType === before.contentType ? {} : { contentType: after.contentType }),
    ...(after.data === before.data ? {} : { data: after.data }),
    ...(after.metadata === before.metadata ? {} : { metadata: readLines(after.metadata) }),
    ...(Object.keys(attributes).length === 0 ? {} : { attributes }),
  };
}
