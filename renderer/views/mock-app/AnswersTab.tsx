/** The answers of the mock app, in the order in which they are tried. */
import { ArrowDown, ArrowUp, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState, type KeyboardEvent, type ReactElement } from 'react';
import { Link } from 'wouter';
import type { MockAppState, Preset, ResponseRule } from '../../../core/contract/mock-app.ts';
import { Button, IconButton } from '../../components/Button.tsx';
import { Chip } from '../../components/Chip.tsx';
import { Choice, type ChoiceOption } from '../../components/Choice.tsx';
import { Tick } from '../../components/Fields.tsx';
import { ACT_WHY } from '../../copy/acts.ts';
import { fill } from '../../copy/fill.ts';
import { MOCK } from '../../copy/mock-app.ts';
import { CHIP_WORDS, type ChipKind } from '../../copy/states.ts';
import { matchWords, ruleAnswerWords } from '../../format/answer.ts';
import { clockSeconds, count } from '../../format/quantity.ts';
import { useAway, useConsole, useResource } from '../../state/context.ts';
import css from './MockApp.module.css';
import { useMockRules } from './use-mock-rules.ts';

function isChip(word: string): word is ChipKind {
  return word in CHIP_WORDS;
}

const GROUP_ORDER: readonly Preset['group'][] = ['set', 'single', 'bulk', 'extra'];

/** Preset picker, list, and the answer that always comes last. */
export function AnswersTab({ state }: { readonly state: MockAppState }): ReactElement {
  const { commands } = useConsole();
  const away = useAway(ACT_WHY.away);
  const { save, reset } = useMockRules(state.appId);
  const [moved, setMoved] = useState('');
  const { rules } = state;

  function move(index: number, step: 1 | -1): void {
    const to = index + step;
    const rule = rules[index];
    if (rule === undefined || to < 0 || to >= rules.length) return;
    const next = rules.filter((_, place) => place !== index);
    void save(next.toSpliced(to, 0, rule), undefined);
    setMoved(fill(MOCK.moved, { n: to + 1, of: rules.length }));
  }

  return (
    <div className={css.tab}>
      <div className={css.buttons}>
        <PresetChoice state={state} />
        <Button icon={Plus} kind="primary" off={away} onClick={() => commands.open({ kind: 'rule' })}>
          {MOCK.add}
        </Button>
        {rules.length > 0 && (
          <Button off={away} onClick={() => void reset(rules)}>
            {MOCK.resetCounters}
          </Button>
        )}
      </div>
      <p role="status" className="visually-hidden">
        {moved}
      </p>
      {rules.length === 0 && <p className={css.muted}>{MOCK.onlyDefault}</p>}
      <ol className={css.list} aria-label={MOCK.list}>
        {rules.map((rule, index) => (
          <RuleRow
            key={rule.ruleId ?? index}
            rule={rule}
            index={index}
            last={rules.length - 1}
            onMove={(step) => move(index, step)}
            onChange={(next) => void save(rules.with(index, next), undefined)}
            onRemove={() => void save(rules.toSpliced(index, 1), rules)}
          />
        ))}
        <li className={css.rule}>
          <span />
          <span className={css.name}>{MOCK.default}</span>
          <span className={css.match}>{MOCK.everythingElse}</span>
          <span className={css.answer}>→ {MOCK.defaultAnswer}</span>
          <span className={css.hits}>
            {state.defaultHits === 1 ? MOCK.hit : fill(MOCK.hits, { n: count(state.defaultHits ?? 0) })}
          </span>
        </li>
      </ol>
    </div>
  );
}

interface RuleRowProps {
  readonly rule: ResponseRule;
  readonly index: number;
  readonly last: number;
  readonly onMove: (step: 1 | -1) => void;
  readonly onChange: (rule: ResponseRule) => void;
  readonly onRemove: () => void;
}

function RuleRow({ rule, index, last, onMove, onChange, onRemove }: RuleRowProps): ReactElement {
  const { commands } = useConsole();
  const away = useAway(ACT_WHY.away);
  const name = rule.name ?? fill(MOCK.unnamed, { n: index + 1 });
  const hits = rule.hits ?? 0;

  function onKey(event: KeyboardEvent): void {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    onMove(event.key === 'ArrowUp' ? -1 : 1);
  }

  return (
    <li className={css.rule} data-off={rule.enabled ? undefined : ''} onKeyDown={onKey}>
      <Tick
        isSwitch
        bare
        label={fill(MOCK.enable, { name })}
        checked={rule.enabled}
        onChange={(enabled) => onChange({ ...rule, enabled })}
      />
      <span className={css.name}>
        {name}
        {rule.times !== undefined && (
          <span className={css.muted}> · {fill(MOCK.times, { n: rule.times })}</span>
        )}
      </span>
      <span className={css.match}>{fill(MOCK.when, { match: matchWords(rule) })}</span>
      <span className={css.answer}>→ {ruleAnswerWords(rule.answer)}</span>
      <span
        className={css.hits}
        title={rule.lastAt === undefined ? undefined : fill(MOCK.lastAt, { time: clockSeconds(rule.lastAt) })}
      >
        {hits === 0 ? fill(MOCK.hits, { n: 0 }) : <HitsLink rule={rule} hits={hits} />}
      </span>
      <span className={css.ends}>
        <IconButton
          icon={ArrowUp}
          label={fill(MOCK.up, { name })}
          off={away ?? (index === 0 ? name : undefined)}
          onClick={() => onMove(-1)}
        />
        <IconButton
          icon={ArrowDown}
          label={fill(MOCK.down, { name })}
          off={away ?? (index === last ? name : undefined)}
          onClick={() => onMove(1)}
        />
        <IconButton
          icon={Pencil}
          label={fill(MOCK.edit, { name })}
          off={away}
          onClick={() => commands.open({ kind: 'rule', index })}
        />
        <IconButton icon={Trash2} label={fill(MOCK.remove, { name })} off={away} onClick={onRemove} />
      </span>
    </li>
  );
}

/** The messages that a rule may have answered: those of its topic. */
function HitsLink({ rule, hits }: { readonly rule: ResponseRule; readonly hits: number }): ReactElement {
  const text = hits === 1 ? MOCK.hit : fill(MOCK.hits, { n: count(hits) });
  const { topic } = rule.match;
  if (topic === undefined) return <>{text}</>;
  return <Link href={`/messages?f=${encodeURIComponent(`topic:${JSON.stringify(topic)}`)}`}>{text}</Link>;
}

function PresetChoice({ state }: { readonly state: MockAppState }): ReactElement {
  const { mockApps } = useConsole();
  const { use } = useMockRules(state.appId);
  const { value } = useResource(mockApps.presets);
  const presets = value?.items ?? [];
  const options = GROUP_ORDER.flatMap((group) =>
    presets
      .filter((preset) => preset.group === group)
      .map((preset): ChoiceOption => ({
        value: preset.preset,
        title: preset.title,
        group: MOCK.groups[group],
        note:
          preset.leadsTo !== undefined && isChip(preset.leadsTo) ? <Chip kind={preset.leadsTo} /> : undefined,
      })),
  );
  const now = presets.find(
    (preset) =>
      preset.rules.length === state.rules.length &&
      preset.rules.every((rule, index) => rule.name === state.rules[index]?.name),
  );
  return (
    <Choice
      label={MOCK.preset}
      value={now?.preset ?? ''}
      placeholder={MOCK.choosePreset}
      options={options}
      onChange={(id) => {
        const preset = presets.find((each) => each.preset === id);
        if (preset !== undefined) void use(preset, state.rules);
      }}
    />
  );
}
