/** The trace context a call to the app carries: the event's own trace with a new span (behaviour 5.1). */
import { textOf } from '../../domain/codec.ts';
import type { Wire } from '../../domain/codec.ts';
import { readEvent } from '../../domain/inbound.ts';
import { continueTrace, traceOfEvent, traceOfMetadata } from '../../domain/trace.ts';
import type { TraceContext, TraceMembers } from '../../domain/trace.ts';
import type { LiveDelivery } from '../state/live.ts';
import type { SharedServices } from '../common-services.ts';

/** Trace members as our envelopes end with them. Only plain strings come before the last brace, so they are the event's own. */
const TAIL =
  /"traceid":"[^"\\]*","traceparent":"([^"\\]*)","tracestate":"([^"\\]*)","type":"(?:[^"\\]|\\.)*"\}$/y;
/** A tracestate has at most 512 characters; the rest is room for the other members. */
const TAIL_LENGTH = 1200;

/**
 * Trace of a call for one message; undefined: raw bytes without a trace, and none from the component.
 * @param handed metadata of the component: fills members that the event lacks
 */
export function traceOfCall(
  { message }: Pick<LiveDelivery, 'message'>,
  wire: Wire,
  handed: Readonly<Record<string, string>>,
  shared: SharedServices,
): TraceContext | undefined {
  const { row } = message;
  const given = traceOfMetadata(handed);
  if (row.traceId === undefined && row.raw && given.traceparent === undefined) return undefined;
  return traceOfWire(wire, given, shared);
}

/**
 * Reads the trace from the end of the text if it has the usual form, because every delivery passes here; otherwise from the whole event.
 */
function traceOfWire(wire: Wire, given: TraceMembers, shared: SharedServices): TraceContext {
  const hex = (bytes: number): string => shared.ids.hex(bytes);
  const text = textOf(wire, shared.codec);
  const tail = text.slice(-TAIL_LENGTH);
  TAIL.lastIndex = Math.max(0, tail.lastIndexOf('"traceid":"'));
  const found = TAIL.exec(tail);
  if (found !== null) return continueTrace({ traceparent: found[1], tracestate: found[2] }, hex);
  const read = readEvent(wire, shared.codec);
  const event: Readonly<Record<string, unknown>> = read.ok ? read.event : {};
  const saysNone = [event['traceparent'], event['traceid']].every(
    (one) => typeof one !== 'string' || one === '',
  );
  return traceOfEvent(saysNone ? { ...event, ...given } : event, hex);
}
