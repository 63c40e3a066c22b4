/** Looks at what a method gave: whether it is what the method's declaration says. */
import { METHODS } from '../../core/contract/console.ts';
import type { Method } from '../../core/contract/console.ts';
import type { TSchema } from '../../core/contract/schema.ts';
import { complaintOf } from '../../core/domain/shape-complaint.ts';

/** Throws Error where a result, as a client got it, is not what the method declares. */
export function mustBeDeclared(method: Method, result: unknown): void {
  const difference = differenceFrom(METHODS[method].result, result);
  if (difference !== undefined) throw new Error(`${method} gave what it does not declare: ${difference}`);
}

/** The first difference in a sentence: a member that is missing, not declared, or not of its type; undefined: there is none. */
export function differenceFrom(shape: TSchema, value: unknown): string | undefined {
  return complaintOf(shape, value)?.reason;
}
