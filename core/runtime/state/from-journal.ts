/** Journal records back to live messages: at a restart, and when a person acts on something that has ended. */
import { bytesIn } from '../../domain/codec.ts';
import type { Codec } from '../../domain/codec.ts';
import type { Unfinished } from '../../ports/journal.ts';
import { liveMessage, restoredDelivery } from './live-state.ts';
import { countedAs } from './live.ts';
import type { LiveMessage } from './live.ts';

/** A live message with its deliveries as they stood. Nothing is armed or queued. */
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
