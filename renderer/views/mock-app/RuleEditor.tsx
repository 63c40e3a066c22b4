/** The dialog that makes or changes one answer of the mock app. */
import { useState, type ReactElement } from 'react';
import type { MockAppState } from '../../../core/contract/mock-app.ts';
import { Button } from '../../components/Button.tsx';
import { Choice } from '../../components/Choice.tsx';
import { Field, TextField } from '../../components/Fields.tsx';
import { Overlay } from '../../components/Overlay.tsx';
import { Loading } from '../../components/States.tsx';
import { ACT_WHY, CONFIRM } from '../../copy/acts.ts';
import { MOCK, RULE_EDITOR } from '../../copy/mock-app.ts';
import { ruleSentence } from '../../format/answer.ts';
import { useAway, useConsole, useResource } from '../../state/context.ts';
import css from './MockApp.module.css';
import {
  EMPTY_RULE,
  ofKind,
  readRule,
  ruleDraftOf,
  withAnswer,
  type RuleDraft,
  type RuleKind,
} from './rule-draft.ts';
import { KindFields, MatchFields, StartFrom } from './RuleFields.tsx';
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
        <StartFrom onChange={(answer) => setDraft(withAnswer(draft, answer))} />
        <Field label={RULE_EDITOR.kind}>
          {({ id }) => (
            <Choice
              id={id}
              label={RULE_EDITOR.kind}
              value={draft.kind}
              options={KINDS.map((kind) => ({ value: kind, title: RULE_EDITOR.kinds[kind] }))}
              onChange={(next) => {
                const kind = KINDS.find((each) => each === next);
                if (kind !== undefined) setDraft(ofKind(draft, kind));
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
