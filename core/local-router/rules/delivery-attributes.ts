/** Headers that a subscription adds to its deliveries: checks their mappings, and makes their values safe. */
import { isHeaderName, isHeaderValue } from '../../contract/header-field.ts';
import type { DeliveryAttributeMapping } from '../../contract/event-router/wire.ts';
import { isObject } from '../../domain/json.ts';
import { no, ok } from '../../domain/result.ts';
import type { Result } from '../../domain/result.ts';
import { fieldOf } from './event-field.ts';

const MAX = 10;
const MAX_BYTES = 4096;
const MAX_NAME_LENGTH = 128;
const FORBIDDEN = [
  'host',
  'content-length',
  'content-type',
  'transfer-encoding',
  'connection',
  'webhook-request-origin',
];

/**
 * Reads the mappings.
 * @param secured a token is sent, so `Authorization` is not available
 */
export function readAttributeMappings(
  given: unknown,
  secured: boolean,
): Result<readonly DeliveryAttributeMapping[], string> {
  const field = 'deliveryAttributeMappings';
  if (!Array.isArray(given)) return no(`${field} must be an array.`);
  if (given.length > MAX) return no(`${field} may have at most ${MAX} entries.`);
  const read: DeliveryAttributeMapping[] = [];
  for (const [index, entry] of given.entries()) {
    const mapping = readMapping(entry, secured);
    if (typeof mapping === 'string') return no(`${field}[${index}] ${mapping}.`);
    read.push(mapping);
  }
  return ok(read);
}

/**
 * Header values for one event.
 * @returns headers, and a warning for each that was left out
 */
export function attributeHeaders(
  mappings: readonly DeliveryAttributeMapping[],
  event: Readonly<Record<string, unknown>>,
): { readonly headers: Readonly<Record<string, string>>; readonly warnings: readonly string[] } {
  const headers: Record<string, string> = {};
  const warnings: string[] = [];
  for (const mapping of mappings) {
    const value =
      mapping.type === 'Static'
        ? mapping.properties.value
        : textOf(fieldOf(event, mapping.properties.sourceField));
    if (value === undefined) continue;
    if (isAddedValue(value)) headers[mapping.name.toLowerCase()] = value;
    else warnings.push(`The delivery attribute ${mapping.name} was left out: its value cannot be a header.`);
  }
  return { headers, warnings };
}

/** Whether a text can be the value of an added header: printable, one line, not too long. */
function isAddedValue(value: string): boolean {
  return value.length <= MAX_BYTES && isHeaderValue(value);
}

function readMapping(entry: unknown, secured: boolean): DeliveryAttributeMapping | string {
  if (!isObject(entry) || !isObject(entry['properties'])) return 'must be an object with properties';
  const { name, type, properties } = entry;
  if (typeof name !== 'string' || !isHeaderName(name) || name.length > MAX_NAME_LENGTH)
    return 'has a name that is not a valid header name';
  const lower = name.toLowerCase();
  if (lower.startsWith('aeg-') || FORBIDDEN.includes(lower)) return `may not set the header ${name}`;
  if (lower === 'authorization' && secured)
    return 'may not set Authorization when a tenant and application are set';
  if (type === 'Static') {
    const { value } = properties;
    if (typeof value !== 'string' || !isAddedValue(value))
      return 'needs a value of at most 4096 printable characters';
    const isSecret = properties['isSecret'] === true;
    return { name, type, properties: { value, isSecret } };
  }
  if (type === 'Dynamic') {
    const { sourceField } = properties;
    if (typeof sourceField !== 'string' || sourceField === '') return 'needs a sourceField';
    return { name, type, properties: { sourceField } };
  }
  return 'must be of type Static or Dynamic';
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return undefined;
}
