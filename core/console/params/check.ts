/**
 * Checks the parameters of a call against the method's declaration; each schema is compiled when its method is called for the first time.
 */
import { Compile } from 'typebox/compile';
import type { TSchema } from 'typebox';
import { METHODS } from '../../contract/console.ts';
import type { Method, Params } from '../../contract/console.ts';
import { Refusal } from '../../domain/refusal.ts';
import { complaintOf } from '../../domain/shape-complaint.ts';

const compiled = new Map<Method, { Check(value: unknown): boolean }>();

/** Passes when `value` is what the method's declaration asks for; throws Refusal INVALID_PARAMS with field, expected and found. */
export function checkParams<M extends Method>(method: M, value: unknown): asserts value is Params<M> {
  const schema: TSchema = METHODS[method].params;
  let check = compiled.get(method);
  if (check === undefined) {
    check = Compile(schema);
    compiled.set(method, check);
  }
  if (check.Check(value)) return;
  const { field, expected, reason } = complaintOf(schema, value) ?? {
    field: '',
    expected: 'valid parameters',
    reason: `The parameters of ${method} are not valid.`,
  };
  throw new Refusal('INVALID_PARAMS', { reason }, { ...(field === '' ? {} : { field }), expected });
}

export function isMethod(name: string): name is Method {
  return Object.hasOwn(METHODS, name);
}
