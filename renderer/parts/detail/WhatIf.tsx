/** "What if the app had answered …": asks the host which row would decide; nothing is sent. */
import { useState, type ReactElement } from 'react';
import type { Result } from '../../../core/contract/console.ts';
import type { Attempt } from '../../../core/contract/message.ts';
import { Chip } from '../../components/Chip.tsx';
import { Choice } from '../../components/Choice.tsx';
import { ATTEMPTS, WHAT_IF_BULK, WHAT_IF_SINGLE } from '../../copy/detail.ts';
import { fill } from '../../copy/fill.ts';
import { CAUSE_SENTENCES } from '../../copy/rules.ts';
import { isKnownRule, statusWord } from '../../format/cause.ts';
import { RulePopover } from '../../parts/RulePopover.tsx';
import { useConsole } from '../../state/context.ts';
import { asFailure } from '../../state/resource.ts';
import css from './WhatIf.module.css';

interface Question {
  readonly id: string;
  readonly title: string;
  readonly status: number;
  readonly body: string;
}

function questionsFor(bulk: Attempt['bulk']): readonly Question[] {
  if (bulk === undefined) return WHAT_IF_SINGLE;
  const { entryId } = bulk;
  return WHAT_IF_BULK.map(({ id, title, status, word }) => ({
    id,
    title,
    status,
    body:
      status === 200
        ? JSON.stringify({ statuses: word === undefined ? [] : [{ entryId, status: word }] })
        : '',
  }));
}

interface Told {
  readonly verdict: Result<'verdict.explain'>;
  readonly question: Question;
}

/** A choice of answers and the state each would lead to. */
export function WhatIf({ attempt }: { readonly attempt: Attempt }): ReactElement {
  const { call, toasts } = useConsole();
  const [chosen, setChosen] = useState('');
  const [told, setTold] = useState<Told>();
  const { bulk } = attempt;
  const questions = questionsFor(bulk);

  async function ask(id: string): Promise<void> {
    setChosen(id);
    const question = questions.find((each) => each.id === id);
    if (question === undefined) return;
    try {
      const verdict = await call('verdict.explain', {
        kind: bulk === undefined ? 'single' : 'bulk',
        status: question.status,
        body: question.body,
        ...(bulk === undefined ? {} : { entryId: bulk.entryId }),
      });
      setTold({ verdict, question });
    } catch (reason) {
      toasts.failed(asFailure(reason).message);
    }
  }

  const sentence = told === undefined ? '' : sentenceOf(told, bulk);
  return (
    <div className={css.row}>
      <span>{ATTEMPTS.whatIf}</span>
      <Choice
        label={ATTEMPTS.whatIf}
        value={chosen}
        placeholder={ATTEMPTS.whatIfPick}
        options={questions.map(({ id, title }) => ({ value: id, title }))}
        onChange={(id) => void ask(id)}
      />
      <span role="status" className={css.told}>
        {told !== undefined && (
          <>
            <span aria-hidden>→</span>
            <Chip kind={told.verdict.state} />
            <span>
              {sentence} <RulePopover rule={told.verdict.rule} sentence={sentence} />
            </span>
          </>
        )}
      </span>
    </div>
  );
}

function sentenceOf({ verdict, question }: Told, bulk: Attempt['bulk']): string {
  if (!isKnownRule(verdict.rule)) return '';
  return fill(CAUSE_SENTENCES[verdict.rule], {
    code: question.status,
    status: statusWord(question.body, bulk?.entryId),
    entryId: bulk?.entryId,
    n: bulk?.batchSize,
  });
}
