/** Call of a delivery, for the rules in front of a tapped app. */
import { bytesOf } from '../../domain/codec.ts';
import type { Codec, Wire } from '../../domain/codec.ts';
import { readEvent } from '../../domain/inbound.ts';
import type { Passage, RuledCall } from '../../ports/tap.ts';
import { topicOf } from './observed-call.ts';
import type { RunningCall } from './observed-call.ts';

/** @param how passage of the call; rules see the body that a person has changed */
export function ruledCall(
  { seen, parts }: Pick<RunningCall, 'seen' | 'parts'>,
  how: Passage,
  codec: Codec,
): RuledCall {
  const wires = how.kind === 'changed' ? how.wires : undefined;
  return {
    kind: seen.isBulk ? 'bulk' : 'delivery',
    protocol: seen.protocol,
    path: seen.route.path,
    pubsubname: seen.subscription.pubsubname,
    topic: topicOf(seen),
    events: parts.map(({ event: { entryId, wire } }) =>
      ruledEvent(entryId, wires?.get(entryId) ?? wire, codec),
    ),
    body: bytesOf(seen.request.body, codec),
    headers: seen.request.headers,
  };
}

function ruledEvent(entryId: string, wire: Wire, codec: Codec): RuledCall['events'][number] {
  const read = readEvent(wire, codec);
  const text = (name: string): string | undefined =>
    read.ok && typeof read.event[name] === 'string' ? read.event[name] : undefined;
  const [id, type] = [text('id'), text('type')];
  return {
    ...(entryId === '' ? {} : { entryId }),
    ...(id === undefined ? {} : { id }),
    ...(type === undefined ? {} : { type }),
    ...(read.ok ? { event: read.event } : { wire }),
  };
}
