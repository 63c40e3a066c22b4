/** The trace context a call to the app carries: the event's own trace with a new span (behaviour 5.1). */
import { textOf } from '../../domain/codec.ts';
import type { Wire } from '../../domain/codec.ts';
import { readEvent } from '../../domain/inbound.ts';
import { continueTrace, traceOfEvent } from '../../domain/trace.ts';
import type { TraceContext } from '../../domain/trace.ts';
import type { Shared } from '../common.ts';

/** Trace members as our envelopes end with them. Only plain strings stand before the last brace, so they are the event's own. */
const TAIL =
  /"traceid":"[^"\\]*","traceparent":"([^"\\]*)","tracestate":"([^"\\]*)","type":"(?:[^"\\]|\\.)*"\}$/y;
/** A tracestate has at most 512 characters; the rest is room for the other members. */
const TAIL_LENGTH = 1200;

/** Reads the end of the text where it has the usual form, for every delivery passes here; else the whole event. */
export function traceOfWire(wire: Wire, shared: Shared): TraceContext {
  const hex = (bytes: number): string => shared.ids.hex(bytes);
  const text = textOf(wire, shared.codec);
  const tail = text.slice(-TAIL_LENGTH);
  TAIL.lastIndex = Math.max(0, tail.lastIndexOf('"traceid":"'));
  const found = TAIL.exec(tail);
  if (found !== null) return continueTrace({ traceparent: found[1], tracestate: found[2] }, hex);
  const read = readEvent(wire, shared.codec);
  return traceOfEvent(read.ok ? read.event : {}, hex);
}
