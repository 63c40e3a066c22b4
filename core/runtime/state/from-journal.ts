/** Turns journal records into live messages: at a restart, and when a person acts on an ended message. */
import { bytesIn } from '../../domain/codec.ts';
import type { Codec } from '../../domain/codec.ts';
import type { Unfinished } from '../../ports/journal.ts';
import { liveMessage, restoredDelivery } from './live-state.ts';
import { countedAs } from './live.ts';
import type { LiveMessage } from './live.ts';

/** Creates a live message with its deliveries in their recorded states. Sets no timers and queues nothing. */
export function liveFrom({ message: stored, published, deliveries }: Unfinished, codec: Codec): LiveMessage {
  const row = { ...stored.row, deliveries: [] };
  const { wire, metadata, givenContentType, releasedFrom = [] } = stored;
  const message = liveMessage(row, wire, metadata, givenContentType, releasedFrom);
  if (published) message.notePublished();
  for (const one of deliveries) {
    const { changedWire } = one.delivery;
    const changedBytes = changedWire === undefined ? 0 : bytesIn(changedWire, codec);
    message.addDelivery(restoredDelivery(message, countedAs(row.topic, one.delivery), one, changedBytes));
  }
  return message;
}
