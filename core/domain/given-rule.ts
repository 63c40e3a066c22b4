/** Completes a mock app's rule with the defaults of its optional members. */
import type { GivenRule, ResponseRule } from '../contract/mock-app.ts';

export function wholeRule({ enabled = true, answer, ...rule }: GivenRule): ResponseRule {
  if (answer.kind !== 'sequence') return { ...rule, enabled, answer };
  return { ...rule, enabled, answer: { ...answer, then: answer.then ?? 'repeat-last' } };
}
