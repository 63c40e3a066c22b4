/** The fields of one answer. */
import type { ReactElement } from 'react';
import { FOR_ALL } from '../../../core/contract/status-words.ts';
import { Choice } from '../../components/Choice.tsx';
import { Field, TextArea, TextField } from '../../components/Fields.tsx';
import { RULE_EDITOR } from '../../copy/mock-app.ts';
import type { AnswerDraft, AnswerField, AnswerKind, StatusesKind } from './answer-draft.ts';
import { readAnswer } from './answer-draft.ts';
import css from './MockApp.module.css';
import type { RuleKind } from './rule-draft.ts';

const KINDS: readonly AnswerKind[] = ['respond', 'respond-bulk', 'hang', 'reset', 'ask'];
const STATUSES: readonly StatusesKind[] = [...FOR_ALL, 'each'];

export interface AnswerFieldsProps {
  readonly draft: AnswerDraft;
  readonly onChange: (draft: AnswerDraft) => void;
  /** True: the form around it has the choice of the kind. */
  readonly fixedKind?: boolean;
  /** Name of the choice of the kind, where a rule has further ones; default "Answer". */
  readonly kindLabel?: string;
}

/** Fields for the kind of answer. */
export function AnswerFields({ draft, onChange, fixedKind, kindLabel }: AnswerFieldsProps): ReactElement {
  const read = readAnswer(draft);
  const errorOf = (field: AnswerField): string | undefined =>
    !read.ok && read.field === field ? read.message : undefined;
  const responds = draft.kind === 'respond' || draft.kind === 'respond-bulk';
  return (
    <div className={css.form}>
      {fixedKind !== true && (
        <KindChoice
          kinds={KINDS}
          label={kindLabel}
          value={draft.kind}
          onChange={(kind) => onChange({ ...draft, kind })}
        />
      )}
      {responds && (
        <div className={css.row}>
          <TextField
            label={RULE_EDITOR.status}
            inputMode="numeric"
            value={draft.status}
            error={errorOf('status')}
            onChange={(status) => onChange({ ...draft, status })}
          />
          <TextField
            label={RULE_EDITOR.delay}
            hint={RULE_EDITOR.delayHint}
            value={draft.delay}
            error={errorOf('delay')}
            onChange={(delay) => onChange({ ...draft, delay })}
          />
          {draft.kind === 'respond-bulk' && <StatusesChoice draft={draft} onChange={onChange} />}
        </div>
      )}
      {draft.kind === 'respond' && (
        <TextArea
          label={RULE_EDITOR.body}
          hint={RULE_EDITOR.bodyHint}
          rows={3}
          value={draft.body}
          onChange={(body) => onChange({ ...draft, body })}
        />
      )}
      {draft.kind === 'respond' && (
        <TextArea
          label={RULE_EDITOR.headers}
          hint={RULE_EDITOR.headersHint}
          rows={2}
          value={draft.headers}
          error={errorOf('headers')}
          onChange={(headers) => onChange({ ...draft, headers })}
        />
      )}
      {draft.kind === 'respond-bulk' && draft.statusesKind === 'each' && (
        <TextArea
          label={RULE_EDITOR.statuses}
          hint={RULE_EDITOR.statusesHint}
          rows={4}
          value={draft.statuses}
          error={errorOf('statuses')}
          onChange={(statuses) => onChange({ ...draft, statuses })}
        />
      )}
    </div>
  );
}

type ChoiceProps = Pick<AnswerFieldsProps, 'draft' | 'onChange'>;

interface KindChoiceProps<K extends RuleKind> {
  readonly kinds: readonly K[];
  /** Name of the choice; default "Answer". */
  readonly label?: string | undefined;
  readonly value: K;
  readonly onChange: (kind: K) => void;
}

/** Choice of the kind of answer; a rule has more kinds than a single answer. */
export function KindChoice<K extends RuleKind>({
  kinds,
  label = RULE_EDITOR.kind,
  value,
  onChange,
}: KindChoiceProps<K>): ReactElement {
  return (
    <Field label={label}>
      {({ id }) => (
        <Choice
          id={id}
          label={label}
          value={value}
          options={kinds.map((kind) => ({ value: kind, title: RULE_EDITOR.kinds[kind] }))}
          onChange={(next) => {
            const kind = kinds.find((each) => each === next);
            if (kind !== undefined) onChange(kind);
          }}
        />
      )}
    </Field>
  );
}

/** One status for all entries of a bulk answer, or one for each. */
function StatusesChoice({ draft, onChange }: ChoiceProps): ReactElement {
  return (
    <Field label={RULE_EDITOR.statuses}>
      {({ id }) => (
        <Choice
          id={id}
          label={RULE_EDITOR.statuses}
          value={draft.statusesKind}
          options={STATUSES.map((value) => ({ value, title: RULE_EDITOR.statusesAll[value] }))}
          onChange={(next) => {
            const statusesKind = STATUSES.find((each) => each === next);
            if (statusesKind !== undefined) onChange({ ...draft, statusesKind });
          }}
        />
      )}
    </Field>
  );
}
