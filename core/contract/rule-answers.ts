/**
 * Answers of a mock-app rule, in a file without schemas, because the page must not load the schema library.
 */
import type { Answer, RuleAnswer } from './mock-app.ts';

/**
 * Every answer that a rule may give: the steps of a sequence, the choices of a random answer, or its only
 * answer.
 */
export function answersIn(answer: RuleAnswer): readonly Answer[] {
  if (answer.kind === 'sequence') return answer.steps;
  if (answer.kind === 'random') return answer.of.map((part) => part.answer);
  return [answer];
}
