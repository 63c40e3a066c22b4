/** Checks whether an object is a CloudEvents 1.0 event that a topic accepts. */
import type { JsonObject } from '../../domain/json.ts';

const REQUIRED = ['id', 'source', 'type'] as const;
const TEXTS = ['subject', 'datacontenttype', 'dataschema'] as const;
const KNOWN = new Set(['specversion', 'time', 'data', 'data_base64', ...REQUIRED, ...TEXTS]);
const TIME = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;

/** The complaint in one sentence; undefined: the event is valid. A null attribute counts as absent. */
export function cloudEventComplaint(event: JsonObject): string | undefined {
  const at = (name: string): unknown => event[name] ?? undefined;
  if (at('specversion') === undefined) return "Required property 'specversion' was not set.";
  if (at('specversion') !== '1.0') return 'Property \'specversion\' must be "1.0".';
  for (const name of REQUIRED) {
    const value = at(name);
    if (value === undefined || value === '') return `Required property '${name}' was not set.`;
    if (typeof value !== 'string') return `Property '${name}' must be a string.`;
  }
  for (const name of TEXTS) {
    const value = at(name);
    if (value !== undefined && typeof value !== 'string') return `Property '${name}' must be a string.`;
  }
  if (!isTime(at('time'))) return "Property 'time' must be an RFC 3339 time.";
  const base64 = at('data_base64');
  if (base64 !== undefined && at('data') !== undefined)
    return "Properties 'data' and 'data_base64' must not both be set.";
  if (base64 !== undefined && !isBase64(base64)) return "Property 'data_base64' must be base64 text.";
  for (const [name, value] of Object.entries(event)) {
    if (KNOWN.has(name) || value === null) continue;
    if (!/^[a-z0-9]+$/.test(name)) return `The extension attribute '${name}' must consist of a-z and 0-9.`;
    if (!['string', 'number', 'boolean'].includes(typeof value)) {
      return `The extension attribute '${name}' must be text, a number or a boolean.`;
    }
  }
  return undefined;
}

function isTime(value: unknown): boolean {
  if (value === undefined) return true;
  return typeof value === 'string' && TIME.test(value) && !Number.isNaN(Date.parse(value));
}

function isBase64(value: unknown): boolean {
  return typeof value === 'string' && value.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(value);
}
