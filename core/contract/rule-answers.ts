/** The answers of a rule of the mock app, apart from its schema: the page reads them without the schema library. */
import type { Answer, RuleAnswer } from './mock-app.ts';

/** Every answer that a rule may give: the steps of a sequence, the choices of a random one, or the one answer. */
export function answersIn(answer: RuleAnswer): readonly Answer[] {
  if (answer.kind === 'sequence') return answer.steps;
  if (answer.kind === 'random') return answer.of.map((part) => part.answer);
  return [answer];
}
