/** Makes an example value from a JSON Schema. It is a start for a person, and may not be valid. */
import { isObject } from '../../core/contract/is-object.ts';

/** Depth to which references and members are followed. */
const MAX_DEPTH = 12;

type Schema = Readonly<Record<string, unknown>>;

/** A value with every property that the schema names. */
export function exampleOf(schema: unknown): unknown {
  return exampleIn(schema, schema, 0);
}

function exampleIn(schema: unknown, root: unknown, depth: number): unknown {
  if (!isObject(schema) || depth > MAX_DEPTH) return null;
  if ('const' in schema) return schema['const'];
  if ('default' in schema) return schema['default'];
  const examples = schema['examples'];
  if (Array.isArray(examples) && examples.length > 0) return examples[0];
  const listed = schema['enum'];
  if (Array.isArray(listed) && listed.length > 0) return listed[0];
  const ref = schema['$ref'];
  if (typeof ref === 'string') return exampleIn(resolve(root, ref), root, depth + 1);
  for (const key of ['oneOf', 'anyOf']) {
    const choices = schema[key];
    if (Array.isArray(choices) && choices.length > 0) {
      return exampleIn({ ...schema, [key]: undefined, ...asObject(choices[0]) }, root, depth + 1);
    }
  }
  const all = schema['allOf'];
  if (Array.isArray(all)) {
    const merged = all.map((part: unknown) => exampleIn(part, root, depth + 1)).filter(isObject);
    return Object.assign({}, ...merged, asObject(byType({ ...schema, allOf: undefined }, root, depth)));
  }
  return byType(schema, root, depth);
}

function byType(schema: Schema, root: unknown, depth: number): unknown {
  const type = Array.isArray(schema['type']) ? schema['type'][0] : schema['type'];
  if (type === 'object' || isObject(schema['properties'])) {
    const properties = asObject(schema['properties']);
    return Object.fromEntries(
      Object.entries(properties).map(([name, part]) => [name, exampleIn(part, root, depth + 1)]),
    );
  }
  if (type === 'array' || 'items' in schema || 'prefixItems' in schema) {
    const first = schema['prefixItems'];
    if (Array.isArray(first)) return first.map((part: unknown) => exampleIn(part, root, depth + 1));
    return 'items' in schema ? [exampleIn(schema['items'], root, depth + 1)] : [];
  }
  if (type === 'integer' || type === 'number') return numberOf(schema, type === 'integer');
  if (type === 'boolean') return true;
  if (type === 'string') return textOf(schema);
  return null;
}

function numberOf(schema: Schema, isWhole: boolean): number {
  const { minimum, exclusiveMinimum, maximum } = schema;
  if (typeof minimum === 'number') return isWhole ? Math.ceil(minimum) : minimum;
  if (typeof exclusiveMinimum === 'number') return Math.floor(exclusiveMinimum) + 1;
  if (typeof maximum === 'number') return Math.min(1, isWhole ? Math.floor(maximum) : maximum);
  return 1;
}

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': '2026-01-02T03:04:05Z',
  date: '2026-01-02',
  time: '03:04:05Z',
  email: 'someone@example.com',
  uuid: '00000000-0000-4000-8000-000000000000',
  uri: 'https://example.com/',
  ipv4: '192.0.2.1',
  hostname: 'example.com',
};

function textOf({ format, minLength }: Schema): string {
  const text = typeof format === 'string' ? (FORMATS[format] ?? 'text') : 'text';
  return typeof minLength === 'number' ? text.padEnd(Math.min(minLength, 1000), 'x') : text;
}

function asObject(value: unknown): Schema {
  return isObject(value) ? value : {};
}

/** The part of the schema at a reference such as `#/$defs/name`. */
function resolve(root: unknown, ref: string): unknown {
  if (!ref.startsWith('#')) return undefined;
  let at: unknown = root;
  for (const part of ref.slice(1).split('/').slice(1)) {
    at = isObject(at) ? at[part.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined;
  }
  return at;
}
