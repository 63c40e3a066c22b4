/**
 * Reads the event of a message for gRPC apps and streams. A large one is read once for the attempts that follow each other: it may go to a
 * thousand streams, and an app that fails gets it again and again.
 */
import type { Codec, Wire } from '../../domain/codec.ts';
import type { Result } from '../../domain/result.ts';
import { batchedEvent } from '../../domain/topic-event.ts';
import type { BatchedEvent } from '../../domain/topic-event.ts';
import type { LiveMessage } from '../state/live.ts';

/** Characters or bytes from which on an event counts as large. */
const LARGE = 16 * 1024;

interface ReadEvent {
  readonly wire: Wire;
  readonly event: Result<BatchedEvent, string>;
}

/** The last large event, as long as its message is in memory. */
let last = new WeakMap<LiveMessage, ReadEvent>();

/** The event in these bytes of a message; the complaint says why they are none that a gRPC app can get. */
export function readEventOf(message: LiveMessage, wire: Wire, codec: Codec): Result<BatchedEvent, string> {
  if (wire.length < LARGE) return batchedEvent(wire, codec);
  const known = last.get(message);
  if (known?.wire === wire) return known.event;
  const event = batchedEvent(wire, codec);
  last = new WeakMap([[message, { wire, event }]]);
  return event;
}
