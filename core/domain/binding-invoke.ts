/**
 * Rules for invoking an output binding: the request's body and its refusals; and which sides of a binding are
 * on. Behaviour 8.1, 8.2.
 */
import { textOf } from './codec.ts';
import type { Codec, Wire } from './codec.ts';
import { memberInAnyCase } from '../contract/member-in-any-case.ts';
import { isObject } from './json.ts';
import { memberTexts } from './json-parts.ts';
import { found } from './members.ts';
import { no, ok } from './result.ts';
import type { Complaint, Result } from './result.ts';
import { readJsonBody } from './json-body.ts';
import type { BodyRules } from './json-body.ts';

/** Time for which the sender of a binding's event waits for the app; then it decides itself whether to send it again. */
export const SENDER_WAITS_MS = 25_000;

export interface BindingInvoke {
  readonly operation: string;
  /** JSON text of `data`, as it was written; `null` if it is absent. */
  readonly data: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/**
 * Reads the body of an invoke. Complaints: ERR_MALFORMED_REQUEST (not the right JSON),
 * ERR_INVOKE_OUTPUT_BINDING (no operation; checked before the name).
 */
export function readInvoke(name: string, body: Wire, codec: Codec, rules: BodyRules): Result<BindingInvoke> {
  const first = readJsonBody(textOf(body, codec), rules);
  if (typeof first === 'string') return no(malformed(first));
  if (!isObject(first.value ?? {}))
    return no(malformed(`the body must be an object, found ${found(first.value)}`));
  const members = isObject(first.value) ? first.value : {};
  const value = (member: string): unknown => memberInAnyCase(members, member)?.value ?? undefined;
  const operation = value('operation') ?? '';
  if (typeof operation !== 'string')
    return no(malformed(`operation must be a string, found ${found(operation)}`));
  const given = value('metadata') ?? {};
  if (!isObject(given)) return no(malformed(`metadata must be an object, found ${found(given)}`));
  const metadata: Record<string, string> = {};
  for (const [key, one] of Object.entries(given)) {
    if (typeof one !== 'string')
      return no(malformed(`metadata.${key} must be a string, found ${found(one)}`));
    metadata[key] = one;
  }
  if (operation === '') return no(notInvoked(name, 'operation field is missing from request'));
  const dataName = memberInAnyCase(members, 'data')?.name;
  const data = dataName === undefined ? 'null' : (memberTexts(first.text).get(dataName) ?? 'null');
  return ok({ operation, data, metadata });
}

/** Complaint that no binding of this name has an output side. */
export function unknownBinding(name: string): Complaint {
  return notInvoked(name, `couldn't find output binding ${name}`);
}

/** Complaint that a binding does not support an operation; undefined: it does. */
export function unsupportedOperation(
  name: string,
  operation: string,
  operations: readonly string[],
): Complaint | undefined {
  if (operations.includes(operation)) return undefined;
  const reason = `binding ${name} does not support operation ${operation}. supported operations:${operations.join(' ')}`;
  return notInvoked(name, reason);
}

/** Complaint that the component failed, with the reason. */
export function notInvoked(name: string, reason: string): Complaint {
  return { code: 'ERR_INVOKE_OUTPUT_BINDING', reason, params: { name, reason } };
}

export interface BindingSides {
  readonly input: boolean;
  readonly output: boolean;
  /** True if `direction` was given. The app is then not asked whether it wants the input. */
  readonly explicit: boolean;
  /** Words that are neither `input` nor `output`; they are ignored, with a warning. */
  readonly unknown: readonly string[];
}

/**
 * Reads the setting `direction` (its name matches in any letter case); absent: both sides. Allowed: `input`,
 * `output`, `input, output`.
 */
export function readSides(metadata: Readonly<Record<string, string>>): BindingSides {
  const value = memberInAnyCase(metadata, 'direction')?.value;
  if (typeof value !== 'string' || value.trim() === '')
    return { input: true, output: true, explicit: false, unknown: [] };
  const words = value.split(',').map((word) => word.trim().toLowerCase());
  return {
    input: words.includes('input'),
    output: words.includes('output'),
    explicit: true,
    unknown: words.filter((word) => word !== 'input' && word !== 'output'),
  };
}

function malformed(reason: string): Complaint {
  return { code: 'ERR_MALFORMED_REQUEST', reason, params: { reason } };
}
