/** Removes secrets from an export: headers and metadata by name, parts of the data by path. */
import type { Attempt, RecordedBody } from '../../contract/message.ts';
import { textOf } from '../codec.ts';
import type { Codec, Wire } from '../codec.ts';
import { tryParse } from '../json.ts';
import { withParts } from '../json-parts.ts';
import { redactUrl } from '../redact.ts';
import type { RecordedDelivery, RecordedMessage } from './recorded.ts';

export const MASK = '***';

/** Names of headers and metadata whose values are secret. */
const SECRET_NAME =
  /authori[sz]ation|cookie|token|secret|passw|credential|signature|(?:api|access|sas|subscription|functions?|account|shared|private|auth)[-_]?key/i;

export interface Masking {
  readonly headers: boolean;
  readonly paths: readonly MaskPath[];
}

/** Steps through data; `*` stands for every member or element. */
export type MaskPath = readonly string[];

export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/**
 * Reads a path: `card.number`, `items[0].price`, `items.*.price`, also with `data.` in front as in filters.
 * Undefined: the text is no path.
 */
export function maskPathOf(text: string): MaskPath | undefined {
  const steps = text
    .replaceAll(/\[(\d+|\*)\]/g, '.$1')
    .split('.')
    .map((step) => step.trim());
  const path = steps[0] === 'data' && steps.length > 1 ? steps.slice(1) : steps;
  return path.every((step) => step !== '') ? path : undefined;
}

/**
 * The message without its secrets. A part in which paths are to be masked, but which cannot be read, is
 * masked whole.
 */
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
  const { request, response, instead } = attempt;
  const shown: Attempt = {
    ...attempt,
    request: { ...request, ...(paths.length === 0 ? {} : maskBody(attempt, raw, paths)) },
  };
  if (!headers) return shown;
  return {
    ...shown,
    request: {
      ...shown.request,
      url: redactUrl(request.url),
      headers: maskValues(request.headers),
    },
    ...(response === undefined ? {} : { response: maskHeaders(response) }),
    ...(instead?.response === undefined
      ? {}
      : { instead: { ...instead, response: maskHeaders(instead.response) } }),
  };
}

function maskHeaders<R extends NonNullable<Attempt['response']>>(response: R): R {
  return { ...response, headers: maskValues(response.headers) };
}

function maskValues(values: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, isSecretName(name) ? MASK : value]),
  );
}

function maskWire(wire: Wire, raw: boolean, { paths }: Masking, codec: Codec): Wire {
  if (paths.length === 0) return wire;
  const text = textOf(wire, codec);
  const masked = isJson(text) ? maskText(text, paths, raw) : text;
  // A payload that is no JSON has no members, so no path applies to it.
  return masked === text ? wire : masked;
}

/** Masks the body of a call: an event, the entries of a batch, or a payload. */
function maskBody({ request, bulk }: Attempt, raw: boolean, paths: readonly MaskPath[]): RecordedBody {
  const { body, bodyTruncated, bodyBase64 } = request;
  if (bodyBase64 === true) return { body };
  if (!isJson(body)) return bodyTruncated === true ? { body: MASK } : { body };
  return { body: bulk === undefined ? maskText(body, paths, raw) : maskEntries(body, paths) };
}

const MASKED = JSON.stringify(MASK);

function isJson(text: string): boolean {
  return tryParse(text) !== undefined;
}

function maskText(text: string, paths: readonly MaskPath[], raw: boolean): string {
  return raw ? paths.reduce(maskAt, text) : maskEvent(text, paths);
}

function maskEntries(text: string, paths: readonly MaskPath[]): string {
  return withParts(text, (name, entries) =>
    name !== 'entries'
      ? entries
      : withParts(entries, (_, entry) =>
          withParts(entry, (member, event) => {
            if (member !== 'event') return event;
            return event.startsWith('{') ? maskEvent(event, paths) : MASKED;
          }),
        ),
  );
}

/** Masks an envelope, in whose data the paths begin. Data in bytes are masked whole. */
function maskEvent(text: string, paths: readonly MaskPath[]): string {
  return withParts(text, (name, value) => {
    if (name === 'data_base64') return MASKED;
    return name === 'data' ? paths.reduce(maskAt, value) : value;
  });
}

/** Masks what a path leads to in a JSON text; everything else stays as it was written. */
function maskAt(text: string, [step, ...rest]: MaskPath): string {
  if (step === undefined) return MASKED;
  return withParts(text, (name, value) => (step === '*' || step === name ? maskAt(value, rest) : value));
}
