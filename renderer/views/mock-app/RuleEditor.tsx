/** The dialog that creates or edits one answer of the mock app. */
import { useRef, type ReactElement, type ReactNode } from 'react';
import type { Protocol } from '../../../core/contract/grpc.ts';
import type { MockAppState, ResponseRule } from '../../../core/contract/mock-app.ts';
import { Button } from '../../components/Button.tsx';
import { ChangedElsewhere, showFirstNote } from '../../components/ChangedElsewhere.tsx';
import { TextField } from '../../components/Fields.tsx';
import { CancelButton } from '../../components/CancelButton.tsx';
import { Overlay } from '../../components/Overlay.tsx';
import { whileThisIsOpen } from '../../components/own-dialog.ts';
import { Loading } from '../../components/States.tsx';
import { ACT_WHY } from '../../copy/acts.ts';
import { MOCK, RULE_EDITOR } from '../../copy/mock-app.ts';
import { useSharedFields, type Editing } from '../../components/shared-fields.ts';
import { useRefused, type Refused } from '../../components/use-refused.ts';
import { fill } from '../../copy/fill.ts';
import { matchText, ruleAnswerText, ruleSentence } from '../../format/answer.ts';
import { useAway, useConsole, useResource } from '../../state/context.ts';
import { KindChoice } from './AnswerFields.tsx';
import css from './MockApp.module.css';
import { LeadsTo } from './LeadsTo.tsx';
import { protocolOf } from './predictions.ts';
import {
  draftOfParts,
  EMPTY_RULE,
  ofKind,
  partsOf,
  readRule,
  ruleDraftOf,
  withAnswer,
  type ReadRule,
  type RuleDraft,
  type RuleKind,
  type RuleParts,
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
  const rule = ruleOf(state, ruleId);
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

const PART_TITLES: Readonly<Record<Exclude<keyof RuleParts, 'ruleId' | 'enabled'>, string>> = {
  answers: RULE_EDITOR.kind,
  topic: RULE_EDITOR.topic,
  route: RULE_EDITOR.route,
  eventType: RULE_EDITOR.eventType,
  filter: RULE_EDITOR.filter,
  times: RULE_EDITOR.times,
  per: RULE_EDITOR.per,
  name: RULE_EDITOR.name,
};
const PARTS = Object.keys(PART_TITLES) as readonly (keyof typeof PART_TITLES)[];

function ruleOf(
  { rules }: Pick<MockAppState, 'rules'>,
  ruleId: string | undefined,
): ResponseRule | undefined {
  return ruleId === undefined ? undefined : rules.find((each) => each.ruleId === ruleId);
}

/**
 * Saves the answer over the one at the host. The form closes, unless more was typed before the host answered.
 * @returns saves it. False: it was refused, or another window changed what was edited here, which the form shows first
 */
function useStore(
  state: MockAppState,
  ruleId: string | undefined,
  editing: Editing<RuleParts>,
  refused: Refused,
): () => Promise<boolean> {
  const { commands } = useConsole();
  const { change } = useMockRules(state.appId);

  /** The rules with this one; undefined if another window changed what was edited here. */
  function withThis(rules: readonly ResponseRule[]): readonly ResponseRule[] | undefined {
    const latest = ruleOf({ rules }, ruleId);
    const parts = latest === undefined ? editing.draft : editing.mergedWith(partsOf(ruleDraftOf(latest)));
    const saved = parts && readRule(draftOfParts(parts));
    return saved?.ok === true ? withRule(rules, saved.rule) : undefined;
  }

  return async () => {
    const done = (rules: readonly ResponseRule[]): string =>
      ruleId !== undefined && ruleOf({ rules }, ruleId) === undefined ? MOCK.addedAgain : MOCK.saved;
    const then = whileThisIsOpen(commands);
    const sent = editing.draft;
    let now: MockAppState | undefined;
    const isSaved = await refused.once(async () => {
      now = await change(withThis, done, refused.take);
      return now !== undefined;
    });
    if (!isSaved || now === undefined) return false;
    // A new one comes first in the answer to this change, whatever other windows have changed since.
    const saved = ruleOf(now, ruleId) ?? now.rules[0];
    const isDone = saved === undefined || editing.settle(sent, partsOf(ruleDraftOf(saved)));
    const savedId = saved?.ruleId;
    if (isDone) then(commands.close);
    // What was typed since is saved over the new answer, and not as a second one.
    else if (savedId !== undefined && savedId !== ruleId)
      then(() => commands.open({ kind: 'rule', ruleId: savedId }));
    return true;
  };
}

function Form({ state, ...props }: RuleEditorProps & { readonly state: MockAppState }): ReactElement {
  const { commands } = useConsole();
  const away = useAway(ACT_WHY.away);
  const { ruleId } = props;
  const present = ruleOf(state, ruleId);
  const editing = useSharedFields(present && partsOf(ruleDraftOf(present)), () =>
    partsOf(startOf(state, props)),
  );
  const draft = draftOfParts(editing.draft);
  const refused = useRefused();
  const body = useRef<HTMLDivElement>(null);
  const store = useStore(state, ruleId, editing, refused);
  const read = readRule(draft);
  const wrong = read.ok ? undefined : read.field;
  const message = read.ok ? undefined : read.message;
  const setDraft = (next: RuleDraft): void => editing.edit(partsOf(next));
  // A filter is applied once the host has checked it, and other fields may have changed by then.
  const edit = (changes: Partial<RuleDraft>): void =>
    editing.change((now) => partsOf({ ...draftOfParts(now), ...changes }));
  const errors = { wrong, message };
  const isGone = ruleId !== undefined && present === undefined;

  async function save(): Promise<void> {
    if (!(await store())) await showFirstNote(body.current);
  }

  return (
    <Overlay
      title={ruleId === undefined ? RULE_EDITOR.add : RULE_EDITOR.edit}
      wide
      onClose={commands.close}
      isFilled={editing.isEdited}
      problem={refused.problem}
      onEdit={refused.clear}
      foot={
        <>
          <Predicted read={read} protocol={protocolOf(state)} />
          <CancelButton />
          <Button
            kind="primary"
            off={away ?? message}
            pending={refused.pending}
            onClick={() => read.ok && void save()}
          >
            {isGone ? RULE_EDITOR.saveAgain : RULE_EDITOR.save}
          </Button>
        </>
      }
    >
      <div ref={body} className={css.form}>
        {isGone && <p role="alert">{RULE_EDITOR.gone}</p>}
        <Changes editing={editing} present={present} />
        <div className={css.row}>
          <KindChoice
            kinds={kindsOf(state)}
            value={draft.kind}
            onChange={(kind) => setDraft(ofKind(draft, kind))}
          />
          <StartFrom
            protocol={protocolOf(state)}
            onChange={(answer) => setDraft(withAnswer(draft, answer))}
          />
        </div>
        <KindFields draft={draft} onChange={edit} {...errors} />
        <Folded draft={draft} isWrong={wrong === 'times'}>
          <MatchFields draft={draft} editing={editing} onChange={edit} {...errors} />
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

interface ChangesProps {
  readonly editing: Editing<RuleParts>;
  /** The answer as it is at the host. */
  readonly present: ResponseRule | undefined;
}

/** What another window changed meanwhile; above the fields, because some of them are folded. */
function Changes({ editing, present }: ChangesProps): ReactElement {
  return (
    <>
      {PARTS.map((part) => (
        <ChangedElsewhere
          key={part}
          field={PART_TITLES[part]}
          change={editing.elsewhere(part)}
          words={part === 'answers' && present !== undefined ? ruleAnswerText(present.answer) : undefined}
        />
      ))}
    </>
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
  return (
    <p role="status" className={css.predicted}>
      {read.ok ? ruleSentence(read.rule) : read.message}{' '}
      <LeadsTo answer={read.ok ? read.rule.answer : undefined} protocol={protocol} />
    </p>
  );
}
