/** Takes secrets out of subscriptions and answer rules: values under names that stand for secrets, in headers and metadata. */
import { isObject } from '../json.ts';
import { isSecretName, MASK } from './mask.ts';

/** Members whose own members are named by people. */
const NAMED = new Set(['headers', 'metadata']);

/** A copy in which only texts under `headers` and `metadata` may differ. */
export function maskSetup<T>(items: readonly T[]): readonly T[] {
  // Texts become texts and nothing else is touched, so every item keeps its type.
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
