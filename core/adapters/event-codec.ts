/** Implements ports/event-codec.ts with the cloudevents library. It checks whole events, never messages in transit. */
import { CloudEvent, ValidationError } from 'cloudevents';

import { isObject } from '../domain/json.ts';
import type { JsonObject } from '../domain/json.ts';
import type { CodecComplaint, EventCodec } from '../ports/event-codec.ts';

const REQUIRED = ['id', 'source', 'specversion', 'type'] as const;
const DEFINED = new Set<string>([
  ...REQUIRED,
  'datacontenttype',
  'dataschema',
  'subject',
  'time',
  'data',
  'data_base64',
]);
const ATTRIBUTE_NAME = /^[a-z0-9]+$/;

/**
 * Checks structured CloudEvents 1.0. The library alone would invent an empty `id`, and accept `specversion` 0.3 and any extension value.
 * These three are checked here first; then the library checks the rest.
 */
export function createEventCodec(): EventCodec {
  return {
    complaints(event) {
      if (!isObject(event)) return [{ message: 'The event is not a JSON object.' }];
      const own = [...missingOnes(event), ...wrongOnes(event)];
      const known = new Set(own.map(({ field }) => field));
      return [...own, ...libraryComplaints(event, known)];
    },
  };
}

function missingOnes(event: JsonObject): CodecComplaint[] {
  return REQUIRED.filter((name) => isAbsent(event[name]) || event[name] === '').map((field) => ({
    field,
    message: `Missing: ${field}`,
  }));
}

function wrongOnes(event: JsonObject): CodecComplaint[] {
  const complaints: CodecComplaint[] = [];
  for (const [field, value] of Object.entries(event)) {
    if (isAbsent(value)) continue;
    if (field === 'specversion' && value !== '1.0' && value !== '') {
      complaints.push({ field, message: 'specversion must be "1.0".' });
    } else if (field === 'data_base64') {
      if (typeof value !== 'string' || !isBase64(value)) {
        complaints.push({ field, message: 'data_base64 must be base64 text.' });
      } else if (!isAbsent(event['data'])) {
        complaints.push({ field, message: 'The event has both data and data_base64; only one is allowed.' });
      }
    } else if (DEFINED.has(field)) continue;
    else if (!ATTRIBUTE_NAME.test(field)) {
      complaints.push({ field, message: `The name "${field}" may only have a to z and 0 to 9.` });
    } else if (typeof value !== 'string' && typeof value !== 'boolean' && !Number.isInteger(value)) {
      complaints.push({ field, message: `${field} must be a string, a boolean or an integer.` });
    }
  }
  return complaints;
}

/** Calls the library again without the attribute it named, because it stops at its first complaint. */
function libraryComplaints(event: JsonObject, known: ReadonlySet<string | undefined>): CodecComplaint[] {
  const rest: Record<string, unknown> = { id: 'x', source: 'x', type: 'x', specversion: '1.0' };
  for (const [name, value] of Object.entries(event)) {
    const isPayload = name === 'data' || name === 'data_base64';
    if (!isPayload && !known.has(name) && !isAbsent(value)) rest[name] = value;
  }
  const complaints: CodecComplaint[] = [];
  for (let round = 0; round <= DEFINED.size; round++) {
    const complaint = firstComplaint(rest);
    if (complaint === undefined) return complaints;
    complaints.push(complaint);
    if (complaint.field === undefined) return complaints;
    if (isRequired(complaint.field)) rest[complaint.field] = complaint.field === 'specversion' ? '1.0' : 'x';
    else delete rest[complaint.field];
  }
  return complaints;
}

function firstComplaint(attributes: JsonObject): CodecComplaint | undefined {
  try {
    new CloudEvent(attributes, true).validate();
    return undefined;
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    return complaintOf(error);
  }
}

function complaintOf(error: ValidationError): CodecComplaint {
  const first: unknown = Array.isArray(error.errors) ? error.errors[0] : undefined;
  if (!isObject(first) || typeof first['message'] !== 'string') {
    return { message: error.message.split('\n', 1)[0] ?? error.message };
  }
  const path = typeof first['instancePath'] === 'string' ? first['instancePath'].slice(1) : '';
  return path === ''
    ? { message: first['message'] }
    : { field: path, message: `${path} ${first['message']}.` };
}

function isBase64(text: string): boolean {
  return Buffer.from(text, 'base64').toString('base64') === text;
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

function isRequired(name: string): boolean {
  return REQUIRED.some((required) => required === name);
}
