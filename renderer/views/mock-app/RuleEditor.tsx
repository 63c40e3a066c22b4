/** The dialog that creates or edits one answer of the mock app. */
import { useState, type ReactElement, type ReactNode } from 'react';
import type { Protocol } from '../../../core/contract/grpc.ts';
import type { MockAppState, ResponseRule } from '../../../core/contract/mock-app.ts';
import { Button } from '../../components/Button.tsx';
import { TextField } from '../../components/Fields.tsx';
import { Overlay } from '../../components/Overlay.tsx';
import { Loading } from '../../components/States.tsx';
import { ACT_WHY, CONFIRM } from '../../copy/acts.ts';
import { MOCK, RULE_EDITOR } from '../../copy/mock-app.ts';
import { Chip } from '../../components/Chip.tsx';
import { useRefused } from '../../components/use-refused.ts';
import { useVerdicts, type Verdict } from '../../components/use-verdicts.ts';
import type { ChipKind } from '../../copy/states.ts';
import { fill } from '../../copy/fill.ts';
import { matchText, ruleSentence } from '../../format/answer.ts';
import { useAway, useConsole, useResource } from '../../state/context.ts';
import { KindChoice } from './AnswerFields.tsx';
import css from './MockApp.module.css';
import { predictions, protocolOf, type Prediction } from './predictions.ts';
import {
  EMPTY_RULE,
  ofKind,
  readRule,
  ruleDraftOf,
  withAnswer,
  type ReadRule,
  type RuleDraft,
  type RuleKind,
} from './rule-draft.ts';
import { KindFields, MatchFields, StartFrom } from './RuleFields.tsx';
import { useMockRules } from './use-mock-rules.ts';

export interface RuleEditorProps {
  /** The rule to edit; undefined: a new one. */
  readonly ruleId: string | undefined;
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

/** Loads the mock app's rules, then shows the form. */
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

/**
 * Kinds of rules. In front of a tapped app "ask" is left out, because a person can hold the delivery instead.
 */
function kindsOf({ tap }: MockAppState): readonly RuleKind[] {
  return tap === true ? KINDS.filter((kind) => kind !== 'ask') : KINDS;
}

function startOf(state: MockAppState, { ruleId, topic, route, eventType }: RuleEditorProps): RuleDraft {
  const rule = ruleId === undefined ? undefined : state.rules.find((each) => each.ruleId === ruleId);
  if (rule !== undefined) return ruleDraftOf(rule);
  return { ...EMPTY_RULE, topic: topic ?? '', route: route ?? '', eventType: eventType ?? '' };
}

/**
 * The rules with one that was edited. It keeps its place, wherever others were moved meanwhile; a new one comes first, as does one that
 * was removed meanwhile.
 */
export function withRule(rules: readonly ResponseRule[], rule: ResponseRule): readonly ResponseRule[] {
  const { ruleId } = rule;
  const place = ruleId === undefined ? -1 : rules.findIndex((each) => each.ruleId === ruleId);
  return place === -1 ? [rule, ...rules] : rules.with(place, rule);
}

function Form({ state, ...props }: RuleEditorProps & { readonly state: MockAppState }): ReactElement {
  const { commands } = useConsole();
  const away = useAway(ACT_WHY.away);
  const { change } = useMockRules(state.appId);
  const [draft, setDraft] = useState(() => startOf(state, props));
  const refused = useRefused();
  const { ruleId } = props;
  const read = readRule(draft);
  const wrong = read.ok ? undefined : read.field;
  const message = read.ok ? undefined : read.message;
  // A filter is applied once the host has checked it, and other fields may have changed by then.
  const edit = (change: Partial<RuleDraft>): void => setDraft((now) => ({ ...now, ...change }));
  const errors = { wrong, message };

  async function store(): Promise<void> {
    if (!read.ok) return;
    const { rule } = read;
    const isDone = await refused.once(() => change((rules) => withRule(rules, rule), true, refused.take));
    if (isDone) commands.close();
  }

  return (
    <Overlay
      title={ruleId === undefined ? RULE_EDITOR.add : RULE_EDITOR.edit}
      wide
      onClose={commands.close}
      problem={refused.problem}
      onEdit={refused.clear}
      foot={
        <>
          <Predicted read={read} protocol={protocolOf(state)} />
          <Button onClick={commands.close}>{CONFIRM.cancel}</Button>
          <Button kind="primary" off={away ?? message} pending={refused.pending} onClick={() => void store()}>
            {RULE_EDITOR.save}
          </Button>
        </>
      }
    >
      <div className={css.form}>
        <div className={css.row}>
          <KindChoice
            kinds={kindsOf(state)}
            value={draft.kind}
            onChange={(kind) => setDraft((now) => ofKind(now, kind))}
          />
          <StartFrom
            protocol={protocolOf(state)}
            onChange={(answer) => setDraft((now) => withAnswer(now, answer))}
          />
        </div>
        <KindFields draft={draft} onChange={edit} {...errors} />
        <Folded draft={draft} isWrong={wrong === 'times'}>
          <MatchFields draft={draft} onChange={edit} {...errors} />
        </Folded>
        <TextField
          label={RULE_EDITOR.name}
          hint={RULE_EDITOR.nameHint}
          value={draft.name}
          onChange={(name) => edit({ name })}
        />
      </div>
    </Overlay>
  );
}

interface FoldedProps {
  readonly draft: RuleDraft;
  /** True if a field inside is wrong, so that it is shown. */
  readonly isWrong: boolean;
  readonly children: ReactNode;
}

/** Conditions of a rule in one line until they are opened. */
function Folded({ draft, isWrong, children }: FoldedProps): ReactElement {
  const { topic, route, eventType, filter } = draft;
  const given = Object.entries({ topic, route, eventType, filter }).filter(([, value]) => value !== '');
  const match = matchText({ match: Object.fromEntries(given) });
  const times = draft.times === '' ? '' : fill(RULE_EDITOR.onlyFirst, { n: draft.times });
  return (
    <details className={css.fold} {...(isWrong ? { open: true } : {})}>
      <summary>{fill(RULE_EDITOR.forWhat, { match }) + times}</summary>
      <div className={css.form}>{children}</div>
    </details>
  );
}

/** Predicted states: those that are known, and those from the host, in the order of the answers. */
function chipsOf(found: readonly Prediction[], verdicts: readonly Verdict[]): readonly ChipKind[] {
  const asked = found.filter(({ kind }) => kind === 'asked');
  return found.flatMap((each) =>
    each.kind === 'known' ? each.chip : (verdicts[asked.indexOf(each)]?.state ?? []),
  );
}

/**
 * The rule as a sentence, and the states to which it leads; in the foot, so that it stays visible while the
 * fields scroll.
 */
function Predicted({
  read,
  protocol,
}: {
  readonly read: ReadRule;
  readonly protocol: Protocol;
}): ReactElement {
  const found = read.ok ? predictions(read.rule.answer, protocol) : [];
  const verdicts = useVerdicts(found.flatMap((each) => (each.kind === 'asked' ? [each.question] : [])));
  const chips = chipsOf(found, verdicts ?? []);
  return (
    <p role="status" className={css.predicted}>
      {read.ok ? ruleSentence(read.rule) : read.message}{' '}
      {chips.length > 0 && (
        <span className={css.leads}>
          {RULE_EDITOR.leadsTo}{' '}
          {[...new Set(chips)].map((chip) => (
            <Chip key={chip} kind={chip} />
          ))}
        </span>
      )}
    </p>
  );
}
