/** The steps of a sequence, or the answers of a random one with their shares. */
import { Plus, Trash2 } from 'lucide-react';
import type { ReactElement } from 'react';
import { Button, IconButton } from '../../components/Button.tsx';
import { Radios, TextField } from '../../components/Fields.tsx';
import { RULE_EDITOR } from '../../copy/mock-app.ts';
import { fill } from '../../copy/fill.ts';
import type { AnswerDraft } from './answer-draft.ts';
import { AnswerFields } from './AnswerFields.tsx';
import css from './MockApp.module.css';
import { oneMoreStep, shareMistake, type RuleDraft, type Then } from './rule-draft.ts';

export interface StepListProps {
  readonly draft: RuleDraft;
  readonly onChange: (change: Partial<RuleDraft>) => void;
  /** Mistake of all steps together. */
  readonly error: string | undefined;
}

const THENS: readonly Then[] = ['repeat-last', 'loop', 'next-rule'];

/** An ordered list of answers. */
export function StepList({ draft, onChange, error }: StepListProps): ReactElement {
  const { steps, kind, then } = draft;
  const set = (id: number, next: AnswerDraft): void =>
    onChange({ steps: steps.map((step) => (step.id === id ? next : step)) });
  return (
    <section aria-label={RULE_EDITOR.steps} className={css.form}>
      {steps.map((step, index) => (
        <div key={step.id} className={css.step}>
          <div className={css.stepHead}>
            <h3>{fill(RULE_EDITOR.step, { n: index + 1 })}</h3>
            <IconButton
              steps
              icon={Trash2}
              label={fill(RULE_EDITOR.removeStep, { n: index + 1 })}
              onClick={() => onChange({ steps: steps.filter(({ id }) => id !== step.id) })}
            />
          </div>
          {kind === 'random' && (
            <TextField
              label={RULE_EDITOR.share}
              inputMode="numeric"
              error={shareMistake(step.share)}
              value={step.share}
              onChange={(share) => set(step.id, { ...step, share })}
            />
          )}
          <AnswerFields
            kindLabel={fill(RULE_EDITOR.kindOf, { n: index + 1 })}
            draft={step}
            onChange={(next) => set(step.id, next)}
          />
        </div>
      ))}
      {error !== undefined && <p className={css.problem}>{error}</p>}
      <div>
        <Button icon={Plus} onClick={() => onChange({ steps: oneMoreStep(steps) })}>
          {RULE_EDITOR.addStep}
        </Button>
      </div>
      {kind === 'sequence' && (
        <Radios
          label={RULE_EDITOR.then}
          value={then}
          onChange={(next) => onChange({ then: next })}
          options={THENS.map((value) => ({ value, title: RULE_EDITOR.thens[value] }))}
        />
      )}
    </section>
  );
}
