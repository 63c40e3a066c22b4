/** Names the answer of the mock app by which a filter asks with its id, as the links of hits do. */
import type { ResponseRule } from '../../core/contract/mock-app.ts';
import { fill } from '../copy/fill.ts';
import { MOCK } from '../copy/mock-app.ts';

/** A term with one value: in quotes, as links have it, or a word. */
const BY_ID = /(?<=^|\s)answeredby[:=](?:"([^"\\]+)"|([^\s"()*,]+))(?=$|\s)/;

/** What makes a filter find others than the messages of all its terms. A minus before the term is none of it: `BY_ID` wants a blank there. */
const NOT_ALL = /[()|]|(?:^|\s)(?:or|not)(?:\s|$)|(?:^|\s)[-!]\s/iu;

const QUOTED = /"(?:[^"\\]|\\.)*"/g;

/** What the filter names the answer by: an id, or a name; undefined: it does not ask for messages of one answer alone. */
export function answerIdIn(filter: string): string | undefined {
  if (NOT_ALL.test(filter.replaceAll(QUOTED, '""'))) return undefined;
  const [, quoted, bare] = BY_ID.exec(filter) ?? [];
  return quoted ?? bare;
}

/** Name of the answer, as the Mock app screen has it; undefined: it is none of these, such as one of another app or a removed one. */
export function nameOfAnswer(id: string, rules: readonly ResponseRule[]): string | undefined {
  const index = rules.findIndex(({ ruleId }) => ruleId === id);
  return index === -1 ? undefined : (rules[index]?.name ?? fill(MOCK.unnamed, { n: index + 1 }));
}
