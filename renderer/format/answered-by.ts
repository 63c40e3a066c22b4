/** Names the answer of the mock app by which a filter asks with its id, as the links of hits do. */
import type { ResponseRule } from '../../core/contract/mock-app.ts';
import { fill } from '../copy/fill.ts';
import { MOCK } from '../copy/mock-app.ts';

const BY_ID = /(?<=^|[\s(])answeredby[:=]"?(rul_\w+)"?(?=$|[\s)])/;

/** Id of the answer that the filter names; undefined: it names none by an id. */
export function answerIdIn(filter: string): string | undefined {
  return BY_ID.exec(filter)?.[1];
}

/** Name of the answer, as the screen Mock app has it; undefined: it is none of these, such as one of another app or a removed one. */
export function nameOfAnswer(id: string, rules: readonly ResponseRule[]): string | undefined {
  const index = rules.findIndex(({ ruleId }) => ruleId === id);
  return index === -1 ? undefined : (rules[index]?.name ?? fill(MOCK.unnamed, { n: index + 1 }));
}
