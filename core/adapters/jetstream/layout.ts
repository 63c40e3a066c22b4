/** How a message is written in a stream: body unchanged, publish metadata as headers, message id as the header that finds duplicates. */
import { headers } from '@nats-io/transport-node';
import type { MsgHdrs } from '@nats-io/transport-node';
import { errorText } from '../../contract/error-text.ts';
import type { OutboundMessage } from '../../ports/pubsub.ts';

/** The server drops a second message with the same value for a while. */
const ID_HEADER = 'Nats-Msg-Id';
/** Header with the JSON of all metadata that no header can carry unchanged. */
const REST_HEADER = 'Sidelight-Metadata';
/** Form of Sidelight's message ids; another client wrote anything else. */
const OWN_ID = /^msg_[\w-]{1,64}$/;
const HEADER_NAME = /^[!-9;-~]+$/;
/** Headers of the server itself. */
const OWN_OF_SERVER = /^nats-/i;

export interface Content {
  readonly messageId?: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** Why some metadata could not be read; the message is delivered without it. */
  readonly trouble?: string;
}

/** Headers for a publish. */
export function headersOf({ messageId, metadata }: OutboundMessage): MsgHdrs {
  const made = headers();
  const rest: [string, string][] = [];
  for (const [name, value] of Object.entries(metadata)) {
    if (fits(name, value)) made.set(name, value);
    else rest.push([name, value]);
  }
  if (rest.length > 0) made.set(REST_HEADER, asciiJson(rest));
  made.set(ID_HEADER, messageId);
  return made;
}

/** Key of a published message: number and id, because a recreated stream numbers from 1 again. */
export function messageKey(seq: number, messageId: string | undefined): string {
  return `${seq} ${messageId ?? ''}`;
}

/** Key of a message as the server gives it. */
export function messageKeyIn(seq: number, given: MsgHdrs | undefined): string {
  return messageKey(seq, given?.get(ID_HEADER));
}

/** Metadata and message id from the headers of a message. */
export function contentOf(given: MsgHdrs | undefined): Content {
  const metadata: Record<string, string> = {};
  if (given === undefined) return { metadata };
  const add = (name: string, value: string): void => {
    // Defined, not set: a name may be "__proto__".
    Object.defineProperty(metadata, name, { value, enumerable: true, configurable: true });
  };
  for (const name of given.keys()) {
    if (name !== REST_HEADER && !OWN_OF_SERVER.test(name)) add(name, given.values(name).join(', '));
  }
  const id = given.get(ID_HEADER);
  const trouble = addRest(given.get(REST_HEADER), add);
  return {
    metadata,
    ...(OWN_ID.test(id) ? { messageId: id } : {}),
    ...(trouble === undefined ? {} : { trouble }),
  };
}

function addRest(text: string, add: (name: string, value: string) => void): string | undefined {
  if (text === '') return undefined;
  try {
    const read: unknown = JSON.parse(text);
    if (!Array.isArray(read)) return `${REST_HEADER} is not a list`;
    for (const pair of read) {
      if (!Array.isArray(pair) || typeof pair[0] !== 'string' || typeof pair[1] !== 'string')
        return `${REST_HEADER} is not a list of names and values`;
      add(pair[0], pair[1]);
    }
    return undefined;
  } catch (error) {
    return `${REST_HEADER}: ${errorText(error)}`;
  }
}

/** A header keeps neither line breaks nor spaces around a value, and some names are the server's. */
function fits(name: string, value: string): boolean {
  return (
    HEADER_NAME.test(name) &&
    !OWN_OF_SERVER.test(name) &&
    name !== REST_HEADER &&
    /^[ -~]+$/.test(value) &&
    value.trim() === value
  );
}

function asciiJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[^ -~]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
