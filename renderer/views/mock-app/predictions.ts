/**
 * States to which the answers of a rule would lead: those that the host is asked about, and those that are
 * known.
 */
import type { Answer, RuleAnswer } from '../../../core/contract/mock-app.ts';
import { WORD_OF_ALL } from '../../../core/contract/status-words.ts';
import type { ChipKind } from '../../copy/states.ts';
import type { VerdictQuestion } from '../../components/use-verdicts.ts';
import { asText } from '../../format/curl.ts';

/** Maximum number of answers of one rule about which the host is asked. */
const MAX = 6;

export type Prediction =
  | { readonly kind: 'asked'; readonly question: VerdictQuestion }
  | { readonly kind: 'known'; readonly chip: ChipKind };

function entriesOf({
  statuses,
}: Extract<Answer, { kind: 'respond-bulk' }>): readonly [string, string | null][] {
  if (typeof statuses === 'string') return [['1', WORD_OF_ALL[statuses]]];
  const entries = Object.entries(statuses);
  return entries.length === 0 ? [['1', null]] : entries;
}

function predictionsOf(answer: Answer): readonly Prediction[] {
  switch (answer.kind) {
    case 'respond': {
      const { status, body } = answer;
      return [{ kind: 'asked', question: { kind: 'single', status, body: asText(body) } }];
    }
    case 'respond-bulk': {
      const entries = entriesOf(answer);
      const statuses = entries.flatMap(([entryId, status]) => (status === null ? [] : { entryId, status }));
      const body = JSON.stringify({ statuses });
      return entries.map(([entryId]) => ({
        kind: 'asked',
        question: { kind: 'bulk', status: answer.status, body, entryId },
      }));
    }
    // A missing answer leads to one more attempt, while there are some left.
    case 'hang':
    case 'reset':
      return [{ kind: 'known', chip: 'retrying' }];
    case 'ask':
      return [{ kind: 'known', chip: 'asked' }];
  }
}

/** One prediction for each different answer of a rule, in order. */
export function predictions(answer: RuleAnswer): readonly Prediction[] {
  const answers =
    answer.kind === 'sequence'
      ? answer.steps
      : answer.kind === 'random'
        ? answer.of.map((each) => each.answer)
        : [answer];
  const all = answers.flatMap(predictionsOf);
  const keys = all.map((each) => JSON.stringify(each));
  return all.filter((_each, place) => keys.indexOf(keys[place] ?? '') === place).slice(0, MAX);
}
