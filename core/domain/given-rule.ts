/** A mock app's rule with what it may leave out. */
import type { GivenRule, ResponseRule } from '../contract/mock-app.ts';

export function wholeRule({ enabled = true, answer, ...rule }: GivenRule): ResponseRule {
  if (answer.kind !== 'sequence') return { ...rule, enabled, answer };
  return { ...rule, enabled, answer: { ...answer, then: answer.then ?? 'repeat-last' } };
}
