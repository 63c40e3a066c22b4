/** Parts of the rule editor: conditions and answer. */
import type { ReactElement } from 'react';
import type { Protocol } from '../../../core/contract/grpc.ts';
import type { Preset, RuleAnswer } from '../../../core/contract/mock-app.ts';
import type { SubscriptionRow } from '../../../core/contract/subscription.ts';
import { Choice } from '../../components/Choice.tsx';
import { Field, Radios, TextField } from '../../components/Fields.tsx';
import { RULE_EDITOR } from '../../copy/mock-app.ts';
import { FilterField } from '../../components/FilterField.tsx';
import type { Editing } from '../../components/shared-fields.ts';
import { useSeenTypes } from '../../components/use-seen-types.ts';
import { useConsole, useResource } from '../../state/context.ts';
import { AnswerFields } from './AnswerFields.tsx';
import css from './MockApp.module.css';
import { presetOptions } from './preset-options.tsx';
import type { RuleDraft, RuleField, RuleParts } from './rule-draft.ts';
import { StepList } from './StepList.tsx';

interface PartProps {
  readonly draft: RuleDraft;
  readonly onChange: (change: Partial<RuleDraft>) => void;
  /** The wrong field, with its mistake. */
  readonly wrong: RuleField | undefined;
  readonly message: string | undefined;
}

/**
 * Fields for the conditions.
 * @param editing has the text that the field of the filter begins with; it has its own
 */
export function MatchFields({
  draft,
  editing,
  onChange,
  wrong,
  message,
}: PartProps & { readonly editing: Pick<Editing<RuleParts>, 'given' | 'keyOf'> }): ReactElement {
  const { topology } = useConsole();
  const { value: topics } = useResource(topology.topics);
  const { value: subscriptions } = useResource(topology.subscriptions);
  const types = useSeenTypes();
  const routes = new Set(subscriptions?.items.flatMap(routesOf));
  return (
    <>
      <p className={css.muted}>{RULE_EDITOR.matchHint}</p>
      <div className={css.row}>
        <TextField
          label={RULE_EDITOR.topic}
          mono
          value={draft.topic}
          suggestions={topics?.items.map(({ topic }) => topic)}
          onChange={(topic) => onChange({ topic })}
        />
        <TextField
          label={RULE_EDITOR.route}
          mono
          value={draft.route}
          suggestions={[...routes]}
          onChange={(route) => onChange({ route })}
        />
        <TextField
          label={RULE_EDITOR.eventType}
          mono
          value={draft.eventType}
          suggestions={types}
          onChange={(eventType) => onChange({ eventType })}
        />
      </div>
      <FilterField
        key={editing.keyOf('filter')}
        id="rule-filter"
        label={RULE_EDITOR.filter}
        labelled
        keepsText
        value={editing.given.filter}
        onApply={(text) => onChange({ filter: text })}
        // A filter with a mistake is refused when the answer is saved, instead of the last valid one being kept.
        onDraft={(text) => onChange({ filter: text.trim() })}
      />
      <div className={css.row}>
        <TextField
          label={RULE_EDITOR.times}
          hint={RULE_EDITOR.timesHint}
          inputMode="numeric"
          error={wrong === 'times' ? message : undefined}
          value={draft.times}
          onChange={(times) => onChange({ times })}
        />
        {draft.kind !== 'fail-then' && (
          <Radios
            label={RULE_EDITOR.per}
            value={draft.per}
            onChange={(per) => onChange({ per })}
            options={[
              { value: 'rule', title: RULE_EDITOR.perRule },
              { value: 'message', title: RULE_EDITOR.perMessage },
            ]}
          />
        )}
      </div>
    </>
  );
}

/** Fields for the answer. */
export function KindFields({ draft, onChange, wrong, message }: PartProps): ReactElement {
  if (draft.kind === 'sequence' || draft.kind === 'random')
    return <StepList draft={draft} onChange={onChange} error={wrong === 'steps' ? message : undefined} />;
  if (draft.kind !== 'fail-then') {
    return (
      <AnswerFields
        fixedKind
        draft={{ ...draft.answer, kind: draft.kind }}
        onChange={(answer) => onChange({ answer })}
      />
    );
  }
  return (
    <>
      <div className={css.row}>
        <TextField
          label={RULE_EDITOR.failTimes}
          inputMode="numeric"
          error={wrong === 'failTimes' ? message : undefined}
          value={draft.failTimes}
          onChange={(failTimes) => onChange({ failTimes })}
        />
        <TextField
          label={RULE_EDITOR.failWith}
          inputMode="numeric"
          error={wrong === 'failWith' ? message : undefined}
          value={draft.failWith}
          onChange={(failWith) => onChange({ failWith })}
        />
      </div>
      <section aria-label={RULE_EDITOR.thenWhat} className={css.step}>
        <h3>{RULE_EDITOR.thenWhat}</h3>
        <AnswerFields
          kindLabel={RULE_EDITOR.kindAfter}
          draft={draft.answer}
          onChange={(answer) => onChange({ answer })}
        />
      </section>
    </>
  );
}

const STARTS: readonly Preset['group'][] = ['single', 'bulk', 'extra'];

/** The presets, one for each outcome row, as a start. */
export function StartFrom({
  protocol,
  onChange,
}: {
  readonly protocol: Protocol;
  readonly onChange: (answer: RuleAnswer) => void;
}): ReactElement {
  const { mockApps } = useConsole();
  const { value } = useResource(mockApps.presets);
  const presets = (value?.items ?? []).filter(({ group }) => STARTS.includes(group));
  return (
    <Field label={RULE_EDITOR.startFrom}>
      {({ id }) => (
        <Choice
          id={id}
          label={RULE_EDITOR.startFrom}
          value=""
          placeholder={RULE_EDITOR.startNone}
          options={presetOptions(presets, protocol)}
          onChange={(chosen) => {
            const answer = presets.find(({ preset }) => preset === chosen)?.rules[0]?.answer;
            if (answer !== undefined) onChange(answer);
          }}
        />
      )}
    </Field>
  );
}

/** Paths of a subscription. */
function routesOf({ rules }: SubscriptionRow): readonly string[] {
  return rules.map(({ path }) => path);
}
