/** Events folded and encoded into the frames of `stream.batch`. */
import { STREAM } from '../../contract/console.ts';
import type { ConsoleEvent } from '../../contract/console.ts';
import type { MessageRow } from '../../contract/message.ts';
import type { RpcNotification } from '../../contract/rpc.ts';

/** One event of a batch with its JSON, so that it is encoded once however many clients get it. */
export interface PackedEvent {
  readonly event: ConsoleEvent;
  readonly json: string;
}

export interface PackedBatch {
  readonly from: number;
  readonly to: number;
  readonly events: readonly PackedEvent[];
}

/**
 * Folds events and cuts them into batches of at most 256 KiB (one event larger than that is a batch of its own).
 * @param events in the order of their numbers, without a gap
 * @param from number of the first; the batches together cover `from` to `to`
 */
export function packEvents(
  events: readonly ConsoleEvent[],
  from: number,
  to: number,
): readonly PackedBatch[] {
  const batches: PackedBatch[] = [];
  let start = from;
  let open: PackedEvent[] = [];
  let bytes = 0;
  for (const event of foldEvents(events)) {
    const json = JSON.stringify(event);
    const size = Buffer.byteLength(json) + 1;
    if (open.length > 0 && bytes + size > STREAM.batchBytes) {
      batches.push({ from: start, to: event.sequence - 1, events: open });
      start = event.sequence;
      open = [];
      bytes = 0;
    }
    open.push({ event, json });
    bytes += size;
  }
  batches.push({ from: start, to, events: open });
  return batches;
}

/** The frame of a batch; `shown` picks the events that this client gets, `from..to` covers every number all the same. */
export function batchFrame(
  epoch: string,
  batch: PackedBatch,
  shown?: (event: ConsoleEvent) => boolean,
): string {
  const events = shown === undefined ? batch.events : batch.events.filter(({ event }) => shown(event));
  const list = events.map(({ json }) => json).join(',');
  const head = `{"jsonrpc":"2.0","method":"stream.batch","params":{"epoch":${JSON.stringify(epoch)}`;
  return `${head},"from":${batch.from},"to":${batch.to},"events":[${list}]}}`;
}

/** Text of a notification. */
export function notification(method: string, params: unknown): string {
  const frame: RpcNotification = { jsonrpc: '2.0', method, params };
  return JSON.stringify(frame);
}

/**
 * The last change per delivery, and one `message.added` per message with its newest row. A folded event has the highest number that it
 * stands for.
 */
export function foldEvents(events: readonly ConsoleEvent[]): readonly ConsoleEvent[] {
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

/** The row with these deliveries put in place of their older form, or added. */
export function withDeliveries(row: MessageRow, changed: MessageRow['deliveries']): MessageRow {
  const byId = new Map(row.deliveries.map((delivery) => [delivery.deliveryId, delivery]));
  for (const delivery of changed) byId.set(delivery.deliveryId, delivery);
  return { ...row, deliveries: [...byId.values()] };
}
