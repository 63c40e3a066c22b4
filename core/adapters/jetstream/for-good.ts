/** Publish errors that a retry cannot fix. Others (full stream, no leader) may pass. */
import { JetStreamApiError } from '@nats-io/jetstream';
import { errors } from '@nats-io/transport-node';

/** The message or its headers are larger than the stream takes; the stream is sealed. */
const FOR_GOOD: ReadonlySet<number> = new Set([10_054, 10_097, 10_109]);

/** The client knows the limit of the server (`max_payload`) and does not send larger messages. */
export function isTooLarge(error: unknown): boolean {
  return error instanceof errors.InvalidArgumentError && error.message.includes('max_payload');
}

export function isForGoodRefusal(error: unknown): boolean {
  return isTooLarge(error) || (error instanceof JetStreamApiError && FOR_GOOD.has(error.code));
}
