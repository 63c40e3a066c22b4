/** Creates the envelope of a publish from its request and this process's clock and ids. */
import type { Mutable } from '../../contract/mutable.ts';
import { wrap } from '../../domain/envelope.ts';
import { refusalOf } from '../../domain/refusal.ts';
import { continueTrace } from '../../domain/trace.ts';
import type { PublishInput, Wrapped } from '../../domain/publish-input.ts';
import type { PublishRequest } from '../api.ts';
import type { SharedServices } from '../common-services.ts';

/**
 * Creates the envelope. Throws Refusal if that is not possible.
 * @param id id of the event, if the publisher gives none
 * @param nowMs when it was published
 */
export function wrapRequest(
  shared: SharedServices,
  request: Omit<PublishRequest, 'source'>,
  id: string = shared.ids.uuid(),
  nowMs: number = shared.clock.now(),
): Wrapped {
  const { ids, profile, codec, settings } = shared;
  const { appId, pubsubname, topic, body, metadata, contentType, misplacedTtl } = request;
  // Every publish passes here, so the object is built without a spread for each optional member.
  const input: Mutable<PublishInput> =
    contentType === undefined
      ? { pubsubname, topic, body, metadata }
      : { pubsubname, topic, body, metadata, contentType };
  if (misplacedTtl !== undefined) input.misplacedTtl = misplacedTtl;
  const trace = continueTrace(request, (n) => ids.hex(n));
  const result = wrap(input, {
    id,
    nowMs,
    appId,
    profile,
    codec,
    defaultTtlSeconds: settings.current['delivery.defaultTtlSeconds'],
    traceId: trace.traceId,
    traceparent: trace.traceparent,
    tracestate: trace.tracestate,
  });
  if (!result.ok) {
    throw refusalOf(result.complaint, { appId, pubsubname, topic });
  }
  return result.value;
}
