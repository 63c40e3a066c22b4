/** Converts an app's reply to its sidecar from message to JSON and back. */
import { APP_METHODS } from '../contract/grpc.ts';
import { isObject } from '../domain/json.ts';
import { statusNumber, statusWord } from './event-status.ts';
import type { Protocol, RequestCodec } from './protocol.ts';
import { batchBytes, statusBytes } from './status-bytes.ts';

/** Most entries of a reply: an app may send millions in 4 MiB, each of which becomes an object. */
const MAX_PARTS = 100_000;
/** Bytes of the smallest entry: its tag and its length. */
const PART_BYTES = 2;

/** A reply that may have many entries. Throws for bytes that are not a message, and for too many entries. */
export function decodedReply<T>(codec: Pick<RequestCodec<T>, 'decode' | 'partsIn'>, reply: Buffer): T {
  if (reply.length > MAX_PARTS * PART_BYTES && codec.partsIn(reply, MAX_PARTS) > MAX_PARTS)
    throw new Error(`it has more than ${MAX_PARTS.toLocaleString('en-US')} entries`);
  return codec.decode(reply);
}

/** The reply to one event. Throws for bytes that are not a message. */
export function eventReply(reply: Buffer, protocol: Protocol): unknown {
  return { status: statusWord(protocol.topicEventResponse.decode(statusBytes(reply)).status) };
}

/** The reply to a batch. Throws for bytes that are not a message. */
export function batchReply(reply: Buffer, protocol: Protocol): unknown {
  const { statuses } = protocol.topicEventBulkResponse.decode(batchBytes(reply, MAX_PARTS));
  return { statuses: statuses.map(({ entry_id, status }) => ({ entry_id, status: statusWord(status) })) };
}

/**
 * The bytes of a reply to one event.
 * @param said the reply in the form of `eventReply`; an entry of a batch may also be named `entryId`
 */
export function eventReplyBytes(said: unknown, protocol: Protocol): Buffer {
  return protocol.topicEventResponse.encode({
    status: statusNumber(isObject(said) ? said['status'] : undefined),
  });
}

/** The bytes of a reply to a batch. Entries without a name are left out. */
export function batchReplyBytes(said: unknown, protocol: Protocol): Buffer {
  const list =
    isObject(said) && Array.isArray(said['statuses']) ? (said['statuses'] as readonly unknown[]) : [];
  const statuses = list.flatMap((one) => {
    if (!isObject(one)) return [];
    const entryId = one['entry_id'] ?? one['entryId'];
    return typeof entryId === 'string' ? [{ entry_id: entryId, status: statusNumber(one['status']) }] : [];
  });
  return protocol.topicEventBulkResponse.encode({ statuses });
}

/** Whether a path of an app is one that takes several events. */
export function isBatchMethod(path: string): boolean {
  return path === APP_METHODS.onBulkTopicEvent || path === APP_METHODS.onBulkTopicEventAlpha1;
}
