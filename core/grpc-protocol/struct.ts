/** Converts JSON values to protocol buffers and back. */
import type { Struct, StructValue } from './messages.ts';

/** Members of a JSON object. Values that JSON does not have (undefined, functions) are left out. */
export function structOf(members: Readonly<Record<string, unknown>>): Struct {
  const fields: Record<string, StructValue> = {};
  for (const [name, value] of Object.entries(members)) {
    const written = valueOf(value);
    if (written !== undefined && name !== '__proto__') fields[name] = written;
  }
  return { fields };
}

function valueOf(value: unknown): StructValue | undefined {
  if (value === null) return { nullValue: 0 };
  switch (typeof value) {
    case 'string':
      return { stringValue: value };
    case 'number':
      return { numberValue: value };
    case 'boolean':
      return { boolValue: value };
    case 'object':
      return Array.isArray(value)
        ? { listValue: { values: value.flatMap((one: unknown) => valueOf(one) ?? []) } }
        : { structValue: structOf({ ...value }) };
    default:
      return undefined;
  }
}

/** The JSON object of a received struct. */
export function jsonOf(struct: Struct | null | undefined): Record<string, unknown> {
  const entries = Object.entries(struct?.fields ?? {});
  return Object.fromEntries(entries.map(([name, value]) => [name, jsonValue(value)]));
}

function jsonValue(value: StructValue): unknown {
  // Only the member that was sent is enumerable; the others read as zero values.
  const [sent] = Object.entries(value);
  if (sent === undefined || sent[0] === 'nullValue') return null;
  if ('structValue' in value && sent[0] === 'structValue') return jsonOf(value.structValue);
  if ('listValue' in value && sent[0] === 'listValue') return value.listValue.values.map(jsonValue);
  return sent[1];
}
