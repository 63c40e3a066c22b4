/** The envelope of a publish, made of its request and of what this process knows. */
import { wrap } from '../../domain/envelope.ts';
import { refusalOf } from '../../domain/refusal.ts';
import { continueTrace } from '../../domain/trace.ts';
import type { Wrapped } from '../../domain/wrapped.ts';
import type { PublishRequest } from '../api.ts';
import type { Shared } from '../common.ts';

/** Throws Refusal when no envelope can be made of it. @param id of the event, where the publisher gives none */
export function wrapRequest(
  shared: Shared,
  request: Omit<PublishRequest, 'source'>,
  id: string = shared.ids.uuid(),
): Wrapped {
  const { clock, ids, profile, codec, settings } = shared;
  const result = wrap(
    {
      pubsubname: request.pubsubname,
      topic: request.topic,
      body: request.body,
      metadata: request.metadata,
      ...(request.contentType === undefined ? {} : { contentType: request.contentType }),
    },
    {
      id,
      nowMs: clock.now(),
      appId: request.appId,
      profile,
      codec,
      defaultTtlSeconds: settings.current['delivery.defaultTtlSeconds'],
      ...continueTrace({ traceparent: request.traceparent, tracestate: request.tracestate }, (n) =>
        ids.hex(n),
      ),
    },
  );
  if (!result.ok) {
    const { appId, pubsubname, topic } = request;
    throw refusalOf(result.complaint, { appId, pubsubname, topic });
  }
  return result.value;
}
