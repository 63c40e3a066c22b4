/** Events folded and encoded into the frames of `stream.batch`. */
import { STREAM } from '../../contract/stream-bounds.ts';
import type { ConsoleEvent } from '../../contract/console.ts';
import type { MessageRow } from '../../contract/message.ts';
import type { RpcNotification } from '../../contract/rpc.ts';
import type { NotedEvent } from '../../runtime/api.ts';

/** Folded events of a range of numbers. */
export interface FoldedBatch {
  readonly from: number;
  readonly to: number;
  readonly events: readonly ConsoleEvent[];
}

/** The text of one `stream.batch`, with the last number that it covers. */
export interface BatchFrame {
  readonly to: number;
  readonly text: string;
}

/**
 * The frames of a batch, of at most 256 KiB of events each (one event larger than that has a frame of its own). Together they
 * cover every number of the batch.
 */
export function framesOf(epoch: string, batch: FoldedBatch): readonly BatchFrame[] {
  const head = `{"jsonrpc":"2.0","method":"stream.batch","params":{"epoch":${JSON.stringify(epoch)}`;
  const frames: BatchFrame[] = [];
  let { from } = batch;
  let open: string[] = [];
  let bytes = 0;
  const close = (to: number): void => {
    frames.push({ to, text: `${head},"from":${from},"to":${to},"events":[${open.join(',')}]}}` });
    from = to + 1;
    open = [];
    bytes = 0;
  };
  for (const event of batch.events) {
    const json = JSON.stringify(event);
    const size = Buffer.byteLength(json) + 1;
    if (open.length > 0 && bytes + size > STREAM.batchBytes) close(event.sequence - 1);
    open.push(json);
    bytes += size;
  }
  close(batch.to);
  return frames;
}

/** Text of a notification. */
export function notification(method: string, params: unknown): string {
  const frame: RpcNotification = { jsonrpc: '2.0', method, params };
  return JSON.stringify(frame);
}

/** Events read and folded. */
export function readFolded(events: readonly NotedEvent[]): readonly ConsoleEvent[] {
  return foldEvents(events.map((event) => event.read()));
}

/**
 * Keeps the last change per delivery, and one `message.added` per message with its newest row. A folded event has the highest number of
 * those it replaces.
 */
function foldEvents(events: readonly ConsoleEvent[]): readonly ConsoleEvent[] {
  const kept: ConsoleEvent[] = [];
  const deliveries = new Set<string>();
  const messages = new Set<string>();
  const later = new Map<string, MessageRow['deliveries']>();
  for (let at = events.length - 1; at >= 0; at -= 1) {
    const event = events[at];
    if (event === undefined) continue;
    if (event.type === 'delivery.changed') {
      if (deliveries.has(event.deliveryId)) continue;
      deliveries.add(event.deliveryId);
      if (!messages.has(event.messageId)) {
        later.set(event.messageId, [...(later.get(event.messageId) ?? []), event.delivery]);
      }
      kept.push(event);
    } else if (event.type === 'message.added') {
      const { messageId } = event.row;
      if (messages.has(messageId)) continue;
      messages.add(messageId);
      const changes = later.get(messageId);
      kept.push(
        changes === undefined ? event : { ...event, row: withDeliveries(event.row, changes.toReversed()) },
      );
    } else kept.push(event);
  }
  return kept.toReversed();
}

/** The row with these deliveries added, or replaced by their newer form. */
export function withDeliveries(row: MessageRow, changed: MessageRow['deliveries']): MessageRow {
  const byId = new Map(row.deliveries.map((delivery) => [delivery.deliveryId, delivery]));
  for (const delivery of changed) byId.set(delivery.deliveryId, delivery);
  return { ...row, deliveries: [...byId.values()] };
}
