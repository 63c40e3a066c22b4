/** Formats rows of messages for tools that list them. */
import type { DeliveryRow, MessageRow } from '../contract/message.ts';
import { withoutUndefined } from '../contract/without-undefined.ts';
import { worstState } from '../domain/facet.ts';
import type { Rpc } from '../scenario/rpc.ts';

/** Default and largest number of rows of a tool. */
export const USUAL_ROWS = 20;
export const MAX_ROWS = 100;

/** Rows with the beginning of their payloads. */
export async function rowsWithPayload(rpc: Rpc, rows: readonly MessageRow[]): Promise<readonly object[]> {
  if (rows.length === 0) return [];
  const numbers = rows.map(({ number }) => number);
  const { items } = await rpc.call('messages.values', { numbers, paths: [], preview: true });
  const previews = new Map(items.map(({ number, preview }) => [number, preview]));
  return rows.map((row) => shortRow(row, previews.get(row.number)));
}

function shortRow(row: MessageRow, payload?: string): object {
  const { messageId, number, at, pubsubname, topic, source, eventType, sizeBytes, stage, replayOf, flags } =
    row;
  return {
    messageId,
    number,
    at,
    state: worstState(row),
    pubsubname,
    topic,
    source,
    ...withoutUndefined({ eventType, stage, replayOf, flags }),
    sizeBytes,
    ...withoutUndefined({ payload }),
    deliveries: row.deliveries.slice(0, USUAL_ROWS).map(shortDelivery),
    ...withoutUndefined({
      moreDeliveries: row.deliveries.length > USUAL_ROWS ? row.deliveries.length - USUAL_ROWS : undefined,
    }),
  };
}

function shortDelivery({
  deliveryId,
  appId,
  state,
  attempts,
  route,
  nextAttemptAt,
  lastAnswer,
  heldAt,
}: DeliveryRow): object {
  return {
    deliveryId,
    appId,
    state,
    attempts,
    ...withoutUndefined({ route, nextAttemptAt, lastAnswer, heldAt }),
  };
}
