/** The answers that "What if…" tries, one per row of the outcome tables, and what is said about each. */
import type { Result } from '../../../core/contract/console.ts';
import type { Attempt } from '../../../core/contract/message.ts';
import type { RpcClient } from '../../client/rpc-client.ts';
import { WHAT_IF_BULK, WHAT_IF_SINGLE } from '../../copy/detail.ts';
import { fill } from '../../copy/fill.ts';
import { CAUSE_SENTENCES } from '../../copy/rules.ts';
import { isKnownRule } from '../../format/cause.ts';

export interface Question {
  readonly id: string;
  readonly title: string;
  readonly status: number;
  readonly body: string;
}

export interface Told {
  readonly verdict: Result<'verdict.explain'>;
  readonly question: Question;
}

/** Which entry of which batch is asked about; undefined: a delivery of a single message. */
export type Batch = Attempt['bulk'];

/** One question per row of the table that applies. */
export function questionsFor(bulk: Batch): readonly Question[] {
  if (bulk === undefined) return WHAT_IF_SINGLE;
  const { entryId } = bulk;
  return WHAT_IF_BULK.map((each) => {
    const { id, title, status } = each;
    if ('body' in each) return { id, title, status, body: each.body };
    const statuses = each.word === undefined ? [] : [{ entryId, status: each.word }];
    return { id, title, status, body: status === 200 ? JSON.stringify({ statuses }) : '' };
  });
}

/** Asks the host; nothing is sent to the app. */
export async function askWhatIf(call: RpcClient['call'], question: Question, bulk: Batch): Promise<Told> {
  const verdict = await call('verdict.explain', {
    kind: bulk === undefined ? 'single' : 'bulk',
    status: question.status,
    body: question.body,
    ...(bulk === undefined ? {} : { entryId: bulk.entryId }),
  });
  return { verdict, question };
}

/** The sentence of the rule that would decide. */
export function sentenceOf({ verdict, question }: Told, bulk: Batch): string {
  if (!isKnownRule(verdict.rule)) return '';
  return fill(CAUSE_SENTENCES[verdict.rule], {
    code: question.status,
    status: verdict.word,
    entryId: bulk?.entryId,
    n: bulk?.batchSize,
  });
}
