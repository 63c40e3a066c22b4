/**
 * Removes secrets from subscriptions and answer rules: values in headers and metadata whose names stand for
 * secrets.
 */
import { isObject } from '../json.ts';
import { isSecretName, MASK } from './mask.ts';

/** Members with names that people choose. */
const NAMED = new Set(['headers', 'metadata']);

/** A masked copy. Only texts under `headers` and `metadata` may differ. */
export function maskSetup<T>(items: readonly T[]): readonly T[] {
  // Only texts are replaced, by texts, so every item keeps its type.
  return items.map((item) => maskIn(item) as T);
}

function maskIn(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items: unknown[] = value;
    return items.map(maskIn);
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      NAMED.has(name) && isObject(member) ? maskNamed(member) : maskIn(member),
    ]),
  );
}

function maskNamed(values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' && isSecretName(name) ? MASK : value,
    ]),
  );
}
