/** W3C trace context: reads the incoming one, and continues it with a new span. */

export interface TraceParent {
  /** 32 hex digits, not all zero. */
  readonly traceId: string;
  /** 16 hex digits, not all zero. */
  readonly parentId: string;
  /** Two hex digits. */
  readonly flags: string;
}

export interface TraceContext {
  /** The 32 hex digits of the trace id in `traceparent`. */
  readonly traceId: string;
  readonly traceparent: string;
  readonly tracestate: string;
}

/** Makes `bytes` random bytes as lower-case hex. */
export type RandomHex = (bytes: number) => string;

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const TRACESTATE = /^[\x20-\x7e]{1,512}$/;

/** Parts of a `traceparent`; undefined: it is not valid (also for zero ids, version ff and broken forms). */
export function parseTraceparent(text: string | undefined): TraceParent | undefined {
  return (text === undefined ? undefined : plainTraceparent(text)) ?? parsed(text);
}

/** Length of a `traceparent` of version 00. */
const PLAIN_LENGTH = 55;
const ZERO = 0x30;
const DASH = 0x2d;

/** Fast check for the usual form: version 00 without blanks. Undefined: another form, or not a valid one. */
function plainTraceparent(text: string): TraceParent | undefined {
  if (text.length !== PLAIN_LENGTH || !text.startsWith('00-')) return undefined;
  if (text.charCodeAt(35) !== DASH || text.charCodeAt(52) !== DASH) return undefined;
  const isWhole = hasDigit(text, 3, 35) && hasDigit(text, 36, 52) && hasDigit(text, 53, 55) !== undefined;
  if (!isWhole) return undefined;
  return { traceId: text.slice(3, 35), parentId: text.slice(36, 52), flags: text.slice(53) };
}

/** Whether one of these hex digits is not zero; undefined: not all are hex digits. */
function hasDigit(text: string, from: number, end: number): boolean | undefined {
  let found = false;
  for (let at = from; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (!((code >= ZERO && code <= 0x39) || (code >= 0x61 && code <= 0x66))) return undefined;
    if (code !== ZERO) found = true;
  }
  return found;
}

function parsed(text: string | undefined): TraceParent | undefined {
  const match = text === undefined ? null : TRACEPARENT.exec(text.trim());
  if (match === null) return undefined;
  const [, version, traceId, parentId, flags, more] = match;
  if (version === undefined || traceId === undefined || parentId === undefined || flags === undefined)
    return undefined;
  if (version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(parentId)) return undefined;
  return { traceId, parentId, flags };
}

/**
 * Trace context of a new span. It continues the incoming trace with its state, or begins a new sampled one.
 * The new context is always valid and never zero. Behaviour 1.3.
 */
export function continueTrace(
  incoming: { readonly traceparent?: string | undefined; readonly tracestate?: string | undefined },
  hex: RandomHex,
): TraceContext {
  const parent = parseTraceparent(incoming.traceparent);
  const spanId = notZero(hex(8));
  if (parent === undefined) {
    const traceId = notZero(hex(16));
    return { traceId, traceparent: `00-${traceId}-${spanId}-01`, tracestate: '' };
  }
  const state = incoming.tracestate?.trim() ?? '';
  return {
    traceId: parent.traceId,
    traceparent: `00-${parent.traceId}-${spanId}-${parent.flags}`,
    tracestate: TRACESTATE.test(state) ? state : '',
  };
}

/** Members of an event that name its trace. */
export interface TraceMembers {
  readonly traceid?: string;
  readonly traceparent?: string;
  readonly tracestate?: string;
}

/**
 * Trace members in the metadata that a component passes on with a message; `traceparent` takes precedence
 * over `traceid`. {}: there are none.
 */
export function traceOfMetadata(metadata: Readonly<Record<string, string>>): TraceMembers {
  const traceparent = metadata['traceparent'] || metadata['traceid'];
  if (traceparent === undefined || traceparent === '') return {};
  const { tracestate } = metadata;
  return {
    traceid: traceparent,
    traceparent,
    ...(tracestate === undefined || tracestate === '' ? {} : { tracestate }),
  };
}

/**
 * Trace context for a call on behalf of an event: the event's trace with a new span. Members that are not
 * text are ignored.
 */
export function traceOfEvent(event: Readonly<Record<string, unknown>>, hex: RandomHex): TraceContext {
  const [traceparent, traceid, tracestate] = [event['traceparent'], event['traceid'], event['tracestate']];
  const incoming = typeof traceparent === 'string' && traceparent !== '' ? traceparent : traceid;
  return continueTrace(
    {
      traceparent: typeof incoming === 'string' ? incoming : undefined,
      tracestate: typeof tracestate === 'string' ? tracestate : undefined,
    },
    hex,
  );
}

function notZero(hex: string): string {
  return hasDigit(hex, 0, hex.length) === false ? `${hex.slice(0, -1)}1` : hex;
}
