/** The states to which an answer leads. */
import type { ReactElement } from 'react';
import type { Protocol } from '../../../core/contract/grpc.ts';
import type { RuleAnswer } from '../../../core/contract/mock-app.ts';
import { Chip } from '../../components/Chip.tsx';
import { afterFailure, leadsTo, type Asked } from '../../components/detail/what-if.ts';
import { useVerdicts, type Verdict } from '../../components/use-verdicts.ts';
import { RULE_EDITOR } from '../../copy/mock-app.ts';
import type { ChipKind } from '../../copy/states.ts';
import css from './MockApp.module.css';
import { predictions, type Prediction } from './predictions.ts';

export interface LeadsToProps {
  /** The answer of the fields; undefined: they cannot be read. */
  readonly answer: RuleAnswer | undefined;
  readonly protocol: Protocol;
  /** The call that gets the answer, which may be the last allowed one; absent: any call. */
  readonly asked?: Asked | undefined;
}

/** "Leads to", and a chip for each state; nothing while none is known. */
export function LeadsTo({ answer, protocol, asked }: LeadsToProps): ReactElement | null {
  const found = answer === undefined ? [] : predictions(answer, protocol);
  const verdicts = useVerdicts(found.flatMap((each) => (each.kind === 'asked' ? [each.question] : [])));
  const chips = chipsOf(found, verdicts ?? [], asked);
  if (chips.length === 0) return null;
  return (
    <span className={css.leads}>
      {RULE_EDITOR.leadsTo}{' '}
      {[...new Set(chips)].map((chip) => (
        <Chip key={chip} kind={chip} />
      ))}
    </span>
  );
}

/** Predicted states: those that are known, and those from the host, in the order of the answers. */
export function chipsOf(
  found: readonly Prediction[],
  verdicts: readonly Verdict[],
  asked?: Asked,
): readonly ChipKind[] {
  const questions = found.filter(({ kind }) => kind === 'asked');
  return found.flatMap((each) => {
    if (each.kind === 'known')
      return each.chip === 'retrying' && asked !== undefined ? afterFailure(asked).state : each.chip;
    const verdict = verdicts[questions.indexOf(each)];
    const { status, body = '', protocol = 'http' } = each.question;
    return verdict === undefined
      ? []
      : leadsTo({ verdict, question: { id: '', title: '', status, body, protocol } }, asked).state;
  });
}
