/** Trace context in the binary form of gRPC metadata: version, trace id, span id and flags in 29 bytes. */
import { parseTraceparent } from './trace.ts';

const LENGTH = 29;
/** Offsets of the field numbers; the values follow them. */
const TRACE_ID = 1;
const SPAN_ID = 18;
const FLAGS = 27;

/** The bytes of a `traceparent`; undefined: the text is not a valid one. */
export function traceBinary(traceparent: string | undefined): Uint8Array | undefined {
  const parsed = parseTraceparent(traceparent);
  if (parsed === undefined) return undefined;
  const bytes = new Uint8Array(LENGTH);
  bytes.set(fromHex(parsed.traceId), TRACE_ID + 1);
  bytes[SPAN_ID] = 1;
  bytes.set(fromHex(parsed.parentId), SPAN_ID + 1);
  bytes[FLAGS] = 2;
  bytes.set(fromHex(parsed.flags), FLAGS + 1);
  return bytes;
}

/** The `traceparent` of the bytes; undefined: they do not have that form. */
export function traceparentOf(bytes: Uint8Array): string | undefined {
  const isForm = bytes.length >= LENGTH && bytes[0] === 0 && bytes[TRACE_ID] === 0 && bytes[SPAN_ID] === 1;
  if (!isForm || bytes[FLAGS] !== 2) return undefined;
  const traceId = toHex(bytes.subarray(TRACE_ID + 1, SPAN_ID));
  const spanId = toHex(bytes.subarray(SPAN_ID + 1, FLAGS));
  const flags = toHex(bytes.subarray(FLAGS + 1, LENGTH));
  const text = `00-${traceId}-${spanId}-${flags}`;
  return parseTraceparent(text) === undefined ? undefined : text;
}

function fromHex(hex: string): number[] {
  return (hex.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16));
}

function toHex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
