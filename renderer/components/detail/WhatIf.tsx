/** "What if the app had answered …": asks the host which rule would decide; nothing is sent. */
import { useRef, useState, type ReactElement } from 'react';
import { clause } from '../../../core/contract/error-text.ts';
import type { Attempt, Delivery } from '../../../core/contract/message.ts';
import { Chip } from '../Chip.tsx';
import { Choice } from '../Choice.tsx';
import type { RpcFailure } from '../../client/rpc-client.ts';
import { ATTEMPTS } from '../../copy/detail.ts';
import { fill } from '../../copy/fill.ts';
import { WHAT_IF } from '../../copy/what-if.ts';
import { RulePopover } from '../RulePopover.tsx';
import { useConsole, useResource } from '../../state/context.ts';
import { asFailure } from '../../state/resource.ts';
import css from './WhatIf.module.css';
import { askWhatIf, leadsTo, questionsFor, sentenceOf, type Explained } from './what-if.ts';

/** Why an answer leads nowhere that is known yet: the dead-letter topic is one of the subscription. */
function waitText(failure: RpcFailure | undefined): string {
  return failure === undefined ? WHAT_IF.loading : fill(WHAT_IF.failed, { message: clause(failure.message) });
}

/** A choice of answers, and the state to which each would lead. */
export function WhatIf({
  attempt,
  delivery,
}: {
  readonly attempt: Attempt;
  readonly delivery: Delivery;
}): ReactElement {
  const { call, toasts, topology } = useConsole();
  const subscriptions = useResource(topology.subscriptions);
  const [chosen, setChosen] = useState('');
  const [told, setTold] = useState<Explained>();
  const asking = useRef('');
  const { bulk } = attempt;
  const questions = questionsFor(bulk, attempt.protocol);

  async function ask(id: string): Promise<void> {
    setChosen(id);
    asking.current = id;
    const question = questions.find((each) => each.id === id);
    if (question === undefined) return;
    try {
      const answer = await askWhatIf(call, question, bulk);
      // Another answer may have been chosen meanwhile.
      if (asking.current === id) setTold(answer);
    } catch (reason) {
      toasts.failed(asFailure(reason).message);
    }
  }

  const { value: known, failure } = subscriptions;
  const leads =
    told === undefined || known === undefined
      ? undefined
      : leadsTo(told, { attempt, delivery, subscriptions: known.items });
  const sentence =
    told === undefined || leads === undefined ? '' : sentenceOf(told, bulk, leads, attempt.tap !== undefined);
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
        {told !== undefined && leads === undefined && waitText(failure)}
        {told !== undefined && leads !== undefined && (
          <>
            <span aria-hidden>→</span>
            <Chip kind={leads.state} />
            <span>
              {sentence} <RulePopover rule={told.verdict.rule} sentence={sentence} />{' '}
              {leads.usedUp !== undefined && <code>{leads.usedUp.rule}</code>}
            </span>
          </>
        )}
      </span>
    </div>
  );
}
