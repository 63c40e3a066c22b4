/** The dialog that makes or changes one answer of the mock app. */
import { useState, type ReactElement } from 'react';
import type { MockAppState } from '../../../core/contract/mock-app.ts';
import { Button } from '../../components/Button.tsx';
import { Choice } from '../../components/Choice.tsx';
import { Field, Radios, TextField } from '../../components/Fields.tsx';
import { Overlay } from '../../components/Overlay.tsx';
import { Loading } from '../../components/States.tsx';
import { ACT_WHY, CONFIRM } from '../../copy/acts.ts';
import { MOCK, RULE_EDITOR } from '../../copy/mock-app.ts';
import { ruleSentence } from '../../format/answer.ts';
import { FilterField } from '../../parts/FilterField.tsx';
import { useAway, useConsole, useResource } from '../../state/context.ts';
import { AnswerFields } from './AnswerFields.tsx';
import css from './MockApp.module.css';
import { EMPTY_RULE, readRule, ruleDraftOf, type RuleDraft, type RuleKind } from './rule-draft.ts';
import { StepList } from './StepList.tsx';
import { useMockRules } from './use-mock-rules.ts';

export interface RuleEditorProps {
  /** Place of the rule that is changed; undefined: a new one. */
  readonly index: number | undefined;
  readonly topic: string | undefined;
  readonly route: string | undefined;
  readonly eventType: string | undefined;
}

const KINDS: readonly RuleKind[] = [
  'respond',
  'respond-bulk',
  'fail-then',
  'sequence',
  'random',
  'hang',
  'reset',
  'ask',
];

/** Waits for the mock app's rules, then shows the form. */
export function RuleEditor(props: RuleEditorProps): ReactElement {
  const { commands, mockApps } = useConsole();
  const { value } = useResource(mockApps.app);
  if (value !== undefined) return <Form state={value} {...props} />;
  return (
    <Overlay title={RULE_EDITOR.add} onClose={commands.close}>
      <Loading text={MOCK.loading} />
    </Overlay>
  );
}

function startOf(state: MockAppState, { index, topic, route, eventType }: RuleEditorProps): RuleDraft {
  const rule = index === undefined ? undefined : state.rules[index];
  if (rule !== undefined) return ruleDraftOf(rule);
  return { ...EMPTY_RULE, topic: topic ?? '', route: route ?? '', eventType: eventType ?? '' };
}

function Form({ state, ...props }: RuleEditorProps & { readonly state: MockAppState }): ReactElement {
  const { commands } = useConsole();
  const away = useAway(ACT_WHY.away);
  const { save } = useMockRules(state.appId);
  const [draft, setDraft] = useState(() => startOf(state, props));
  const { index } = props;
  const read = readRule(draft);
  const edit = (change: Partial<RuleDraft>): void => setDraft({ ...draft, ...change });

  async function store(): Promise<void> {
    if (!read.ok) return;
    const { rules } = state;
    const next = index === undefined ? [read.rule, ...rules] : rules.with(index, read.rule);
    if (await save(next, rules)) commands.close();
  }

  return (
    <Overlay
      title={index === undefined ? RULE_EDITOR.add : RULE_EDITOR.edit}
      wide
      onClose={commands.close}
      foot={
        <>
          <Button onClick={commands.close}>{CONFIRM.cancel}</Button>
          <Button
            kind="primary"
            off={away ?? (read.ok ? undefined : read.message)}
            onClick={() => void store()}
          >
            {RULE_EDITOR.save}
          </Button>
        </>
      }
    >
      <div className={css.form}>
        <TextField label={RULE_EDITOR.name} value={draft.name} onChange={(name) => edit({ name })} />
        <MatchFields draft={draft} onChange={edit} />
        <Field label={RULE_EDITOR.kind}>
          {({ id }) => (
            <Choice
              id={id}
              label={RULE_EDITOR.kind}
              value={draft.kind}
              options={KINDS.map((kind) => ({ value: kind, title: RULE_EDITOR.kinds[kind] }))}
              onChange={(next) => {
                const kind = KINDS.find((each) => each === next);
                if (kind !== undefined) edit({ kind });
              }}
            />
          )}
        </Field>
        <KindFields draft={draft} onChange={edit} />
        <p role="status" className={css.sentence}>
          {read.ok ? ruleSentence(read.rule) : read.message}
        </p>
      </div>
    </Overlay>
  );
}

interface PartProps {
  readonly draft: RuleDraft;
  readonly onChange: (change: Partial<RuleDraft>) => void;
}

function MatchFields({ draft, onChange }: PartProps): ReactElement {
  const { topology } = useConsole();
  const { value: topics } = useResource(topology.topics);
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
          onChange={(route) => onChange({ route })}
        />
        <TextField
          label={RULE_EDITOR.eventType}
          mono
          value={draft.eventType}
          onChange={(eventType) => onChange({ eventType })}
        />
      </div>
      <FilterField
        id="rule-filter"
        label={RULE_EDITOR.filter}
        labelled
        value={draft.filter}
        onApply={(filter) => onChange({ filter })}
      />
      <div className={css.row}>
        <TextField
          label={RULE_EDITOR.times}
          hint={RULE_EDITOR.timesHint}
          inputMode="numeric"
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

function KindFields({ draft, onChange }: PartProps): ReactElement {
  if (draft.kind === 'sequence' || draft.kind === 'random')
    return <StepList draft={draft} onChange={onChange} />;
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
    <div className={css.row}>
      <TextField
        label={RULE_EDITOR.failTimes}
        inputMode="numeric"
        value={draft.failTimes}
        onChange={(failTimes) => onChange({ failTimes })}
      />
      <TextField
        label={RULE_EDITOR.failWith}
        inputMode="numeric"
        value={draft.failWith}
        onChange={(failWith) => onChange({ failWith })}
      />
    </div>
  );
}
