/**
 * States to which the answers of a rule would lead: those that the host is asked about, and those that are
 * known.
 */
import type { Protocol } from '../../../core/contract/grpc.ts';
import type { Answer, MockAppState, RuleAnswer } from '../../../core/contract/mock-app.ts';
import { grpcOfHttp } from '../../../core/contract/status-pairs.ts';
import { WORD_OF_ALL, wordForEntry } from '../../../core/contract/status-words.ts';
import { withoutUndefined } from '../../../core/contract/without-undefined.ts';
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

/** Protocol of the calls that the rules answer. */
export function protocolOf({ url }: Pick<MockAppState, 'url'>): Protocol {
  return url.startsWith('grpc') ? 'grpc' : 'http';
}

/** Status and protocol of a question. A rule has an HTTP status, which a gRPC call gets as its code. */
function codeOf(
  status: number,
  protocol: Protocol,
): Pick<VerdictQuestion, 'status'> & { readonly protocol?: Protocol } {
  return protocol === 'grpc' ? { protocol, status: grpcOfHttp(status) } : { status };
}

/** Body of an answer as it is judged. A reply over gRPC has only what JSON says in it. */
function bodyOf(body: unknown, protocol: Protocol): string {
  const text = asText(body);
  return protocol === 'grpc' && !/^\s*\{/.test(text) ? '' : text;
}

function predictionsOf(answer: Answer, protocol: Protocol): readonly Prediction[] {
  switch (answer.kind) {
    case 'respond': {
      const body = bodyOf(answer.body, protocol);
      return [{ kind: 'asked', question: { kind: 'single', ...codeOf(answer.status, protocol), body } }];
    }
    case 'respond-bulk': {
      const entries = entriesOf(answer);
      const named = protocol === 'grpc' ? 'entry_id' : 'entryId';
      const statuses = entries.flatMap(([id, status]) => (status === null ? [] : { [named]: id, status }));
      const body = JSON.stringify({ statuses });
      return entries.map(([entryId]) => ({
        kind: 'asked',
        question: { kind: 'bulk', ...codeOf(answer.status, protocol), body, entryId },
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

/** An answer as a call with one message gets it: one for a batch has the word of its first entry. */
export function toOneMessage(answer: Answer): Answer {
  if (answer.kind !== 'respond-bulk') return answer;
  const { status, statuses } = answer;
  return { kind: 'respond', status, body: withoutUndefined({ status: wordForEntry(statuses, '', 1) }) };
}

/** One prediction for each different answer of a rule, in order. */
export function predictions(answer: RuleAnswer, protocol: Protocol = 'http'): readonly Prediction[] {
  const answers =
    answer.kind === 'sequence'
      ? answer.steps
      : answer.kind === 'random'
        ? answer.of.map((each) => each.answer)
        : [answer];
  const all = answers.flatMap((each) => predictionsOf(each, protocol));
  const keys = all.map((each) => JSON.stringify(each));
  return all.filter((_each, place) => keys.indexOf(keys[place] ?? '') === place).slice(0, MAX);
}
