/** How a message is written in a stream: the fields `data` and `metadata`, as other sidecars write and read them. Behaviour 5.4. */
import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { errorText } from '../../contract/error-text.ts';
import { isObject } from '../../domain/json.ts';
import type { OutboundMessage } from '../../ports/pubsub.ts';

/** Member of the metadata JSON that carries our message id. To other readers it is one more delivery header. */
export const ID_KEY = 'sidelight-message-id';
/** Form of Sidelight's message ids; another program wrote anything else under the key. */
const OWN_ID = /^msg_[\w-]{1,64}$/;
/** Metadata of a publish that had none. */
const ONLY_OWN_ID = /^\{"sidelight-message-id":"(msg_[\w-]{1,64})"\}$/;

const WORD = 2 ** 32;
/** The byte count in a mark is taken modulo this: a number has 21 bits left beside the checksum. */
const MAX_MARKED_BYTES = 2 ** 21;

/** An entry as Redis gives it. */
export interface StreamEntry {
  /** `<ms>-<n>`. */
  readonly id: string;
  /** Names and values in turn; undefined: deleted from the stream while it was pending. */
  readonly fields: readonly Uint8Array[] | undefined;
}

export interface EntryContent extends EntryMetadata {
  readonly data: Uint8Array;
}

interface EntryMetadata {
  /** undefined: another program wrote the entry. */
  readonly messageId: string | undefined;
  readonly metadata: Readonly<Record<string, string>>;
  /** Why the metadata could not be read; the entry is delivered without it. */
  readonly trouble: string | undefined;
}

/** Names and values of the entry for XADD. */
export function fieldsOf(message: OutboundMessage): readonly (string | Buffer)[] {
  const { wire, metadata, messageId } = message;
  return [
    'data',
    typeof wire === 'string' ? wire : Buffer.from(wire.buffer, wire.byteOffset, wire.byteLength),
    'metadata',
    metadataText(metadata, messageId),
  ];
}

/** Most publishes have no metadata: the text is made without an object. */
function metadataText(metadata: OutboundMessage['metadata'], messageId: string): string {
  for (const _key in metadata) return JSON.stringify({ ...metadata, [ID_KEY]: messageId });
  return `{"${ID_KEY}":${JSON.stringify(messageId)}}`;
}

/** Content of an entry. One without `data` gets empty data, so that the runtime shows it as unreadable instead of dropping it. */
export function contentOf(fields: readonly Uint8Array[]): EntryContent {
  let data: Uint8Array = new Uint8Array(0);
  let metadata = '';
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const [name, value] = [textOf(fields[i]), fields[i + 1]];
    if (name === 'data' && value !== undefined) data = value;
    if (name === 'metadata') metadata = textOf(value);
  }
  const { messageId, metadata: read, trouble } = readMetadata(metadata);
  return { data, messageId, metadata: read, trouble };
}

/**
 * Key of an entry at its broker, equal for every group and every delivery. The content is part of it, as an id may be used twice by hand.
 */
export function brokerKey(server: string, topic: string, id: string, data: Uint8Array): string {
  const named = Buffer.concat([Buffer.from(JSON.stringify([server, topic, id])), data]);
  return hash('sha256', named, 'hex').slice(0, 24);
}

/** Checksum of an entry's content: a number, so that an open entry can be recognised without keeping its bytes. */
export function contentMark(fields: readonly Uint8Array[]): number {
  let [mark, bytes] = [0, 0];
  for (const field of fields) {
    bytes += field.byteLength;
    // The length is part of the sum, because the same bytes could be split into fields differently.
    mark = crc32(field, (mark + field.byteLength) % WORD);
  }
  return (bytes % MAX_MARKED_BYTES) * WORD + mark;
}

function readMetadata(text: string): EntryMetadata {
  if (text === '') return { messageId: undefined, metadata: {}, trouble: undefined };
  const messageId = ONLY_OWN_ID.exec(text)?.[1];
  return messageId === undefined ? readAnyMetadata(text) : { messageId, metadata: {}, trouble: undefined };
}

function readAnyMetadata(text: string): EntryMetadata {
  const metadata: Record<string, string> = {};
  const unread = (trouble: string): EntryMetadata => ({ messageId: undefined, metadata, trouble });
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch (error) {
    return unread(errorText(error));
  }
  let messageId: string | undefined;
  if (read === null) return { messageId, metadata, trouble: undefined };
  if (!isObject(read)) return unread('it is not a JSON object');
  for (const [name, value] of Object.entries(read)) {
    if (name === ID_KEY) {
      if (typeof value === 'string' && OWN_ID.test(value)) messageId = value;
    } else if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
      // Values written by hand may be numbers or flags. Defined, not set: a name may be "__proto__".
      Object.defineProperty(metadata, name, { value: String(value), enumerable: true, configurable: true });
    }
  }
  return { messageId, metadata, trouble: undefined };
}

function textOf(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? '' : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
}
