/** Takes secrets out of what is exported: headers and metadata by name, parts of the data by path. */
import type { Attempt, RecordedBody } from '../../contract/message.ts';
import { textOf } from '../codec.ts';
import type { Codec, Wire } from '../codec.ts';
import { isObject, tryParse } from '../json.ts';
import type { RecordedDelivery, RecordedMessage } from './recorded.ts';

export const MASK = '***';

/** Names of headers and metadata whose values are nobody else's business. */
const SECRET_NAME =
  /authori[sz]ation|cookie|token|secret|passw|credential|signature|(?:api|access|sas|subscription|functions?|account|shared|private|auth)[-_]?key/i;
const SECRET_QUERY = /([?&](?:code|sig|signature|[\w-]*token|[\w-]*key|secret|password)=)[^&#]*/gi;

export interface Masking {
  readonly headers: boolean;
  readonly paths: readonly MaskPath[];
}

/** Steps through data; `*` is every member or element. */
export type MaskPath = readonly string[];

export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** `card.number`, `items[0].price`, `items.*.price`, also with `data.` in front as in filters. Undefined: no path. */
export function maskPathOf(text: string): MaskPath | undefined {
  const steps = text
    .replaceAll(/\[(\d+|\*)\]/g, '.$1')
    .split('.')
    .map((step) => step.trim());
  const path = steps[0] === 'data' && steps.length > 1 ? steps.slice(1) : steps;
  return path.every((step) => step !== '') ? path : undefined;
}

/** The message without its secrets. What cannot be read although paths are to be masked in it goes as a whole. */
export function maskMessage(recorded: RecordedMessage, masking: Masking, codec: Codec): RecordedMessage {
  const { message, deliveries } = recorded;
  const { row, wire, metadata } = message;
  return {
    message: {
      ...message,
      wire: maskWire(wire, row.raw, masking, codec),
      metadata: masking.headers ? maskValues(metadata) : metadata,
    },
    deliveries: deliveries.map((each) => maskDelivery(each, row.raw, masking, codec)),
  };
}

function maskDelivery(
  { delivery, attempts, transitions }: RecordedDelivery,
  raw: boolean,
  masking: Masking,
  codec: Codec,
): RecordedDelivery {
  const { changedWire } = delivery;
  return {
    delivery:
      changedWire === undefined
        ? delivery
        : { ...delivery, changedWire: maskWire(changedWire, raw, masking, codec) },
    attempts: attempts.map((attempt) => maskAttempt(attempt, raw, masking)),
    transitions,
  };
}

function maskAttempt(attempt: Attempt, raw: boolean, { headers, paths }: Masking): Attempt {
  const { request, response } = attempt;
  const shown: Attempt = {
    ...attempt,
    request: { ...request, ...(paths.length === 0 ? {} : maskBody(attempt, raw, paths)) },
  };
  if (!headers) return shown;
  return {
    ...shown,
    request: {
      ...shown.request,
      url: request.url.replaceAll(SECRET_QUERY, `$1${MASK}`),
      headers: maskValues(request.headers),
    },
    ...(response === undefined ? {} : { response: { ...response, headers: maskValues(response.headers) } }),
  };
}

function maskValues(values: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, isSecretName(name) ? MASK : value]),
  );
}

function maskWire(wire: Wire, raw: boolean, { paths }: Masking, codec: Codec): Wire {
  if (paths.length === 0) return wire;
  const parsed = tryParse(textOf(wire, codec));
  // A payload that is no JSON has no members, so no path leads into it.
  if (parsed === undefined) return wire;
  const masked = raw ? maskValue(parsed.value, paths) : maskEvent(parsed.value, paths);
  return masked === parsed.value ? wire : JSON.stringify(masked);
}

/** The body of a call: an event, the entries of a batch, or a payload. */
function maskBody({ request, bulk }: Attempt, raw: boolean, paths: readonly MaskPath[]): RecordedBody {
  const { body, bodyTruncated, bodyBase64 } = request;
  if (bodyBase64 === true) return { body };
  const parsed = tryParse(body);
  if (parsed === undefined) return bodyTruncated === true ? { body: MASK } : { body };
  if (bulk !== undefined) {
    const masked = maskEntries(parsed.value, paths);
    return masked === parsed.value ? { body } : { body: JSON.stringify(masked) };
  }
  const masked = raw ? maskValue(parsed.value, paths) : maskEvent(parsed.value, paths);
  return masked === parsed.value ? { body } : { body: JSON.stringify(masked) };
}

function maskEntries(value: unknown, paths: readonly MaskPath[]): unknown {
  if (!isObject(value) || !Array.isArray(value['entries'])) return value;
  const entries: unknown[] = value['entries'];
  return {
    ...value,
    entries: entries.map((entry) =>
      isObject(entry)
        ? { ...entry, event: isObject(entry['event']) ? maskEvent(entry['event'], paths) : MASK }
        : entry,
    ),
  };
}

/** An envelope: the paths begin in its data. Data as bytes cannot be looked into. */
function maskEvent(value: unknown, paths: readonly MaskPath[]): unknown {
  if (!isObject(value)) return value;
  if ('data_base64' in value) return { ...value, data_base64: MASK };
  const data = maskValue(value['data'], paths);
  return data === value['data'] ? value : { ...value, data };
}

/** The same value when no path led anywhere. */
function maskValue(value: unknown, paths: readonly MaskPath[]): unknown {
  return paths.reduce(maskAt, value);
}

function maskAt(value: unknown, [step, ...rest]: MaskPath): unknown {
  if (step === undefined) return MASK;
  if (Array.isArray(value)) {
    const items: unknown[] = value;
    const masked = items.map((item, index) =>
      step === '*' || step === String(index) ? maskAt(item, rest) : item,
    );
    return masked.every((item, index) => item === items[index]) ? value : masked;
  }
  if (!isObject(value)) return value;
  const names = step === '*' ? Object.keys(value) : Object.hasOwn(value, step) ? [step] : [];
  const masked = names.map((name): [string, unknown] => [name, maskAt(value[name], rest)]);
  if (masked.every(([name, member]) => member === value[name])) return value;
  return Object.fromEntries([...Object.entries(value), ...masked]);
}
